"""`apt-get update`, of the given sources alone."""

from __future__ import annotations

from ...causes.changes import RefreshLists
from ...progress import Reporter
from . import apt
from .failed import said
from .files import remove
from .ground import Ground
from .kept import Keeper, Kept
from .names import path_below

FOLDER = "/var/lib/apt/lists"
SOURCES = ("/etc/apt", "/etc/apt/sources.list.d")


class Lists:
    """What the sources offer now."""

    kind = "refresh-lists"
    turn, back = 3, 30

    def __init__(self, ground: Ground, change: RefreshLists) -> None:
        """Raises UnreadableInput."""
        self.ground = ground
        self.files = tuple(path_below(path, SOURCES, "path") for path in change.files)
        self.subject = ", ".join(path.rpartition("/")[2] for path in self.files) or "apt"

    def commands(self) -> tuple[tuple[str, ...], ...]:
        """One for each file: apt takes one place of sources at a time."""
        base = ("apt-get", "-q", *apt.SURE, "-o", "APT::Update::Error-Mode=any", "update")
        one = ("-o", "Dir::Etc::sourceparts=-", "-o", "APT::Get::List-Cleanup=0")
        return tuple((*base, "-o", f"Dir::Etc::sourcelist={path}", *one) for path in self.files) or (base,)

    def check(self) -> bool:
        """Never: what they offer may be another thing each time."""
        return False

    def prepare(self, keeper: Keeper) -> None:
        """The names of the lists that are there."""
        keeper.note("lists", self.ground.names(FOLDER))

    def do(self, tell: Reporter) -> None:
        """Raises NoError where one cannot be had, or is not signed by a key that is trusted."""
        for argv in self.commands():
            outcome = apt.follow(self.ground, argv, tell)
            if outcome.code != 0:
                raise said(outcome)

    def undo(self, kept: Kept, tell: Reporter) -> None:  # noqa: ARG002
        """Lists that were not there before go: those of sources that were added. Others may be newer than before, as
        after any update."""
        before = kept.noted("lists")
        if before is None:
            return
        for name in set(self.ground.names(FOLDER)) - {*before, "partial", "lock", "auxfiles"}:
            remove(self.ground, f"{FOLDER}/{name}")
