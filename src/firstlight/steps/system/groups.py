"""A user becomes a member of groups."""

from __future__ import annotations

from collections.abc import Sequence

from ...causes.changes import AddToGroup
from ...errors import NoError
from ...progress import Reporter
from ...words import Words
from .failed import said
from .ground import Ground
from .kept import Keeper, Kept
from .names import ACCOUNT, all_fit, fits, refused

FILES = ("/etc/group", "/etc/gshadow", "/etc/group-", "/etc/gshadow-", "/etc/.pwd.lock")
"""What usermod(8) writes, with its copies of what was before."""


class Membership:
    """usermod -aG, which knows about gshadow, locks and copies."""

    kind = "add-to-group"
    turn = back = 5

    def __init__(self, ground: Ground, change: AddToGroup) -> None:
        """Raises UnreadableInput."""
        self.ground = ground
        self.user = fits(ACCOUNT, change.user, "user")
        self.groups = all_fit(ACCOUNT, change.groups, "group")
        if not self.groups:
            raise refused("group", "")
        self.subject = f"{self.user}: {', '.join(self.groups)}"

    def commands(self) -> tuple[tuple[str, ...], ...]:
        """One."""
        return (("usermod", "-aG", ",".join(self.groups), self.user),)

    def check(self) -> bool:
        """By /etc/group."""
        return not self._missing()

    def _missing(self) -> list[str]:
        return [group for group in self.groups if self.user not in (members(self.ground, group) or ())]

    def prepare(self, keeper: Keeper) -> None:
        """Raises NoError where there is no such group."""
        unknown = [group for group in self.groups if members(self.ground, group) is None]
        if unknown:
            names = ", ".join(unknown)
            raise NoError(Words(f"there is no group {names}", f"没有组 {names}"))
        for path in FILES:
            keeper.keep(path)
        keeper.note(self.subject, self._missing())

    def do(self, tell: Reporter) -> None:  # noqa: ARG002
        """Raises NoError."""
        outcome = self.ground.run(self.commands()[0], timeout=120)
        if outcome.code != 0 or not self.check():
            raise said(outcome)

    def undo(self, kept: Kept, tell: Reporter) -> None:  # noqa: ARG002
        """The files as they were; where somebody else has changed them since, the membership alone."""
        left: list[str] = []
        for path in FILES:
            kept.restore(path)
        left = [path for path in kept.left if path in FILES]
        if not left:
            return
        kept.left[:] = [path for path in kept.left if path not in FILES]
        for group in self._joined(kept.noted(self.subject) or ()):
            outcome = self.ground.run(("gpasswd", "-d", self.user, group), timeout=120)
            if outcome.code != 0:
                raise said(outcome)

    def _joined(self, groups: Sequence[str]) -> list[str]:
        return [group for group in groups if self.user in (members(self.ground, group) or ())]


def members(ground: Ground, group: str) -> list[str] | None:
    """By /etc/group; None: there is no such group."""
    for line in ground.text("/etc/group").splitlines():
        fields = line.split(":")
        if len(fields) == 4 and fields[0] == group:
            return [name for name in fields[3].split(",") if name]
    return None
