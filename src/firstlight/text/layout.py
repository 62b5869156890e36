"""Lines of marked text, and breaking them to a width; wide (CJK) characters take two cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

Style = Literal["plain", "strong", "dim", "good", "bad", "warn", "command"]


class Span(NamedTuple):
    """A run of text with one mark. Marks only repeat what the words say: colour may be missing."""

    text: str
    style: Style = "plain"


class Line(NamedTuple):
    """One line before it is broken to a width."""

    spans: tuple[Span, ...]
    indent: int = 0
    """Cells before the text."""
    hang: int = 0
    """Further cells before each continuation."""
    wrap: bool = True
    """False for what is pasted: commands, scripts."""


BLANK = Line(())

# Closing signs stay with what is before them (the first rule of Chinese line breaking, W3C clreq 3.1.6)
_CLOSING = frozenset("，。；：、！？）》」』”’%…")
_OPENING = frozenset("（《「『“‘")


def line(*parts: str | Span, indent: int = 0, hang: int = 0, wrap: bool = True) -> Line:
    """A line of plain strings and spans."""
    spans = tuple(part if isinstance(part, Span) else Span(part) for part in parts)
    return Line(spans, indent, hang, wrap)


def command(argv: str, indent: int = 0) -> Line:
    """A line to be pasted into a shell: never broken."""
    return Line((Span(argv, "command"),), indent, wrap=False)


def cells(text: str) -> int:
    """Columns that `text` takes on a terminal. Linear in its length."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)


def pad(text: str, width: int) -> str:
    """`text` with blanks up to `width` cells."""
    return text + " " * (width - cells(text))


def table(rows: Sequence[Sequence[str | Span]], *, indent: int = 0, gap: int = 2) -> list[Line]:
    """Columns as wide as their widest cell; the last one is broken under itself."""
    spans = [[cell if isinstance(cell, Span) else Span(cell) for cell in row] for row in rows]
    count = max((len(row) for row in spans), default=0)
    widths = [max((cells(row[i].text) for row in spans if len(row) > i + 1), default=0) for i in range(count)]
    return [_row(row, widths, indent, gap) for row in spans]


def _row(row: Sequence[Span], widths: Sequence[int], indent: int, gap: int) -> Line:
    padded = [Span(pad(cell.text, width + gap), cell.style) for cell, width in zip(row[:-1], widths, strict=False)]
    return Line((*padded, *row[-1:]), indent, hang=sum(widths[: len(row) - 1]) + gap * (len(row) - 1))


def broken(lines: Iterable[Line], width: int) -> Iterator[list[Span]]:
    """Each line as rows of at most `width` cells, blanks at the left included, none at the right.

    Breaks at blanks and between wide characters; a word longer than the room stays whole on a row of its own.
    """
    for item in lines:
        if not item.wrap:
            yield _stripped([Span(" " * item.indent), *item.spans])
        else:
            yield from _rows(item, width)


def _rows(item: Line, width: int) -> Iterator[list[Span]]:
    left = item.indent
    row: list[Span] = [Span(" " * left)]
    used = left
    for chunk in _chunks(item.spans):
        size = cells(chunk.text)
        if used + cells(chunk.text.rstrip(" ")) > width and used > left:
            yield _stripped(row)
            left = item.indent + item.hang
            row, used = [Span(" " * left)], left
            chunk = Span(chunk.text.lstrip(" "), chunk.style)  # noqa: PLW2901 - what is left of it
            size = cells(chunk.text)
        row.append(chunk)
        used += size
    yield _stripped(row)


def _chunks(spans: Iterable[Span]) -> Iterator[Span]:
    """Pieces between which a line may break: words with the blanks after them, single wide characters."""
    for span in spans:
        start = 0
        text = span.text
        for at in range(1, len(text)):
            if _may_break(text[at - 1], text[at]):
                yield Span(text[start:at], span.style)
                start = at
        if text:
            yield Span(text[start:], span.style)


def _may_break(before: str, after: str) -> bool:
    if before == " ":
        return after != " "
    if after in _CLOSING or after == " " or before in _OPENING:
        return False
    return _wide(before) or _wide(after)


def _wide(sign: str) -> bool:
    return not sign.isascii() and cells(sign) == 2


def _stripped(row: list[Span]) -> list[Span]:
    """The row without blanks at its right, neighbours of one mark joined."""
    joined: list[Span] = []
    for span in row:
        if joined and joined[-1].style == span.style:
            joined[-1] = Span(joined[-1].text + span.text, span.style)
        else:
            joined.append(span)
    while joined:
        last = joined.pop()
        if text := last.text.rstrip(" "):
            joined.append(Span(text, last.style))
            break
    return joined
