"""A log in blocks that end at a line feed where there is one; never more than two blocks are held."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from .clean import encoding

SIZE = 2 << 20
OVERLAP = 8192
"""Bytes of a line longer than a block that are seen twice, so that no message is cut."""


class Block(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the log."""

    data: bytes
    line: int
    """Number of its first line."""
    continues: bool
    """Whether it begins inside a line."""
    last: bool


def blocks(file: BinaryIO) -> Iterator[Block]:
    """All of `file`, which need not be seekable."""
    line, held, continues = 1, b"", False
    for data in _decoded(file):
        held += data
        cut = held.rfind(b"\n") + 1
        if cut:
            yield Block(data=held[:cut], line=line, continues=continues, last=False)
            line += held.count(b"\n", 0, cut)
            held, continues = held[cut:], False
        if len(held) > SIZE:
            yield Block(data=held, line=line, continues=continues, last=False)
            held, continues = held[-OVERLAP:], True
    yield Block(data=held, line=line, continues=continues, last=True)


def _decoded(file: BinaryIO) -> Iterator[bytes]:
    data = file.read(SIZE)
    name = encoding(data)
    if name is None:
        while data:
            yield data
            data = file.read(SIZE)
        return
    decoder = codecs.getincrementaldecoder(name)("replace")
    while data:
        yield decoder.decode(data).encode("utf-8", "replace")
        data = file.read(SIZE)
