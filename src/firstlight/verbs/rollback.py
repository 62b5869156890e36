"""Undo the project's last sync."""

from __future__ import annotations

import msgspec

from ..progress import Reporter
from ..project.settings import Flags
from ..steps.places import env_python
from ..steps.rollback import rollback as undo
from .answer import Answer
from .place import wanted


class RollbackRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Which project."""

    project: str | None = None


class ChangeAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One distribution that is of another version now; null: it is not there."""

    name: str
    before: str | None
    after: str | None


class RollbackAnswer(Answer, frozen=True, kw_only=True, tag="firstlight.rollback/1"):
    """From which environment to which. `to` and `python` are null where there was none before the first sync."""

    left: str = msgspec.field(name="from")
    to: str | None
    python: str | None
    changes: tuple[ChangeAnswer, ...]


def rollback(request: RollbackRequest, reporter: Reporter) -> RollbackAnswer:
    """Swap in what was in use before the last sync. Raises NoError where there is nothing to go back to, or where it
    was damaged since."""
    project = wanted(request.project, Flags())
    done = undo(project.root, reporter=reporter)
    return RollbackAnswer(
        left=done.left,
        to=done.now,
        python=env_python(project) if done.now is not None else None,
        changes=tuple(ChangeAnswer(name=one.name, before=one.before, after=one.after) for one in done.changed),
    )
