"""Steps taken back in their order; it can be done again from the start."""

from __future__ import annotations

import time
from collections.abc import Iterable

from ...causes.changes import Packages
from ...progress import Reporter
from ..model import StepResult
from .journal import Journal
from .kept import Kept
from .step import Step


def undo_steps(steps: Iterable[Step], kept: Kept, journal: Journal, tell: Reporter) -> tuple[StepResult, ...]:
    """Every step, whether it was begun or not: undoing what was not done changes nothing. Raises FirstlightError."""
    kept.begin_undo()
    results = []
    last_first = list(steps)[::-1]
    for step in sorted(last_first, key=lambda one: one.back):
        began = time.perf_counter()
        step.undo(kept, tell)
        journal.note(step.kind, "undone", step.subject)
        took = round((time.perf_counter() - began) * 1000, 3)
        results.append(StepResult(kind=step.kind, subject=step.subject, state="done", ms=took))
    if not any(isinstance(part, Packages) for part in kept.change.parts):
        # also of parts that have no step any more
        kept.restore_all([path for path in kept.before.files if path not in (kept.others or ())])
    return tuple(results)
