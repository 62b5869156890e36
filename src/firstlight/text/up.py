"""How far the way led, and the next command."""

from __future__ import annotations

from ..verbs.up import UpAnswer
from ..words import Lang, Words
from . import doctor, plan, sync, verify
from .layout import BLANK, Line, Span, command, line

_NEXT = Words("Run your own script with it:", "用它运行你自己的脚本：")
_DOCTOR = Words("doctor", "诊断")
_PLAN = Words("plan", "规划")
_SYNC = Words("sync", "同步")
_VERIFY = Words("verify", "验证")


def lines(answer: UpAnswer, lang: Lang, *, verbose: bool = False) -> list[Line]:
    """One block a stage, in the words of its own verb."""
    rows = [*_head(_DOCTOR, lang), *doctor.lines(answer.doctor, lang, verbose=verbose)]
    if answer.plan:
        # once the way led on, which route was taken is enough
        short = answer.sync is not None and not verbose
        told = plan.conclusion(answer.plan, lang) if short else plan.lines(answer.plan, lang, verbose=verbose)
        rows += [BLANK, *_head(_PLAN, lang), *told]
    if answer.sync:
        rows += [BLANK, *_head(_SYNC, lang), *sync.lines(answer.sync, lang)]
    if answer.verify:
        rows += [BLANK, *_head(_VERIFY, lang), *verify.lines(answer.verify, lang, verbose=verbose)]
    if answer.why:
        rows += [BLANK, line(Span(answer.why, "strong"))]
    if answer.verify and not answer.exit_code:
        rows += [BLANK, line(_NEXT.say(lang)), command(f"{answer.verify.python} train.py", indent=2)]
    return rows


def _head(word: Words, lang: Lang) -> list[Line]:
    return [line(Span(f"== {word.say(lang)} ==", "dim"))]
