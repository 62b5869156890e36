"""A system change, and how it ended."""

from __future__ import annotations

from typing import Literal

import msgspec

from ...causes.changes import Change
from ..model import StepResult


class SystemChange(msgspec.Struct, frozen=True, kw_only=True):
    """What one consent covers, and one rollback takes back."""

    reason: str
    """Why: the id of a finding, or `sync`."""
    parts: tuple[Change, ...]


class Planned(msgspec.Struct, frozen=True, kw_only=True):
    """One step before it is taken."""

    kind: str
    subject: str
    commands: tuple[tuple[str, ...], ...]
    right: bool
    """Nothing has to be done."""


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """What a change would do. Nothing was touched."""

    steps: tuple[Planned, ...]
    removed: tuple[str, ...] = ()
    """`name version` of installed packages that go."""
    downgraded: tuple[str, ...] = ()
    """`name before -> after`."""
    lost: tuple[str, ...] = ()
    """`name version` of packages whose present version could not be brought back: it is offered nowhere any more."""


class Applied(msgspec.Struct, frozen=True, kw_only=True):
    """A change that was made. `id` is None where all was right already."""

    id: str | None
    steps: tuple[StepResult, ...]
    settled: Settled | None = None
    """What had to be done first about an earlier change that was cut off."""


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    """An earlier change that was cut off, and its end."""

    id: str
    reason: str
    end: Literal["finished", "undone"]


class RolledBack(msgspec.Struct, frozen=True, kw_only=True):
    """A change that was taken back."""

    id: str
    reason: str
    steps: tuple[StepResult, ...]
    left: tuple[str, ...]
    """Paths that were changed since by somebody else, or that nothing could tell the former content of: as they are."""
    earlier: int
    """Changes before it that can still be undone."""
