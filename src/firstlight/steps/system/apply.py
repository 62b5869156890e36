"""Make a system change, so that it is there wholly or not at all, whenever the program is killed."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from ...errors import FirstlightError, NoError
from ...host.command import pasteable
from ...progress import Reporter, Silent
from ...words import Words, same
from ..model import StepResult
from .alone import alone
from .ground import Ground
from .journal import Journal, standings
from .kept import Keeper, Kept, number, prune
from .model import Applied, SystemChange
from .planning import CONSEQUENCES, planned
from .step import Step
from .undoing import undo_steps
from .unfinished import settle

KEY = "system"
_TAKEN_BACK = Words("what had been changed was taken back", "已改动的内容已撤销")


def apply_system(
    change: SystemChange, *, ground: Ground | None = None, reporter: Reporter | None = None, accept_loss: bool = False
) -> Applied:
    """Take the steps, under a journal in /var/lib/firstlight. An earlier change that was cut off is finished, or taken
    back, first. `accept_loss`: also where a package's present version could not be brought back. Raises ConsentNeeded
    without root; FirstlightError where a step fails, and then everything is as it was before."""
    ground, tell = ground or Ground(), reporter or Silent()
    with alone(ground, tell):
        settled = settle(ground, tell)
        prune(ground, standings(ground))
        steps = planned(change, ground, accept_loss=accept_loss)
        if not to_do(steps):
            return Applied(id=None, steps=tuple(_right(one) for one in steps), settled=settled)
        kept = _prepared(ground, change, steps)
        journal = Journal(ground, kept.id)
        journal.trim()
        journal.note("change", "begin", change.reason)
        results = take(steps, kept, journal, tell)
    return Applied(id=kept.id, steps=results, settled=settled)


def to_do(steps: Sequence[Step]) -> list[Step]:
    """Those that are not right yet. Consequences alone are something to do, after steps that are right they are not."""
    primary = [one for one in steps if one.kind not in CONSEQUENCES]
    wrong = [one for one in primary if not one.check()]
    return list(steps) if wrong or not primary else []


def _prepared(ground: Ground, change: SystemChange, steps: Iterable[Step]) -> Kept:
    """All that undoing will need, on the disk before anything begins."""
    keeper = Keeper(ground, number(ground), change)
    try:
        for step in steps:
            step.prepare(keeper)
        return keeper.commit()
    except BaseException:
        keeper.drop()
        raise


def take(steps: Sequence[Step], kept: Kept, journal: Journal, tell: Reporter) -> tuple[StepResult, ...]:
    """Every step that is not right; if one fails, all are taken back. Raises FirstlightError."""
    results: list[StepResult] = []
    try:
        results.extend(_one(step, journal, tell) for step in steps)
        kept.finish([*kept.before.files, *_after(steps, kept)])
    except (FirstlightError, KeyboardInterrupt) as error:
        _back(error, steps, kept, journal, tell)
        if isinstance(error, FirstlightError):
            error.next = error.next or _TAKEN_BACK
        raise
    journal.note("change", "end")
    return tuple(results)


def _back(error: BaseException, steps: Sequence[Step], kept: Kept, journal: Journal, tell: Reporter) -> None:
    tell.begin(KEY, Words("taking back what had been changed", "正在撤销已改动的内容"))
    journal.note("undo", "begin")
    try:
        undo_steps(steps, kept, journal, tell)
    except FirstlightError as worse:
        raise _stuck(error, worse) from error
    journal.note("undo", "end")
    kept.forget()
    tell.end(KEY, _TAKEN_BACK, ok=True)


def _stuck(error: BaseException, worse: FirstlightError) -> NoError:
    """Both have to be known."""
    first = error.what if isinstance(error, FirstlightError) else same(type(error).__name__)
    return NoError(
        Words(f"{first.en}; and it could not be taken back: {worse.what.en}",
              f"{first.zh}；而且无法撤销：{worse.what.zh}"),
        why=worse.why,
        next=Words("mend that; `firstlight rollback --system` then carries on with the undoing",
                   "请先解决上述问题；之后 `firstlight rollback --system` 会继续撤销"),
    )  # fmt: skip


def _after(steps: Iterable[Step], kept: Kept) -> list[str]:
    return [path for step in steps if hasattr(step, "after") for path in step.after(kept)]


def _one(step: Step, journal: Journal, tell: Reporter) -> StepResult:
    began = time.perf_counter()
    if step.check():
        return _right(step)
    key = f"{KEY}:{step.kind}:{step.subject}"
    tell.begin(key, doing(step))
    journal.note(step.kind, "begin", step.subject)
    try:
        step.do(tell)
    except FirstlightError as error:
        tell.end(key, error.what, ok=False)
        raise
    journal.note(step.kind, "done", step.subject)
    tell.end(key, doing(step), ok=True)
    return StepResult(
        kind=step.kind, subject=step.subject, state="done", ms=round((time.perf_counter() - began) * 1000, 3)
    )


def _right(step: Step) -> StepResult:
    return StepResult(kind=step.kind, subject=step.subject, state="right", ms=0.0)


def doing(step: Step) -> Words:
    """What a step is about, for people."""
    commands = step.commands()
    if step.kind in ("packages", "refresh-lists", "initramfs", "boot-menu") and commands:
        texts = {
            "packages": Words("changing packages: {}", "更改软件包：{}"),
            "refresh-lists": Words("asking the sources what they offer: {}", "查询软件源：{}"),
            "initramfs": Words("making the initramfs anew: {}", "重新生成 initramfs：{}"),
            "boot-menu": Words("making the boot menu anew: {}", "重新生成启动菜单：{}"),
        }[step.kind]
        return Words(texts.en.format(step.subject), texts.zh.format(step.subject))
    if commands and len(commands[0]) < 8 and commands[0][0] != "python3":
        return same(pasteable(commands[0]))
    return Words(f"writing {step.subject}", f"写入 {step.subject}")
