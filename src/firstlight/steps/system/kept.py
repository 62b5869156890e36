"""What was before a change, kept in a folder of its own under /var/lib/firstlight/changes until it is not needed."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections.abc import Iterable
from typing import Any

import msgspec

from ...errors import NoError
from ...host.durable import sync_file_system, sync_folder
from ...words import Words
from .files import ABSENT, FileState, cannot, clear, copy_out, look, put, put_folder, put_link, remove
from .ground import Ground
from .model import SystemChange

AT_MOST = 20
"""Changes that can be undone; older ones are forgotten."""
_NUMBER = re.compile(r"[0-9]{6}")


class Record(msgspec.Struct, kw_only=True):
    """Files by path, and what each step noted, as written to disk."""

    files: dict[str, FileState] = {}
    notes: dict[str, Any] = {}


class Keeper:
    """The folder of a change in the making: `NUMBER.new`, which counts for nothing until it is renamed."""

    def __init__(self, ground: Ground, id: str, change: SystemChange) -> None:
        self.ground, self.id, self.change = ground, id, change
        self.folder = os.path.join(_changes(ground), f"{id}.new")
        self.record = Record()
        _make(self.folder)

    def keep(self, path: str) -> None:
        """The state of a path, and of those folders above it that are missing. Raises NoError."""
        for one in (*_missing_above(self.ground, path), path):
            if one in self.record.files:
                continue
            state = look(self.ground, one)
            if state.kind == "file":
                self._blob(one, state)
            self.record.files[one] = state

    def note(self, name: str, value: object) -> None:
        """Something else that `undo` will need: any JSON value."""
        self.record.notes[name] = value

    def commit(self) -> Kept:
        """All of it on the disk, under its name. Raises NoError."""
        final = self.folder.removesuffix(".new")
        try:
            _write(os.path.join(self.folder, "change.json"), msgspec.json.encode(self.change), 0o644)
            _write(os.path.join(self.folder, "before.json"), msgspec.json.encode(self.record), 0o600)
            sync_file_system(self.folder)
            os.rename(self.folder, final)
            sync_folder(os.path.dirname(final))
        except OSError as error:
            raise cannot(error, self.ground.inside(self.folder)) from error
        return Kept(self.ground, self.id, self.change, self.record, None)

    def drop(self) -> None:
        """It came to nothing."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _blob(self, path: str, state: FileState) -> None:
        target = os.path.join(self.folder, "blobs", state.sha256)
        if os.path.lexists(target):
            return
        try:
            copy_out(self.ground, path, target)
        except OSError as error:
            raise cannot(error, path) from error


class Kept:
    """What was before, and, once the change is done, what it left."""

    def __init__(self, ground: Ground, id: str, change: SystemChange, before: Record, after: Record | None) -> None:
        self.ground, self.id, self.change, self.before, self.after = ground, id, change, before, after
        self.folder = os.path.join(_changes(ground), id)
        self.left: list[str] = []
        """Paths that `restore` could not or would not put back."""
        self.others: frozenset[str] | None = None
        """Paths that somebody else had changed since, when undoing began."""

    def noted(self, name: str) -> Any:  # noqa: ANN401 - JSON that the step itself wrote
        """What the step noted before; None if nothing."""
        return self.before.notes.get(name)

    def finish(self, paths: Iterable[str]) -> None:
        """Record what the change made of these paths, so that a later rollback can tell it from what others do.
        Raises NoError."""
        states = {path: state for path in paths if (state := _seen(self.ground, path)) is not None}
        self.after = Record(files=states)
        try:
            _replace(os.path.join(self.folder, "after.json"), msgspec.json.encode(self.after))
        except OSError as error:
            raise cannot(error, self.ground.inside(self.folder)) from error

    def begin_undo(self) -> None:
        """Tell, before anything is undone, what somebody else has changed since: undoing itself (apt-get) may write in
        the same places. Once for all: another run carries on with what the first one saw. Raises NoError."""
        if self.after is None or self.others is not None:
            return
        found = []
        for path, state in self.after.files.items():
            now, before = _seen(self.ground, path), self.before.files.get(path, ABSENT)
            if now is not None and not now.same(state) and not now.same(before):
                found.append(path)
        self.others = frozenset(found)
        try:
            _replace(os.path.join(self.folder, "others.json"), msgspec.json.encode(found))
        except OSError as error:
            raise cannot(error, self.ground.inside(self.folder)) from error

    def restore(self, path: str) -> None:
        """What was there before, unless somebody else has changed it since. Raises NoError."""
        clear(self.ground, path)
        before = self.before.files.get(path, ABSENT)
        now = _seen(self.ground, path)
        if now is None or now.same(before):
            return
        if before.kind == "other" or path in (self.others or ()):
            self.left.append(path)
            return
        if now.kind == "file" and not (self.after and now.same(self.after.files.get(path, ABSENT))):
            self._set_aside(path, now)
        self._put(path, before, now)

    def _put(self, path: str, before: FileState, now: FileState) -> None:
        if now.kind not in ("absent", before.kind) and not remove(self.ground, path):
            self.left.append(path)
        elif before.kind == "file":
            put(self.ground, path, os.path.join(self.folder, "blobs", before.sha256), before)
        elif before.kind == "link":
            put_link(self.ground, path, before)
        elif before.kind == "folder":
            put_folder(self.ground, path, before)

    def _set_aside(self, path: str, now: FileState) -> None:
        """Neither of before nor what the change left, as when one was cut off: whatever it is stays to be had."""
        folder = os.path.join(self.folder, "set-aside")
        with contextlib.suppress(OSError):
            os.makedirs(folder, mode=0o700, exist_ok=True)
            copy_out(self.ground, path, os.path.join(folder, now.sha256))

    def restore_all(self, paths: Iterable[str]) -> None:
        """Several, what is in a folder before the folder itself where it goes, after it where it comes back."""
        known = self.before.files
        gone = [path for path in paths if known.get(path, ABSENT).kind == "absent"]
        back = [path for path in paths if known.get(path, ABSENT).kind != "absent"]
        for path in (*sorted(gone, reverse=True), *sorted(back)):
            self.restore(path)

    def forget(self) -> None:
        """Nothing needs it any more: only what the change was stays, and what had to be set aside."""
        for name in ("blobs", "debs"):
            shutil.rmtree(os.path.join(self.folder, name), ignore_errors=True)
        for name in ("tree.zst", "before.json", "after.json", "others.json"):
            with contextlib.suppress(OSError):
                os.unlink(os.path.join(self.folder, name))


