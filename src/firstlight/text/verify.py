"""The ladder: one line a rung."""

from __future__ import annotations

from collections.abc import Mapping

from ..checks.model import RungVerdict
from ..checks.titles import REASONS
from ..verbs.verify import RungAnswer, VerifyAnswer
from ..words import Lang, Words
from .layout import BLANK, Line, Span, Style, line, table
from .units import size, span

_VERDICT: dict[RungVerdict, tuple[Words, Style]] = {
    "pass": (Words("pass", "通过"), "good"),
    "fail": (Words("FAIL", "失败"), "bad"),
    "skip": (Words("skip", "跳过"), "dim"),
    "unknown": (Words("unknown", "未知"), "warn"),
}
_PASSED = Words(
    "All {count} rungs that apply passed on the {backend} backend.", "{backend} 后端上适用的 {count} 级检查全部通过。"
)
_FAILED = Words(
    "`{rung}` is the first rung that fails; those that need it were left out.",
    "`{rung}` 是第一级失败的检查；依赖它的检查已跳过。",
)
_UNSURE = Words("No rung failed, but some could not be judged.", "没有检查失败，但有些无法判断。")
_UNTOLD = ("_rule", "path", "python", "wanted", "seconds", "backend_version")
"""Endings of evidence that only `-v` tells."""
_SHOWN = 3


def lines(answer: VerifyAnswer, lang: Lang, *, verbose: bool = False) -> list[Line]:
    """Each rung, and the conclusion."""
    rows = table([_row(rung, lang, verbose=verbose) for rung in answer.rungs])
    for rung in answer.rungs:
        if rung.verdict == "fail" and rung.text:
            rows += [BLANK, line(Span(rung.id, "strong"))]
            rows += [line(said, indent=2) for said in rung.text.splitlines()[-12:]]
    return [*rows, BLANK, conclusion(answer, lang)]


def conclusion(answer: VerifyAnswer, lang: Lang) -> Line:
    """The ladder in one sentence."""
    if answer.first_failure:
        return line(Span(_FAILED.say(lang, rung=answer.first_failure), "bad"))
    if answer.exit_code:
        return line(Span(_UNSURE.say(lang), "warn"))
    passed = sum(rung.verdict == "pass" for rung in answer.rungs)
    return line(Span(_PASSED.say(lang, count=passed, backend=answer.backend), "good"))


def _row(rung: RungAnswer, lang: Lang, *, verbose: bool) -> tuple[Span | str, ...]:
    word, style = _VERDICT[rung.verdict]
    told = [REASONS[rung.reason].say(lang) if rung.reason in REASONS else rung.reason] if rung.reason else []
    if rung.verdict != "skip" or verbose:
        told += _told(rung.evidence, verbose=verbose)
    time = span(rung.ms) if rung.verdict in ("pass", "fail") else ""
    return Span(word.say(lang), style), Span(rung.id, "strong"), time, Span("; ".join(told), "dim")


def _told(evidence: Mapping[str, object], *, verbose: bool) -> list[str]:
    """Its plain values as `name value`; but with `verbose` only a few."""
    plain = {name: value for name, value in evidence.items() if isinstance(value, (str, int, float))}
    if not verbose:
        plain = {name: value for name, value in plain.items() if not name.endswith(_UNTOLD)}
    told = [f"{name} {_short(name, value)}" for name, value in plain.items()]
    return told if verbose else told[:_SHOWN]


def _short(name: str, value: str | float) -> str:
    if name.endswith("_bytes") and isinstance(value, int):
        return size(value)
    return f"{value:.4g}" if isinstance(value, float) else str(value)
