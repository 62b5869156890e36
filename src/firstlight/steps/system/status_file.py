"""dpkg's and apt's records of the packages that a rollback touched, exactly as they were."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
from collections.abc import Iterator, Sequence

from .dpkg_status import MARKS, STATUS, Entry, Key, entry, paragraphs, pending
from .files import ABSENT, FileState, look, put, remove
from .ground import Ground
from .kept import Kept

INFO = "/var/lib/dpkg/info"
LOCKS = ("/var/lib/dpkg/lock-frontend", "/var/lib/dpkg/lock")


def put_back_status(ground: Ground, kept: Kept, keys: Sequence[Key]) -> None:
    """The paragraphs of the change's packages, which list obsolete configuration files and holds too; only where
    version and state are those of before, or a package is gone of which nothing but its configuration was left. Raises
    NoError."""
    with _locked(ground):
        if pending(ground):
            return
        before, now = _blob(kept, STATUS), (ground.read(STATUS, 128 << 20) or b"").decode("utf-8", "surrogateescape")
        text = merged(before, now, keys)
        if text != now:
            state = look(ground, STATUS)
            put(ground, STATUS, text.encode("utf-8", "surrogateescape"), _like(state))
        _put_back_info(ground, kept, before, text)
        _clear(ground)


def _clear(ground: Ground) -> None:
    """What a killed dpkg leaves, and clears away by itself when it next unpacks something."""
    shutil.rmtree(ground.at("/var/lib/dpkg/tmp.ci"), ignore_errors=True)
    with contextlib.suppress(OSError):
        os.unlink(ground.at("/var/lib/dpkg/updates/tmp.i"))


def merged(before: str, now: str, keys: Sequence[Key]) -> str:
    """The record of now with the paragraphs of before for `keys`."""
    old, new = _entries(before), _entries(now)
    names = {name for name, _ in keys}
    new = {key: one for key, one in new.items() if key in old or key[0] not in names or one.state != "not-installed"}
    ours = {key: old[key] for key in keys if key in old and _equal(old[key], new.get(key))}
    result = {**new, **ours}
    order = list(old) if set(old) == set(result) else [*new, *(key for key in ours if key not in new)]
    return "".join(f"{result[key].text}\n" for key in order)


def _equal(before: Entry, now: Entry | None) -> bool:
    if before.state == "config-files":
        return now is None or now.state in ("config-files", "not-installed")
    return now is not None and before.installed is not None and before.installed == now.installed


def _entries(text: str) -> dict[Key, Entry]:
    return {one.key: one for one in map(entry, paragraphs(text)) if one is not None}


def _put_back_info(ground: Ground, kept: Kept, before: str, now: str) -> None:
    """dpkg's files of packages that are what they were: a list of files, the scripts of what is left of a package."""
    same = {one.name for one in _entries(before).values() if _entries_equal(one, _entries(now))}
    for path, state in kept.before.files.items():
        name = path.removeprefix(f"{INFO}/").rpartition(".")[0].partition(":")[0]
        if path.startswith(f"{INFO}/") and name in same and not look(ground, path).same(state):
            put(ground, path, os.path.join(kept.folder, "blobs", state.sha256), state)


def _entries_equal(one: Entry, now: dict[Key, Entry]) -> bool:
    return one.key in now and now[one.key].text == one.text


def put_back_marks(ground: Ground, kept: Kept, keys: Sequence[Key]) -> None:
    """Which packages apt takes for dependencies. The very file of before, if nothing else has changed in it. Raises
    NoError."""
    for name in ground.names("/var/lib/apt"):
        if re.fullmatch(r"extended_states\.[A-Za-z0-9]{6}", name):  # of an apt that was killed
            remove(ground, f"/var/lib/apt/{name}")
    state = kept.before.files.get(MARKS, ABSENT)
    old = _blob(kept, MARKS) if state.kind == "file" else ""
    now = (ground.read(MARKS, 128 << 20) or b"").decode("utf-8", "surrogateescape")
    names = {name for name, _ in keys}
    if _others(old, names) == _others(now, names):
        text = old
    else:
        text = "".join(f"{one}\n" for one in (*_others(now, names), *_ours(old, names)))
    if state.kind != "file" and not text:
        remove(ground, MARKS)
    elif text != now:
        put(ground, MARKS, text.encode("utf-8", "surrogateescape"), _like(look(ground, MARKS)))


def _others(text: str, names: set[str]) -> list[str]:
    return [one for one in paragraphs(text) if _package(one) not in names]


def _ours(text: str, names: set[str]) -> list[str]:
    return [one for one in paragraphs(text) if _package(one) in names]


def _package(paragraph: str) -> str:
    return next((line[9:].strip() for line in paragraph.splitlines() if line.startswith("Package: ")), "")


def _blob(kept: Kept, path: str) -> str:
    sha256 = kept.before.files[path].sha256
    with open(
        os.path.join(kept.folder, "blobs", sha256), encoding="utf-8", errors="surrogateescape", newline=""
    ) as file:
        return file.read()


def _like(state: FileState) -> FileState:
    mode = state.mode if state.kind == "file" else 0o644
    return FileState(kind="file", mode=mode, uid=state.uid, gid=state.gid)


@contextlib.contextmanager
def _locked(ground: Ground) -> Iterator[None]:
    """As dpkg locks itself (lib/dpkg/dbmodify.c): nobody else changes the record meanwhile."""
    handles = []
    try:
        for path in LOCKS:
            handles.append(os.open(ground.at(path), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o640))
            fcntl.lockf(handles[-1], fcntl.LOCK_EX)
        yield
    finally:
        for handle in handles:
            os.close(handle)
