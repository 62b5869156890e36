"""What stands in the way, root causes first, with what to paste."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from ..causes.model import Known, Severity
from ..verbs.doctor import DoctorAnswer, FindingAnswer, RemedyAnswer
from ..words import Lang, Words
from .layout import BLANK, Line, Span, Style, command, line

_CLEAN = Words(
    "Nothing stands in the way on this machine ({count} causes judged).",
    "这台机器上没有任何阻碍（已判断 {count} 个原因）。",
)
_NOT_BLOCKED = Words(
    "Nothing blocks this machine ({count} causes judged); worth knowing:",
    "没有发现阻碍（已判断 {count} 个原因）；值得留意：",
)
_UNSURE = Words(
    "Nothing was found to block this machine, but the recording does not hold enough to be sure.",
    "没有发现阻碍，但录制内容不足以下定论。",
)
_BLOCKED_ONE = Words("One thing stands in the way:", "有一处阻碍：")
_BLOCKED_MANY = Words("{count} things stand in the way:", "有 {count} 处阻碍：")
SEVERITY: dict[Severity, tuple[Words, Style]] = {
    "blocking": (Words("blocking", "阻碍"), "bad"),
    "degrading": (Words("degrading", "影响性能"), "warn"),
    "advice": (Words("advice", "建议"), "plain"),
}
_EVIDENCE = Words("evidence", "依据")
_DO = Words("what to do", "建议操作")
_KNOWN = Words("known", "已知问题")
_SINCE = Words(" (since {first_seen})", "（始于 {first_seen}）")
_FIXED = Words(" (fixed in {fixed_in})", "（{fixed_in} 已修复）")
_SINCE_FIXED = Words(" (since {first_seen}, fixed in {fixed_in})", "（始于 {first_seen}，{fixed_in} 已修复）")
_FOLLOWS = Words("a consequence", "由此引起")
_UNJUDGED_ONE = Words(
    "One cause could not be judged here; `firstlight doctor -v` names it and what it needs.",
    "有 1 个原因在这里无法判断；`firstlight doctor -v` 会列出它及其所需信息。",
)
_UNJUDGED_MANY = Words(
    "{count} causes could not be judged here; `firstlight doctor -v` names them and what they need.",
    "有 {count} 个原因在这里无法判断；`firstlight doctor -v` 会列出它们及其所需信息。",
)
_UNJUDGED_HEAD = Words("Could not be judged here, as this could not be read:", "以下原因无法判断，因为缺少这些信息：")


def lines(answer: DoctorAnswer, lang: Lang, *, verbose: bool = False) -> list[Line]:
    """The whole answer."""
    rows = [_headline(answer, lang)]
    shown = {finding.id for finding in answer.found}
    for finding in answer.found:
        if finding.follows not in shown:
            rows += [BLANK, *_tree(finding, answer.found, lang, 0, frozenset())]
    # where that decides the answer, what is missing is named unasked
    return [*rows, *_unjudged(answer.unjudged, lang, verbose=verbose or answer.exit_code == 3)]


def _headline(answer: DoctorAnswer, lang: Lang) -> Line:
    judged = sum(finding.verdict != "unknown" for finding in answer.findings)
    roots = {finding.id for finding in answer.found}
    blocking = [one for one in answer.found if one.severity == "blocking" and one.follows not in roots]
    if len(blocking) == 1:
        return line(Span(_BLOCKED_ONE.say(lang), "strong"))
    if answer.blocks:
        return line(Span(_BLOCKED_MANY.say(lang, count=max(len(blocking), 1)), "strong"))
    if answer.exit_code == 3:
        return line(_UNSURE.say(lang))
    return line((_NOT_BLOCKED if answer.found else _CLEAN).say(lang, count=judged))


def _tree(
    finding: FindingAnswer, found: Sequence[FindingAnswer], lang: Lang, indent: int, above: frozenset[str]
) -> list[Line]:
    """One finding, and under it those that follow from it."""
    rows = _finding(finding, lang, indent)
    for other in found:
        if other.follows == finding.id and other.id not in above:
            rows += [BLANK, line(Span(_FOLLOWS.say(lang), "dim"), indent=indent + 2)]
            rows += _tree(other, found, lang, indent + 4, above | {finding.id})
    return rows


def _finding(finding: FindingAnswer, lang: Lang, indent: int) -> list[Line]:
    word, style = SEVERITY[finding.severity]
    colon = "：" if lang == "zh" else ": "
    rows = [
        line(Span(word.say(lang), style), colon, Span(finding.title, "strong"), indent=indent, hang=2),
        line(finding.effect, indent=indent + 2),
        line(Span(f"({finding.id})", "dim"), indent=indent + 2),
    ]
    rows += [
        line(
            Span(f"{_EVIDENCE.say(lang)}{colon}", "dim"),
            _proof(one.fact, one.value, one.source),
            indent=indent + 2,
            hang=2,
        )
        for one in finding.evidence
    ]
    if finding.remedy:
        rows.append(line(Span(_DO.say(lang) + colon.rstrip(), "strong"), indent=indent + 2))
    for remedy in finding.remedy:
        rows += _remedy(remedy, indent + 4)
    return rows + [_report(known, lang, indent + 2) for known in finding.known]


def _proof(fact: str, value: str, source: str) -> str:
    return f"{fact} = {value}" + (f"  [{source}]" if source else "")


def _remedy(remedy: RemedyAnswer, indent: int) -> list[Line]:
    why = line(f"- {remedy.why}", indent=indent, hang=2)
    if not remedy.argv:
        return [why]
    argv = ("sudo", *remedy.argv) if remedy.root else remedy.argv
    return [why, command(shlex.join(argv), indent + 2)]


def _report(known: Known, lang: Lang, indent: int) -> Line:
    if known.first_seen and known.fixed_in:
        when = _SINCE_FIXED
    else:
        when = _SINCE if known.first_seen else _FIXED if known.fixed_in else Words("", "")
    told = when.say(lang, first_seen=known.first_seen, fixed_in=known.fixed_in)
    colon = "：" if lang == "zh" else ": "
    return line(Span(f"{_KNOWN.say(lang)}{colon}", "dim"), known.url + told, indent=indent, hang=2)


def _unjudged(findings: Sequence[FindingAnswer], lang: Lang, *, verbose: bool) -> list[Line]:
    if not findings:
        return []
    if verbose:
        named = [line(one.id, ": ", Span(", ".join(one.needs), "dim"), indent=2, hang=2) for one in findings]
        return [BLANK, line(_UNJUDGED_HEAD.say(lang)), *named]
    text = _UNJUDGED_ONE.say(lang) if len(findings) == 1 else _UNJUDGED_MANY.say(lang, count=len(findings))
    return [BLANK, line(Span(text, "dim"))]
