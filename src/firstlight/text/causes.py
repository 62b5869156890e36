"""The catalogue, and one cause of it."""

from __future__ import annotations

from ..verbs.causes import CauseEntry, CausesAnswer
from ..words import Lang, Words
from .doctor import SEVERITY
from .layout import BLANK, Line, Span, line, table

_FAMILY = Words("family", "类别")
_VENDOR = Words("hardware", "硬件")
_SEVERE = Words("severity", "严重程度")
_FIX = Words("remedy", "修复")
_FOLLOWS = Words("may follow from", "可能源于")
_KNOWN = Words("known", "已知问题")
_ONE = Words("`firstlight causes show ID` tells more about one.", "`firstlight causes show ID` 给出某个原因的详情。")


def lines(answer: CausesAnswer, lang: Lang) -> list[Line]:
    """All in short; one in full."""
    if len(answer.causes) == 1:
        return _full(answer.causes[0], lang)
    rows = [told for cause in answer.causes for told in (line(Span(cause.id, "strong")), line(cause.means, indent=2))]
    return [*rows, BLANK, line(_ONE.say(lang))]


def _full(cause: CauseEntry, lang: Lang) -> list[Line]:
    rows: list[tuple[str, str]] = [
        (_FAMILY.say(lang), cause.family),
        (_VENDOR.say(lang), "AMD, NVIDIA" if cause.vendor == "both" else {"amd": "AMD"}.get(cause.vendor, "NVIDIA")),
        (_SEVERE.say(lang), SEVERITY[cause.severity][0].say(lang)),
        (_FIX.say(lang), cause.text),
    ]
    if cause.follows:
        rows.append((_FOLLOWS.say(lang), ", ".join(cause.follows)))
    rows += [(_KNOWN.say(lang), known.url) for known in cause.known]
    return [line(Span(cause.id, "strong")), line(cause.means), line(cause.effect), BLANK, *table(rows, indent=2)]
