"""What every step of a system change can do."""

from __future__ import annotations

from typing import Protocol

from ...progress import Reporter
from .kept import Keeper, Kept


class Step(Protocol):
    """One change of the machine. It may find leftovers of a run that was killed between any two system calls."""

    kind: str
    subject: str
    turn: int
    """Steps are done in this order."""
    back: int
    """And undone in this order: an initramfs is made anew after what goes into it was put back."""

    def commands(self) -> tuple[tuple[str, ...], ...]:
        """What is run, argument vector by argument vector; a file that we write ourselves as a vector that does the
        same."""

    def check(self) -> bool:
        """Whether the state is right already."""

    def prepare(self, keeper: Keeper) -> None:
        """Record what `undo` will need, before any step of the change begins. Raises FirstlightError."""

    def do(self, tell: Reporter) -> None:
        """Bring it about. Raises FirstlightError."""

    def undo(self, kept: Kept, tell: Reporter) -> None:
        """Take back what `do` did, or had begun. Raises FirstlightError where it cannot; it may be called again."""