def _seen(ground: Ground, path: str) -> FileState | None:
    """None where others may write on the way: nothing is put back there."""
    try:
        return look(ground, path)
    except NoError:
        return None


def load(ground: Ground, id: str) -> Kept:
    """What was kept of a change. Raises NoError where it is not there, or damaged."""
    folder = os.path.join(_changes(ground), id)
    try:
        change = msgspec.json.decode(_content(folder, "change.json"), type=SystemChange)
        before = msgspec.json.decode(_content(folder, "before.json"), type=Record)
        written = os.path.exists(os.path.join(folder, "after.json"))
        after = msgspec.json.decode(_content(folder, "after.json"), type=Record) if written else None
        began = os.path.exists(os.path.join(folder, "others.json"))
        others = msgspec.json.decode(_content(folder, "others.json"), type=list[str]) if began else None
    except (OSError, msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise _unreadable(ground.inside(folder), id, error) from error
    kept = Kept(ground, id, change, before, after)
    kept.others = None if others is None else frozenset(others)
    return kept


def change_of(ground: Ground, id: str) -> SystemChange:
    """What a change was; also for a user who is not root. Raises NoError."""
    folder = os.path.join(_changes(ground), id)
    try:
        return msgspec.json.decode(_content(folder, "change.json"), type=SystemChange)
    except (OSError, msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise _unreadable(ground.inside(folder), id, error) from error


def _unreadable(folder: str, id: str, error: Exception) -> NoError:
    return NoError(
        Words(f"what was before change {id} cannot be read from {folder}: {error}",
              f"无法从 {folder} 读取更改 {id} 之前的状态：{error}"),
        next=Words("look at that folder; without it the change cannot be undone",
                   "请查看该目录；没有它就无法撤销该更改"),
    )  # fmt: skip


def number(ground: Ground) -> str:
    """Of the next change."""
    used = [int(name[:6]) for name in ground.names(ground.inside(_changes(ground))) if _NUMBER.match(name)]
    return f"{max(used, default=0) + 1:06}"


def prune(ground: Ground, begun: Iterable[str]) -> None:
    """Clear away what a killed run left in the making or never began, and the oldest changes. `begun`: the changes
    that the journal knows, oldest first; without one everything is left alone."""
    known = list(begun)
    for name in ground.names(ground.inside(_changes(ground))):
        unknown = known and _NUMBER.fullmatch(name) and name not in known and name > known[-1]
        if name.endswith(".new") or unknown or name in known[:-AT_MOST]:
            shutil.rmtree(os.path.join(_changes(ground), name), ignore_errors=True)


def _changes(ground: Ground) -> str:
    return os.path.join(ground.state, "changes")


def _make(folder: str) -> None:
    try:
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder, 0o755)
        os.chmod(folder, 0o755)  # noqa: S103 - apt's own user reads the packages in it
        os.mkdir(os.path.join(folder, "blobs"), 0o700)
    except OSError as error:
        raise cannot(error, folder) from error


def _missing_above(ground: Ground, path: str) -> list[str]:
    found = []
    above = os.path.dirname(path)
    while above != "/" and not ground.exists(above):
        found.append(above)
        above = os.path.dirname(above)
    return found[::-1]


def _content(folder: str, name: str) -> bytes:
    with open(os.open(os.path.join(folder, name), os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
        return file.read()


def _write(path: str, data: bytes, mode: int) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode), "wb") as file:
        file.write(data)
        os.fchmod(file.fileno(), mode)


def _replace(path: str, data: bytes) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(f"{path}.new")
    with open(os.open(f"{path}.new", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(f"{path}.new", path)
    sync_folder(os.path.dirname(path))
