"""What a text means: the root cause, the lines that prove it, what to do."""

from __future__ import annotations

from ..verbs.explain import ExplainAnswer, ExplainedAnswer
from ..words import Lang, Words
from .layout import BLANK, Line, Span, line

_UNKNOWN = Words(
    "Nothing known is in this text ({count} lines read). That is no proof that all is well.",
    "这段文本中没有已知的问题（已读 {count} 行）。这并不证明一切正常。",
)
_EMPTY = Words("There was nothing to read.", "没有可读的内容。")
_UNDECIDED = Words("It cannot be told from this text alone; it may be: {ids}.", "仅凭这段文本无法判断；可能是：{ids}。")
_MORE = Words(
    "More of the log helps: its beginning, the command, `dmesg`, `rocminfo` or `nvidia-smi`, the versions.",
    "请提供更多日志：开头部分、命令、`dmesg`、`rocminfo` 或 `nvidia-smi`、版本号。",
)
_SURE: tuple[tuple[float, Words], ...] = (
    (0.9, Words("almost certainly", "几乎可以确定")),
    (0.75, Words("very likely", "很可能")),
    (0.0, Words("likely", "可能")),
)
_LINE = Words("line {number}", "第 {number} 行")
_HERE = Words("this machine", "本机")
_DO = Words("what to do", "建议操作")
_KNOWN = Words("known", "已知问题")
_ALSO = Words("Less likely, or besides:", "可能性较小，或同时存在：")
_FOLLOWS = Words("a consequence", "由此引起")


def lines(answer: ExplainAnswer, lang: Lang, *, verbose: bool = False) -> list[Line]:
    """The whole answer: the first cause with its consequences in full, others in short unless `verbose`."""
    if not answer.causes:
        return _nothing(answer, lang)
    first, *others = answer.causes
    rows = _cause(first, lang, 0)
    below = [one for one in others if one.follows is not None]
    besides = [one for one in others if one.follows is None]
    for one in below:
        rows += [BLANK, line(Span(_FOLLOWS.say(lang), "dim"), indent=2), *_cause(one, lang, 4)]
    if besides:
        rows += [BLANK, line(Span(_ALSO.say(lang), "strong"))]
    for one in besides:
        rows += _cause(one, lang, 2) if verbose else [line(Span(one.id, "strong"), _colon(lang), one.means, indent=2)]
    return rows


def sure(confidence: float, lang: Lang) -> str:
    """A confidence in words and per cent."""
    word = next(words for least, words in _SURE if confidence >= least)
    return f"{word.say(lang)} ({confidence:.0%})"


def _nothing(answer: ExplainAnswer, lang: Lang) -> list[Line]:
    if answer.undecided:
        ids = ", ".join(answer.undecided)
        return [line(_UNDECIDED.say(lang, ids=ids)), line(Span(_MORE.say(lang), "dim"))]
    if not answer.read.bytes:
        return [line(_EMPTY.say(lang))]
    return [line(_UNKNOWN.say(lang, count=answer.read.lines)), line(Span(_MORE.say(lang), "dim"))]


def _cause(one: ExplainedAnswer, lang: Lang, indent: int) -> list[Line]:
    rows = [
        line(Span(sure(one.confidence, lang), "warn"), _colon(lang), Span(one.means, "strong"), indent=indent, hang=2),
        line(Span(f"({one.id})", "dim"), indent=indent + 2),
    ]
    for proof in one.evidence:
        where = _LINE.say(lang, number=proof.line) if proof.line else _HERE.say(lang)
        rows.append(line(Span(where + _colon(lang), "dim"), proof.text, indent=indent + 2, hang=2))
    rows.append(line(Span(_DO.say(lang) + _colon(lang).rstrip(), "strong"), indent=indent + 2))
    rows += [line(f"- {remedy.why}", indent=indent + 4, hang=2) for remedy in one.remedy]
    rows += [
        line(Span(_KNOWN.say(lang) + _colon(lang), "dim"), known.url, indent=indent + 2, hang=2) for known in one.known
    ]
    return rows


def _colon(lang: Lang) -> str:
    return "：" if lang == "zh" else ": "
