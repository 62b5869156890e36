"""An error in its three parts."""

from __future__ import annotations

from ..verbs.error import ErrorAnswer
from ..words import Lang, Words
from .layout import Line, Span, line

_NEXT = Words("next: ", "下一步：")


def lines(answer: ErrorAnswer, lang: Lang) -> list[Line]:
    """What is so; why it matters; what to do."""
    rows = [line(Span("firstlight: ", "bad"), answer.what, hang=2)]
    if answer.why:
        rows.append(line(answer.why, indent=2))
    if answer.next:
        rows.append(line(Span(_NEXT.say(lang), "strong"), answer.next, indent=2, hang=2))
    return rows
