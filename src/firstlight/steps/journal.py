"""What a sync began and ended, line by line on disk, so that the next one knows what was left half done."""

from __future__ import annotations

import contextlib
import errno
import os
from typing import Literal

import msgspec

from ..host.durable import sync_folder
from .places import cannot_write

State = Literal["begin", "done", "right", "undone", "end"]
LIMIT = 4 << 20
"""Bytes of the journal that are read at most."""
LONG = 1 << 20
KEPT = 200
"""A journal of more than LONG bytes is cut down to its last KEPT lines."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One line."""

    sync: str
    """Name of the environment that the sync makes."""
    kind: str
    subject: str
    state: State
    previous: str | None = None
    """Of `activate`: the environment that was in use before."""


class Journal:
    """Append-only; each line is on disk before the step that it announces begins."""

    def __init__(self, folder: str, sync: str) -> None:
        self.path = os.path.join(folder, "sync.jsonl")
        self.sync = sync

    def trim(self) -> None:
        """Keep it short. The old one stays whole until the new one takes its place."""
        try:
            if os.stat(self.path).st_size <= LONG:
                return
            lines = _tail(self.path).splitlines(keepends=True)[-KEPT:]
            with contextlib.suppress(FileNotFoundError):
                os.unlink(f"{self.path}.tmp")
            with open(f"{self.path}.tmp", "xb") as file:
                file.writelines(lines)
                file.flush()
                os.fsync(file.fileno())
            os.replace(f"{self.path}.tmp", self.path)
        except OSError:  # none yet; or no room, which the first note will say
            return

    def note(self, kind: str, subject: str, state: State, previous: str | None = None) -> None:
        """Raises NoError if it cannot be written."""
        line = msgspec.json.encode(Entry(sync=self.sync, kind=kind, subject=subject, state=state, previous=previous))
        try:
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
            try:
                began = os.fstat(handle).st_size == 0
                _append(handle, line + b"\n")
                os.fsync(handle)
            finally:
                os.close(handle)
            if began:
                sync_folder(os.path.dirname(self.path))
        except OSError as error:
            raise cannot_write(error, self.path) from error


def _append(handle: int, line: bytes) -> None:
    """After a line that was cut off (a kill, a full disk) on a line of its own. A nearly full disk takes a part only:
    that is an error too."""
    size = os.fstat(handle).st_size
    if size and os.pread(handle, 1, size - 1) != b"\n":
        line = b"\n" + line
    if os.write(handle, line) != len(line):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def read_journal(folder: str) -> list[Entry]:
    """All whole lines; a last one that was cut off by a kill, or a damaged one, is left out."""
    try:
        data = _tail(os.path.join(folder, "sync.jsonl"))
    except OSError:
        return []
    entries = (_entry(line) for line in data.split(b"\n"))
    return [entry for entry in entries if entry is not None]


def _tail(path: str) -> bytes:
    """The last LIMIT bytes. What is no ordinary file is not waited for."""
    with open(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK), "rb") as file:
        size = os.fstat(file.fileno()).st_size
        return os.pread(file.fileno(), LIMIT, max(0, size - LIMIT))


def _entry(line: bytes) -> Entry | None:
    try:
        return msgspec.json.decode(line, type=Entry)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def previous_environment(folder: str, active: str | None) -> str | None:
    """What was in use before the environment `active` was swapped in. A swap that was begun and did not come about, or
    was taken back, does not count."""
    begun = [one for one in read_journal(folder) if one.kind == "activate" and one.state == "begin"]
    return next((one.previous for one in reversed(begun) if one.sync == active and one.previous != active), None)
