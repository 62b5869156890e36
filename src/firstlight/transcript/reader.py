"""A whole text read once: its hits, how much it was, and its beginning and end for the readers of facts."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from . import wraps
from .blocks import Block, blocks
from .clean import clean
from .engine import Engine
from .lines import Lines
from .model import Counts, Hit

KEPT = 48
"""Hits of one pattern that are kept: the first ones. Evidence needs a few."""
_HEAD = 4 << 20
"""Bytes at the beginning in which wrapped messages are looked for and facts are read; and at the end for facts."""


class Transcript(msgspec.Struct, frozen=True, kw_only=True):
    """What a text holds."""

    hits: tuple[Hit, ...]
    """By pattern; of each the first ones, by line."""
    counts: Counts
    head: bytes
    """The cleaned beginning, at most a few MiB."""
    tail: bytes
    """The cleaned end, where it is not part of the beginning."""


def read(file: BinaryIO, engine: Engine) -> Transcript:
    """Read `file` to its end. Memory is bounded: two blocks, the beginning and the end, some hits of each pattern.
    Raises OSError as the file does."""
    found: dict[int, list[Hit]] = {}
    lines, raw = Lines(engine), Lines(engine)
    head, tail, size, feeds, ends = bytearray(), deque[bytes](maxlen=2), 0, 0, True
    for block in blocks(file):
        data = clean(block.data)
        for hit in _hits(engine, lines, raw, block, data, early=len(head) < _HEAD):
            kept = found.setdefault(hit.pattern, [])
            if len(kept) < KEPT:
                kept.append(hit)
        if len(head) < _HEAD:
            head += data
        else:
            tail.append(data)
        size += len(block.data)
        feeds, ends = block.line - 1 + block.data.count(b"\n"), block.data.endswith(b"\n") or not block.data
    counts = Counts(bytes=size, lines=feeds + (not ends), matched=lines.matched + raw.matched)
    ordered = sorted((hit for hits in found.values() for hit in hits), key=lambda hit: (hit.pattern, hit.line))
    return Transcript(hits=tuple(ordered), counts=counts, head=bytes(head), tail=b"".join(tail))


def _hits(engine: Engine, lines: Lines, raw: Lines, block: Block, data: bytes, *, early: bool) -> Iterator[Hit]:
    """Of one block. Where it had to be cleaned, the lines that match are counted on it as it was."""
    same = data is block.data
    yield from lines.hits(block, data, count=same)
    if not same:
        deque(raw.hits(block, block.data, count=True), maxlen=0)
    if early:
        yield from wraps.hits(engine, block, data)
