"""Undo the machine's last change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from ..errors import ConsentNeeded, NoError
from ..progress import Reporter
from ..steps.system import Ground
from ..steps.system.elevated import rollback_as_root
from ..steps.system.rollback import NOTHING, last, undoing
from ..words import Words
from .answer import Answer


class UndoQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """What the consent is asked for."""

    id: str
    reason: str
    commands: tuple[tuple[str, ...], ...]
    """Run as root."""
    files: tuple[str, ...]
    """Put back as they were."""


class SystemStepAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One step, taken back."""

    kind: str
    subject: str
    state: Literal["right", "done", "failed"]
    ms: float


class RollbackSystemAnswer(Answer, frozen=True, kw_only=True, tag="firstlight.rollback-system/1"):
    """Which change is undone."""

    change: str
    """Its number."""
    reason: str
    """Id of the finding that it mended, or `sync`."""
    steps: tuple[SystemStepAnswer, ...]
    left: tuple[str, ...]
    """Paths that are not as they were: changed by somebody else since, or in use."""
    earlier: int
    """How many changes before it can be undone too, one after the other."""


def rollback_system(
    reporter: Reporter, ask: Callable[[UndoQuestion], bool | None], *, consent: bool
) -> RollbackSystemAnswer:
    """Package set, versions and files of before. Raises NoError where there is nothing to undo, ConsentNeeded without
    consent, with what would be done."""
    question = asked()
    if not (consent or ask(question)):
        raise ConsentNeeded(
            Words(f"change {question.id} ({question.reason}) was not undone: there was no consent",
                  f"更改 {question.id}（{question.reason}）没有撤销：未获同意"),
            why=_would(question),
            next=Words("to consent: `firstlight rollback --system --yes`",
                       "如同意：`firstlight rollback --system --yes`"),
        )  # fmt: skip
    done = rollback_as_root(reporter)
    steps = tuple(
        SystemStepAnswer(kind=one.kind, subject=one.subject, state=one.state, ms=one.ms) for one in done.steps
    )
    return RollbackSystemAnswer(change=done.id, reason=done.reason, steps=steps, left=done.left, earlier=done.earlier)


def asked() -> UndoQuestion:
    """What would be done. Raises NoError where there is nothing to undo."""
    ground = Ground()
    id = last(ground)
    if id is None:
        raise NoError(NOTHING.what, why=NOTHING.why)
    told = undoing(ground, id)
    return UndoQuestion(id=id, reason=told.reason, commands=told.commands, files=told.files)


def _would(question: UndoQuestion) -> Words:
    from ..host.command import pasteable

    said = "; ".join([*(pasteable(("sudo", *argv)) for argv in question.commands), *question.files[:20]])
    return Words(f"it would run, or put back: {said}", f"将运行或恢复：{said}")
