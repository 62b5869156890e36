"""What a sync began and ended, line by line on disk, so that the next one knows what was left half done."""

from __future__ import annotations

import contextlib
import os
from typing import Literal

import msgspec

from .lines import append, tail, trim
from .places import cannot_write

State = Literal["begin", "done", "right", "undone", "end"]
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
        """Keep it short."""
        with contextlib.suppress(OSError):  # none yet; or no room, which the first note will say
            trim(self.path, LONG, KEPT)

    def note(self, kind: str, subject: str, state: State, previous: str | None = None) -> None:
        """Raises NoError if it cannot be written."""
        line = msgspec.json.encode(Entry(sync=self.sync, kind=kind, subject=subject, state=state, previous=previous))
        try:
            append(self.path, line)
        except OSError as error:
            raise cannot_write(error, self.path) from error


def read_journal(folder: str) -> list[Entry]:
    """All whole lines; a last one that was cut off by a kill, or a damaged one, is left out."""
    try:
        data = tail(os.path.join(folder, "sync.jsonl"))
    except OSError:
        return []
    entries = (_entry(line) for line in data.split(b"\n"))
    return [entry for entry in entries if entry is not None]


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
