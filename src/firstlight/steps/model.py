"""One change with its check and undo, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, Protocol

import msgspec

NOTHING: Mapping[str, str] = MappingProxyType({})

StepState = Literal["right", "done", "failed"]


class StepResult(msgspec.Struct, frozen=True, kw_only=True):
    """One step after a sync. `right`: nothing had to be done."""

    kind: str
    """`place-wheel`, `make-environment`, `install`, `activate`."""
    subject: str
    """A file name, or a folder relative to the project."""
    state: StepState
    ms: float
    """Wall time, milliseconds."""


class Step(Protocol):
    """One change. `do` raises FirstlightError; `check` and `undo` never raise for what the disk is like."""

    kind: str
    subject: str

    def check(self) -> bool:
        """Whether the state is right already. Cheap: no file is hashed."""

    def do(self) -> None:
        """Bring it about. May find leftovers of a run that was killed."""

    def undo(self) -> None:
        """Take back what `do` did, or had begun."""
