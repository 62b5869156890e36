"""Lines and documents onto streams. Colour only on a terminal; what hostile input brings cannot steer it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from io import TextIOWrapper
from typing import TextIO

import msgspec

from ..text.layout import Line, Span, Style, broken

_COLOURS: dict[Style, str] = {
    "plain": "",
    "strong": "bold",
    "dim": "dim",
    "good": "green",
    "bad": "bold red",
    "warn": "yellow",
    "command": "cyan",
}
_PIPED_WIDTH = 80
_LEAST_WIDTH = 20
_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0))}
# marks that turn the direction of writing could make a command read as another (Unicode TR 36)
_DIRECTIONS = {code: f"\\u{code:04x}" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F)}
_SHOWN = {**_CONTROLS, **_DIRECTIONS, 0x09: " ", 0x0A: " "}


def show(lines: Iterable[Line], stream: TextIO) -> None:
    """Write lines for people."""
    width = columns(stream)
    rows = broken((_harmless(line) for line in lines), width)
    if stream.isatty():
        _draw(rows, stream, width)
    else:
        stream.writelines("".join(span.text for span in row) + "\n" for row in rows)
    stream.flush()


def document(answer: object, stream: TextIO) -> None:
    """Write one JSON document, in UTF-8 whatever the locale."""
    data = msgspec.json.format(msgspec.json.encode(answer), indent=2) + b"\n"
    stream.flush()
    buffer = getattr(stream, "buffer", None)
    if buffer is None:
        stream.write(data.decode())
    else:
        buffer.write(data)
        buffer.flush()


def columns(stream: TextIO) -> int:
    """Width to write for: of the terminal; COLUMNS, else 80, where there is none."""
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal() and int(said) >= _LEAST_WIDTH:
        return int(said)
    if not stream.isatty():
        return _PIPED_WIDTH
    try:
        width = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        return _PIPED_WIDTH
    # a serial line, or a terminal made by a program, often says 0
    return max(width, _LEAST_WIDTH) if width else _PIPED_WIDTH


def lenient(stream: TextIO) -> None:
    """Write `?` for what the stream's encoding lacks, rather than fail."""
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="replace")


def _harmless(line: Line) -> Line:
    return line._replace(spans=tuple(Span(span.text.translate(_SHOWN), span.style) for span in line.spans))


def _draw(rows: Iterable[list[Span]], stream: TextIO, width: int) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, width=width, highlight=False, markup=False, emoji=False)
    for row in rows:
        text = Text.assemble(*((span.text, _COLOURS[span.style]) for span in row), no_wrap=True, overflow="ignore")
        console.print(text, soft_wrap=True)
