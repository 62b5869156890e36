"""Take back the machine's last change."""

from __future__ import annotations

from typing import NamedTuple

from ...causes.changes import AddToGroup, Packages
from ...errors import NoError
from ...progress import Reporter, Silent
from ...words import Words
from .alone import alone
from .ground import Ground
from .journal import Journal, standings
from .kept import change_of, load
from .model import RolledBack, SystemChange
from .planning import BY_HAND, planned_to_undo
from .reversal import back_command
from .undoing import undo_steps
from .unfinished import settle

NOTHING = NoError(
    Words("there is no change of this machine to roll back", "没有可回滚的系统更改"),
    why=Words("firstlight has changed nothing here, or all of it is undone already",
              "firstlight 没有更改过这台机器，或更改已全部撤销"),
)  # fmt: skip


class Undoing(NamedTuple):
    """What undoing a change would do."""

    reason: str
    commands: tuple[tuple[str, ...], ...]
    files: tuple[str, ...]


def last(ground: Ground) -> str | None:
    """Number of the change that `rollback_system` would take back; one that was cut off goes first. Reads only."""
    open_ones = [id for id, standing in standings(ground).items() if standing != "undone"]
    return open_ones[-1] if open_ones else None


def undoing(ground: Ground, id: str) -> Undoing:
    """For whoever is asked to consent; as far as a user who is not root can read. Nothing is touched."""
    change = change_of(ground, id)
    commands: list[tuple[str, ...]] = []
    files: list[str] = []
    for part in change.parts:
        if isinstance(part, Packages):
            commands.append(back_command(ground, id, part))
        elif isinstance(part, AddToGroup):
            commands += [("gpasswd", "-d", part.user, group) for group in part.groups]
        elif not isinstance(part, BY_HAND):
            steps = planned_to_undo(SystemChange(reason=change.reason, parts=(part,)), ground)
            files += [one.subject for one in steps]
    return Undoing(change.reason, tuple(commands), tuple(files))


def rollback_system(*, ground: Ground | None = None, reporter: Reporter | None = None) -> RolledBack:
    """Undo the last change that is not undone yet: package set, versions and files are what they were; what somebody
    else has changed since stays, and is named. Raises ConsentNeeded without root, NoError where there is nothing to
    undo or where it cannot be."""
    ground, tell = ground or Ground(), reporter or Silent()
    with alone(ground, tell):
        cut = settle(ground, tell, undo=True)
        if cut is not None:
            return RolledBack(id=cut.id, reason=cut.reason, steps=(), left=(), earlier=_open(ground))
        id = last(ground)
        if id is None:
            raise NoError(NOTHING.what, why=NOTHING.why)
        return _undo(ground, id, tell)


def _undo(ground: Ground, id: str, tell: Reporter) -> RolledBack:
    kept = load(ground, id)
    steps = planned_to_undo(kept.change, ground)
    for step in steps:
        if hasattr(step, "may_undo"):
            step.may_undo(kept)
    journal = Journal(ground, id)
    journal.note("undo", "begin")
    results = undo_steps(steps, kept, journal, tell)
    journal.note("undo", "end")
    kept.forget()
    return RolledBack(id=id, reason=kept.change.reason, steps=results, left=tuple(dict.fromkeys(kept.left)),
                      earlier=_open(ground))  # fmt: skip


def _open(ground: Ground) -> int:
    return sum(standing == "applied" for standing in standings(ground).values())
