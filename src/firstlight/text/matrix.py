"""Releases of vendors by releases of distributions, as one table."""

from __future__ import annotations

from collections.abc import Iterator

from ..routes.system.matrix import State, Told
from ..verbs.matrix import MatrixAnswer, MatrixCell
from ..words import Lang, Words
from .layout import BLANK, Line, Span, Style, line, table
from .route_words import colon

_STATE: dict[State, tuple[Words, Style]] = {
    "works": (Words("works", "可行"), "good"),
    "harmful": (Words("harmful", "有害"), "bad"),
    "blocked": (Words("blocked", "不可用"), "bad"),
    "served": (Words("served", "提供"), "plain"),
    "not-served": (Words("not served", "不提供"), "warn"),
    "unknown": (Words("?", "？"), "dim"),
}
_MARK: dict[Told, str] = {"read": "*", "known": "", "unknown": ""}
_LEGEND = (
    Words("* judged here, with the indices themselves", "* 已用索引本身在此评估"),
    Words(
        "served: its maker publishes packages for that release; not judged here",
        "提供：厂商为该版本发布软件包；此处未评估",
    ),
    Words("?: nothing that we know says", "？：没有已知来源说明"),
    Words(
        "One release judged: `firstlight plan --release NAME`",
        "评估某一版本：`firstlight plan --release 名称`",
    ),
)
_HEAD = Words("packages", "软件包")
_WHERE = Words("Where it is known from", "依据")
_OF = Words("For {architecture}", "架构 {architecture}")


def lines(answer: MatrixAnswer, lang: Lang, *, verbose: bool = False) -> list[Line]:
    """The table and what its words mean; `verbose`: where each cell is known from."""
    heads = [_HEAD.say(lang), *(f"{one.id} {one.version or one.codename}" for one in answer.columns)]
    rows: list[list[str | Span]] = [[Span(head, "dim") for head in heads]]
    for row in answer.rows:
        cells = [one for one in answer.cells if one.row == row.name]
        rows.append([Span(row.name, "strong"), *(_cell(one, lang) for one in cells)])
    told = [line(_OF.say(lang, architecture=answer.architecture)), BLANK, *table(rows), BLANK]
    told += [line(Span(one.say(lang), "dim"), hang=2) for one in _LEGEND]
    return [*told, *_sources(answer, lang)] if verbose else told


def _cell(cell: MatrixCell, lang: Lang) -> Span:
    word, style = _STATE[cell.state]
    return Span(word.say(lang) + _MARK[cell.told], style)


def _sources(answer: MatrixAnswer, lang: Lang) -> Iterator[Line]:
    yield BLANK
    yield line(Span(_WHERE.say(lang), "strong"))
    for cell in answer.cells:
        if cell.told == "unknown":
            continue
        told = " ".join(part for part in (cell.text, f"[{cell.source}]" if cell.source else "") if part)
        yield line(f"{cell.row}, {cell.column}", colon(lang), told, indent=2, hang=2)
