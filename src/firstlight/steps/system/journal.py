"""What was begun and ended on the machine, line by line on disk."""

from __future__ import annotations

import contextlib
import os
from typing import Literal

import msgspec

from ..lines import append, tail, trim
from .files import cannot
from .ground import Ground

NAME = "system.jsonl"
LONG = 1 << 20
KEPT = 1000
"""Of a journal of more than LONG bytes the last KEPT lines stay."""
Standing = Literal["begun", "applied", "undoing", "undone"]
_MEANS: dict[tuple[str, str], Standing] = {
    ("change", "begin"): "begun",
    ("change", "end"): "applied",
    ("undo", "begin"): "undoing",
    ("undo", "end"): "undone",
}


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One line."""

    change: str
    """Number of the change."""
    kind: str
    """`change` and `undo` as a whole; else the kind of a step."""
    subject: str = ""
    state: Literal["begin", "done", "undone", "end"]


class Journal:
    """Of one change; each line is on disk before what it announces begins."""

    def __init__(self, ground: Ground, change: str) -> None:
        self.path = os.path.join(ground.state, NAME)
        self.shown = ground.inside(self.path)
        self.change = change

    def note(self, kind: str, state: Literal["begin", "done", "undone", "end"], subject: str = "") -> None:
        """Raises NoError if it cannot be written."""
        line = msgspec.json.encode(Entry(change=self.change, kind=kind, subject=subject, state=state))
        try:
            append(self.path, line)
        except OSError as error:
            raise cannot(error, self.shown) from error

    def trim(self) -> None:
        """Keep it short."""
        with contextlib.suppress(OSError):
            trim(self.path, LONG, KEPT)


def read_journal(ground: Ground) -> list[Entry]:
    """All whole lines."""
    try:
        lines = tail(os.path.join(ground.state, NAME)).split(b"\n")
    except OSError:
        return []
    return [entry for entry in map(_entry, lines) if entry is not None]


def standings(ground: Ground) -> dict[str, Standing]:
    """Change -> where it stands, in the order in which they were begun."""
    found: dict[str, Standing] = {}
    for entry in read_journal(ground):
        means = _MEANS.get((entry.kind, entry.state))
        if means:
            found[entry.change] = means
    return found


def _entry(line: bytes) -> Entry | None:
    try:
        return msgspec.json.decode(line, type=Entry)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
