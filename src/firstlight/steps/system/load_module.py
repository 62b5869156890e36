"""A kernel module is loaded now."""

from __future__ import annotations

from ...causes.changes import LoadModule
from ...progress import Reporter
from .failed import said
from .ground import Ground
from .kept import Keeper, Kept
from .names import MODULE, fits


class Loaded:
    """modprobe(8). It lasts until the next boot."""

    kind = "load-module"
    turn, back = 9, 0

    def __init__(self, ground: Ground, change: LoadModule) -> None:
        """Raises UnreadableInput."""
        self.ground = ground
        self.subject = fits(MODULE, change.module, "kernel module")

    def commands(self) -> tuple[tuple[str, ...], ...]:
        """One."""
        return (("modprobe", self.subject),)

    def check(self) -> bool:
        """By sysfs, where what is built in counts as well."""
        return self.ground.exists(f"/sys/module/{self.subject.replace('-', '_')}")

    def prepare(self, keeper: Keeper) -> None:
        """Whether it was loaded before."""
        keeper.note(f"module {self.subject}", self.check())

    def do(self, tell: Reporter) -> None:  # noqa: ARG002
        """Raises NoError."""
        outcome = self.ground.run(self.commands()[0], timeout=300)
        if outcome.code != 0:
            raise said(outcome)

    def undo(self, kept: Kept, tell: Reporter) -> None:  # noqa: ARG002
        """One that is in use by now stays until the next boot."""
        if kept.noted(f"module {self.subject}") is False and self.check():
            outcome = self.ground.run(("modprobe", "-r", self.subject), timeout=300)
            if outcome.code != 0:
                kept.left.append(f"/sys/module/{self.subject.replace('-', '_')}")
