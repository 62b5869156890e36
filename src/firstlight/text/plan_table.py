"""The routes as one table that fits the terminal; where it cannot, as a few lines for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ..verbs.plan import RouteAnswer
from ..words import Lang, Words
from .layout import Line, Span, cells, line, table
from .route_words import TIER, colon, comma, verdict
from .units import short

LEAST = 24
"""Cells that a reason needs to be read beside its route."""

LEADING = ("wanted", "needs")
"""Kinds of links that lead to the reason."""

_LEFT = (Words("verdict", "结论"), Words("route", "路线"), Words("tier", "维护方"))
_WHY = Words("why", "原因")
_HARM = Words("harm", "危害")
_REFUSED = Words("policy production does not take tier {tier}", "production 策略不接受维护方“{tier}”")


class Column(NamedTuple):
    """What is known of a route that can be taken."""

    head: Words
    cell: Callable[[RouteAnswer, Lang], str]
    right: bool = False
    """Numbers end at one edge."""


_PYTHON = Column(Words("Python", "Python"), lambda route, _: route.python or "-")
_NUMBERS = (
    Column(Words("fetch", "下载"), lambda route, _: _size(route.download_bytes), right=True),
    Column(Words("disk", "磁盘"), lambda route, _: _size(route.disk_bytes), right=True),
    Column(Words("min", "分钟"), lambda route, _: _minutes(route.minutes), right=True),
    Column(Words("age", "已发布"), lambda route, lang: _days(route.age_days, lang), right=True),
)
_BUILDS: dict[str, tuple[str, ...]] = {
    "torch": ("torch",),
    "vision": ("torchvision",),
    "audio": ("torchaudio",),
    "triton": ("triton", "triton-rocm", "pytorch-triton-rocm", "pytorch-triton"),
}
"""Head of a column -> names under which that package is published."""


def drawn(routes: Sequence[RouteAnswer], lang: Lang, width: int, *, whole: bool) -> tuple[list[Line], str | None]:
    """(one table of `width` cells, the Python of all that can be taken where there was no room to say it in each row).
    Those that can be taken have numbers, the others the first reason against them: its first clause, or if `whole`
    all of it where it stands first."""
    reasons = _reasons(routes, lang, whole=whole)
    taken = [route for route in routes if open_(route)]
    for columns in _choices(taken):
        lines = _table(routes, columns, reasons, lang)
        if all(_needs(row, route) <= width for row, route in zip(lines, (None, *routes), strict=True)):
            rows = [
                each for row, route in zip(lines[1:], routes, strict=True) for each in (row, *_under(route, lang, 2))
            ]
            pythons = [route.python for route in taken if route.part is None]
            return [lines[0], *rows], pythons[0] if pythons and _PYTHON not in columns else None
    return [row for route, why in zip(routes, reasons, strict=True) for row in _record(route, why, lang)], None


def open_(route: RouteAnswer) -> bool:
    """Whether it can be taken, be it with harm."""
    return route.verdict in ("works", "harmful")


def _reasons(routes: Sequence[RouteAnswer], lang: Lang, *, whole: bool) -> list[str]:
    """The first reason against each, below what was wanted and what that needs. Its first clause says what, the rest
    what to do: enough to say once."""
    texts = [next((link.text for link in route.because if link.kind not in LEADING), "-") for route in routes]
    short = [text.split("；" if lang == "zh" else "; ")[0] for text in texts]
    for at, route in enumerate(routes):  # of a chain the fact itself has its parts
        short[at] = texts[at] if route.part is not None and route.verdict == "blocked" else short[at]
    return [texts[at] if whole and texts[at] not in texts[:at] else short[at] for at in range(len(texts))]


def _choices(routes: Sequence[RouteAnswer]) -> Iterator[tuple[Column, ...]]:
    """From all that may be told to the least: triton goes first, then a Python that all have, then the local parts of
    versions, which the names of routes mostly tell, then the packages beside torch."""
    routes = [route for route in routes if route.part is None]  # what is for no Python has no columns of its own
    if not routes:
        yield _NUMBERS
        return
    some = [head for head in _BUILDS if _most(routes, head)]
    alike = len({route.python for route in routes}) == 1
    python = () if alike else (_PYTHON,)
    core = [head for head in some if head != "triton"]
    yield (*_builds(some), _PYTHON, *_NUMBERS)
    yield (*_builds(core), _PYTHON, *_NUMBERS)
    yield (*_builds(core), *python, *_NUMBERS)
    yield (*_builds(core, bare=True), *python, *_NUMBERS)
    yield (*_builds(core[:2], bare=True), *python, *_NUMBERS)
    yield (*_builds(core[:1], bare=True), *python, *_NUMBERS)


def _most(routes: Sequence[RouteAnswer], head: str) -> bool:
    """Else the column would be mostly empty."""
    having = [route for route in routes if any(name in route.versions for name in _BUILDS[head])]
    return head == "torch" or 2 * len(having) > len(routes)


def _builds(heads: Sequence[str], *, bare: bool = False) -> Iterator[Column]:
    for head in heads:
        yield Column(Words(head, head), lambda route, _, head=head: _version(route, _BUILDS[head], bare=bare))  # type: ignore[misc]


def _version(route: RouteAnswer, names: Sequence[str], *, bare: bool) -> str:
    found = next((route.versions[name] for name in names if name in route.versions), "-")
    return found.partition("+")[0] if bare else found


def _size(count: int | None) -> str:
    return "-" if count is None else short(count)


def _minutes(minutes: float | None) -> str:
    return "-" if minutes is None else f"{minutes:.1f}" if minutes < 9.95 else f"{minutes:.0f}"


def _days(days: int | None, lang: Lang) -> str:
    return "-" if days is None else f"{days} 天" if lang == "zh" else f"{days} d"


def _table(routes: Sequence[RouteAnswer], columns: Sequence[Column], reasons: Sequence[str], lang: Lang) -> list[Line]:
    taken = [route for route in routes if open_(route)]
    numbers = [_justified(column, taken, lang) for column in columns] if taken else [[_WHY.say(lang)]]
    heads = (*(head.say(lang) for head in _LEFT), *(column[0] for column in numbers))
    known = iter(list(zip(*(column[1:] for column in numbers), strict=True)))
    rows = [
        (*_start(route, lang), *(next(known) if open_(route) else (why,)))
        for route, why in zip(routes, reasons, strict=True)
    ]
    return table([[Span(head, "dim") for head in heads], *rows])


def _justified(column: Column, routes: Sequence[RouteAnswer], lang: Lang) -> list[str]:
    texts = [column.head.say(lang), *(column.cell(route, lang) for route in routes)]
    wide = max(map(cells, texts))
    return [" " * (wide - cells(text)) + text if column.right else text for text in texts]


def _start(route: RouteAnswer, lang: Lang) -> tuple[Span, ...]:
    return verdict(route.verdict, lang), Span(route.name, "strong"), Span(TIER[route.tier].say(lang))


def _needs(row: Line, route: RouteAnswer | None) -> int:
    """Cells without which the row cannot be read: a reason may be broken, numbers may not."""
    whole = sum(cells(span.text) for span in row.spans)
    return whole if route is None or open_(route) else min(whole, row.hang + LEAST)


def _under(route: RouteAnswer, lang: Lang, indent: int) -> Iterator[Line]:
    """What has to be known of a route before its numbers count."""
    for harm in route.harm:
        yield line(Span(_HARM.say(lang), "bad"), colon(lang), harm.what, colon(lang), harm.why, indent=indent, hang=2)
    if open_(route) and route.left_out == "policy":
        yield line(Span(_REFUSED.say(lang, tier=TIER[route.tier].say(lang)), "warn"), indent=indent, hang=2)


def _record(route: RouteAnswer, why: str, lang: Lang) -> Iterator[Line]:
    """The same on a narrow terminal."""
    word, name, tier = _start(route, lang)
    yield line(word, "  ", name, "  ", tier, hang=2)
    if not open_(route):
        yield line(why, indent=2)
        return
    told = ((column.head.say(lang), column.cell(route, lang)) for column in next(_choices((route,))))
    yield line(comma(lang).join(f"{head} {cell}" for head, cell in told if cell != "-"), indent=2)
    yield from _under(route, lang, 2)
