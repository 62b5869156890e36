"""Messages that a terminal of 80 columns broke over two lines: cut anywhere, or between words."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise

from .blocks import Block
from .engine import REACH, Engine
from .lines import hit
from .model import Hit

_WIDTH = 80
_SHORTEST = 12
"""A line shorter than this was not broken for want of room, whatever comes next."""


def hits(engine: Engine, block: Block, data: bytes) -> Iterator[Hit]:
    """Those matches in `data` that go over the end of a line. Linear."""
    cut, folded, end = [], [], -1
    lines = data.split(b"\n")
    for line, after in pairwise(lines):
        end += len(line) + 1
        if not _SHORTEST <= len(line) <= _WIDTH + 1 or not after.strip():
            continue
        length = len(line.rstrip(b"\r"))
        seam = (end - len(line) + length, end + 1)
        if length in (_WIDTH, _WIDTH - 1):
            cut.append(seam)
        if length <= _WIDTH <= length + 1 + len(after.split(None, 1)[0]) and not after[:1].isspace():
            folded.append(seam)
    if cut:
        yield from _over(engine, block, data, cut, b"")
    if folded:
        yield from _over(engine, block, data, folded, b" ")


def _over(engine: Engine, block: Block, data: bytes, breaks: list[tuple[int, int]], glue: bytes) -> Iterator[Hit]:
    pieces, seams, at, shift = [], [], 0, 0
    for begin, end in breaks:
        pieces.append(data[at:begin])
        seams.append(begin - shift)
        shift += end - begin - len(glue)
        at = end
    joined = glue.join([*pieces, data[at:]])
    tries: dict[int, int] = {}
    last = -1
    for find in engine.finds(joined):
        start = engine.start(find)
        near = bisect_right(seams, find[0] + REACH)
        if not near or seams[near - 1] < start - REACH:
            continue
        low, high = max(0, start - REACH), min(len(joined), find[0] + REACH)
        if start // REACH != last:
            last, tries = start // REACH, {}
        for at_pattern, match in engine.matches(joined, find, low, high, tries):
            first = bisect_right(seams, match.start())
            if first < len(seams) and seams[first] < match.end() and b"\n" not in match[0]:
                number = block.line + joined.count(b"\n", 0, match.start()) + first
                begin = joined.rfind(b"\n", 0, match.start()) + 1
                end = joined.find(b"\n", match.end())
                yield hit(at_pattern, match, number, joined, (begin, len(joined) if end < 0 else end))
