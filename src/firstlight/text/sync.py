"""The steps that made the environment match the lock."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from ..verbs.sync import StepAnswer, SyncAnswer
from ..words import Lang, Words
from . import route_words
from .layout import BLANK, Line, Span, Style, command, line, table
from .units import span

_STATE: dict[str, tuple[Words, Style]] = {
    "right": (Words("right", "已就绪"), "plain"),
    "done": (Words("done", "已完成"), "good"),
    "failed": (Words("FAILED", "失败"), "bad"),
    "todo": (Words("to do", "待执行"), "warn"),
}
_KIND: dict[str, Words] = {
    "place-wheel": Words("put a local wheel in place", "放置本地 wheel"),
    "make-environment": Words("make an empty environment", "创建空环境"),
    "install": Words("install what is locked, hashes checked", "安装锁定内容并校验哈希"),
    "activate": Words("swap it in", "切换为当前环境"),
}
_ALL_RIGHT = Words("The environment matches the lock; nothing had to be done.", "环境与锁文件一致，无需任何操作。")
_DONE = Words("The environment now matches the lock. Its Python:", "环境现已与锁文件一致。其 Python：")
_TODO = Words(
    "Nothing was changed; `firstlight sync` takes the steps marked `to do`.",
    "没有改动任何东西；`firstlight sync` 会执行标为“待执行”的步骤。",
)
_FROM = Words("From route {route}; {tier} answers for it.", "来自路线 {route}；维护方：{tier}。")


def lines(answer: SyncAnswer, lang: Lang) -> list[Line]:
    """One line a step, and the conclusion."""
    states = {step.state for step in answer.steps}
    rows = table([_row(list(steps), lang) for _, steps in groupby(answer.steps, key=_alike)])
    if "todo" in states:
        return [*rows, BLANK, *_origin(answer, lang), line(_TODO.say(lang))]
    if states <= {"right"}:
        return [line(_ALL_RIGHT.say(lang)), *_origin(answer, lang)]
    if answer.python is None:
        return rows
    return [*rows, BLANK, *_origin(answer, lang), line(_DONE.say(lang)), command(answer.python, indent=2)]


def _origin(answer: SyncAnswer, lang: Lang) -> list[Line]:
    """Which route the environment comes from, and who answers for it."""
    if answer.route is None or answer.tier is None:
        return []
    return [line(_FROM.say(lang, route=answer.route, tier=route_words.TIER[answer.tier].say(lang)))]


def _alike(step: StepAnswer) -> tuple[str, str]:
    return step.kind, step.state


def _row(steps: Sequence[StepAnswer], lang: Lang) -> tuple[Span | str, ...]:
    """One row for neighbours of one kind that ended alike."""
    first = steps[0]
    word, style = _STATE[first.state]
    kind = _KIND[first.kind].say(lang) if first.kind in _KIND else first.kind
    took = span(sum(step.ms for step in steps)) if first.state == "done" else ""
    subject = first.subject if len(steps) == 1 else f"x {len(steps)}"
    return Span(word.say(lang), style), kind, took, Span(subject, "dim")
