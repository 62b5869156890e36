"""A change, or an undoing, that was cut off: brought to one of its two good ends before anything else."""

from __future__ import annotations

from ...errors import FirstlightError
from ...progress import Reporter, Silent
from ...words import Words
from .alone import alone
from .ground import Ground
from .journal import Journal, standings
from .kept import Kept, load
from .model import Settled
from .planning import planned, planned_to_undo
from .undoing import undo_steps

KEY = "system:unfinished"


def unfinished(ground: Ground) -> str | None:
    """Number of the change that was cut off. Reads only."""
    return next((id for id, standing in standings(ground).items() if standing in ("begun", "undoing")), None)


def settle_system(*, ground: Ground | None = None, reporter: Reporter | None = None) -> Settled | None:
    """Bring what was cut off to an end, and nothing else. Raises ConsentNeeded without root, FirstlightError where it
    can neither be finished nor be taken back."""
    ground, tell = ground or Ground(), reporter or Silent()
    with alone(ground, tell):
        return settle(ground, tell)


def settle(ground: Ground, tell: Reporter, *, undo: bool = False) -> Settled | None:
    """Finish what was cut off; what cannot be finished, or with `undo`, is taken back. None: nothing was. Raises
    FirstlightError where neither can be done; the next run tries again."""
    id = unfinished(ground)
    if id is None:
        return None
    kept = load(ground, id)
    journal = Journal(ground, id)
    tell.begin(KEY, Words(f"change {id} was cut off: bringing it to an end", f"更改 {id} 曾被中断：正在收尾"))
    undoing = undo or standings(ground)[id] == "undoing"
    finished = not undoing and _finished(kept, journal, tell)
    if not finished:
        _undone(kept, journal, tell)
    tell.end(KEY, Words(f"change {id} was cut off: it is {'finished' if finished else 'taken back'} now",
                        f"更改 {id} 曾被中断：现已{'完成' if finished else '撤销'}"), ok=True)  # fmt: skip
    return Settled(id=id, reason=kept.change.reason, end="finished" if finished else "undone")


def _finished(kept: Kept, journal: Journal, tell: Reporter) -> bool:
    try:
        steps = planned(kept.change, kept.ground, accept_loss=True)
        for step in steps:
            if not step.check():
                step.do(tell)
            journal.note(step.kind, "done", step.subject)
        kept.finish([*kept.before.files, *(path for one in steps if hasattr(one, "after") for path in one.after(kept))])
    except FirstlightError:
        return False
    journal.note("change", "end")
    return True


def _undone(kept: Kept, journal: Journal, tell: Reporter) -> None:
    journal.note("undo", "begin")
    undo_steps(planned_to_undo(kept.change, kept.ground), kept, journal, tell)
    journal.note("undo", "end")
    kept.forget()
