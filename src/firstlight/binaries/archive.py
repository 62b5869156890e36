"""Static archives (`.a`): members by name, GNU and BSD long names, thin archives.

Layout: ar(5) and the System V variant that binutils and LLVM write: magic, then for each member 60 bytes of text and
its content, at even places. A thin archive names files beside it and holds only its tables.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from .forward import Forward
from .model import Fault
from .source import Source

MAGIC = b"!<arch>\n"
THIN = b"!<thin>\n"
HEADER = 60
MOST_NAMES = 16 << 20
"""Bytes of the table of long names."""
LONGEST_NAME = 4096
_TABLES = ("/", "/SYM64/", "__.SYMDEF", "__.SYMDEF SORTED", "__.SYMDEF_64")


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """A file in an archive."""

    name: str
    offset: int
    """Where its content begins."""
    size: int
    outside: bool = False
    """Of a thin archive: the file lies beside it, only its size is known."""


def members(source: Source) -> Iterator[Member | Fault]:
    """All members, tables left out; a fault ends it."""
    yield from walk(Forward.of(source))


def walk(forward: Forward) -> Iterator[Member | Fault]:
    """The same from bytes that pass by. Between two members the caller may read the content of the one that it got, or
    part of it."""
    magic = forward.read(len(MAGIC))
    if magic not in (MAGIC, THIN):
        yield Fault(kind="unknown-form", where="archive", detail="no archive")
        return
    names = b""
    while head := forward.read(HEADER):
        where = f"member at {forward.offset - len(head):#x}"
        size = _size(head)
        if size is None:
            yield Fault(kind="damaged", where=where, detail="no header of a member")
            return
        end = forward.offset + size
        raw = head[:16].rstrip(b" ")
        if raw == b"//":
            names = forward.read(min(size, MOST_NAMES))
        elif raw.rstrip(b"/") and raw != b"/SYM64/":
            member = _member(forward, raw, size, names, thin=magic == THIN)
            if member is None:
                yield Fault(kind="damaged", where=where, detail="its name is nowhere")
            elif member.name not in _TABLES:
                yield member
                end = forward.offset if member.outside else end
        gap = end - forward.offset
        if forward.skip(gap) < gap:
            yield Fault(kind="damaged", where=where, detail="the file ends inside it")
            return
        forward.skip(end % 2)


def _size(head: bytes) -> int | None:
    text = head[48:58].rstrip(b" ")
    if len(head) < HEADER or head[58:60] != b"`\n" or not text.isdigit():
        return None
    return int(text)


def _member(forward: Forward, raw: bytes, size: int, names: bytes, *, thin: bool) -> Member | None:
    if raw.startswith(b"#1/"):
        return _bsd(forward, raw[3:], size)
    name = _long(raw[1:], names) if raw.startswith(b"/") else raw.removesuffix(b"/")
    if name is None:
        return None
    return Member(name=name.decode("utf-8", "replace"), offset=forward.offset, size=size, outside=thin)


def _long(digits: bytes, names: bytes) -> bytes | None:
    """From the table: a name ends with a slash and a new line."""
    if not digits.isdigit() or int(digits) >= len(names):
        return None
    start = int(digits)
    found, end, _ = names[start : start + LONGEST_NAME].partition(b"\n")
    return found.removesuffix(b"/") if end else None


def _bsd(forward: Forward, digits: bytes, size: int) -> Member | None:
    """The name stands before the content and counts as part of it."""
    if not digits.isdigit() or int(digits) > min(size, LONGEST_NAME):
        return None
    name = forward.read(int(digits)).rstrip(b"\0")
    return Member(name=name.decode("utf-8", "replace"), offset=forward.offset, size=size - int(digits))
