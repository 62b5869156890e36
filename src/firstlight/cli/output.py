"""Lines and documents onto streams. Colour only on a terminal; what hostile input brings cannot steer it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
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
_USUAL_WIDTH = 80
_LEAST_WIDTH = 20
_UNBROKEN = sys.maxsize
_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0))}
# marks that turn the direction of writing could make a command read as another (Unicode TR 36)
_DIRECTIONS = {code: f"\\u{code:04x}" for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F)}
# bytes that are no text, as Python keeps them in names of files and in arguments (PEP 383)
_BYTES = {0xDC00 + byte: f"\\x{byte:02x}" for byte in range(0x80, 0x100)}
_SHOWN = {**_CONTROLS, **_DIRECTIONS, **_BYTES, 0x09: " ", 0x0A: " "}


def show(lines: Iterable[Line], stream: TextIO, width: int | None = None) -> None:
    """Write lines for people, broken to `width` cells, else to the stream's."""
    width = width or columns(stream)
    rows = broken((_harmless(line) for line in lines), width)
    if stream.isatty():
        _draw(rows, stream, width)
    else:
        stream.writelines("".join(span.text for span in row) + "\n" for row in rows)
    stream.flush()


def document(answer: object, stream: TextIO) -> None:
    """Write one JSON document, in UTF-8 whatever the locale."""
    try:
        data = msgspec.json.encode(answer)
    except UnicodeEncodeError:  # JSON has no bytes that are no text
        data = msgspec.json.encode(_encodable(msgspec.to_builtins(answer)))
    data = msgspec.json.format(data, indent=2) + b"\n"
    stream.flush()
    buffer = getattr(stream, "buffer", None)
    if buffer is None:
        stream.write(data.decode())
    else:
        buffer.write(data)
        buffer.flush()


def columns(stream: TextIO) -> int:
    """Width to write for: COLUMNS where it is set, else of the terminal. What goes into a pipe or a file is not
    broken: whoever searches there looks for whole sentences."""
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal() and len(said) < 6 and int(said) >= _LEAST_WIDTH:
        return int(said)
    if not stream.isatty():
        return _UNBROKEN
    try:
        width = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        return _USUAL_WIDTH
    # a serial line, or a terminal made by a program, often says 0
    return max(width, _LEAST_WIDTH) if width else _USUAL_WIDTH


def harmless(text: str) -> str:
    """`text` with what could steer a terminal, or is no text, as escapes."""
    return text.translate(_SHOWN)


def _encodable(value: object) -> object:
    """The same JSON value with bytes that are no text as escapes."""
    if isinstance(value, str):
        return value.translate(_BYTES).encode(errors="backslashreplace").decode()
    if isinstance(value, dict):
        return {_encodable(key): _encodable(one) for key, one in value.items()}
    return [_encodable(one) for one in value] if isinstance(value, (list, tuple)) else value


def _harmless(line: Line) -> Line:
    return line._replace(spans=tuple(Span(harmless(span.text), span.style) for span in line.spans))


def _draw(rows: Iterable[list[Span]], stream: TextIO, width: int) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, width=width, highlight=False, markup=False, emoji=False)
    for row in rows:
        text = Text.assemble(*((span.text, _COLOURS[span.style]) for span in row), no_wrap=True, overflow="ignore")
        console.print(text, soft_wrap=True)
