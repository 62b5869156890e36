"""The finds of one block, line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .blocks import Block
from .clean import text
from .engine import REACH, Engine
from .model import Hit

SHOWN = 400
"""Bytes of a line that are kept on either side of the match."""


class Lines:
    """Reads block after block; counts the lines that match."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.matched = 0
        self._last = (0, 0)

    def hits(self, block: Block, data: bytes, *, count: bool) -> Iterator[Hit]:
        """Every pattern that a line of `data` (the block, perhaps cleaned) matches, once a line; `count` the lines."""
        number, at, begin, end = block.line, 0, 0, -1
        tries: dict[int, int] = {}
        told: set[int] = set()
        for find in self._engine.finds(data):
            start = self._engine.start(find)
            if start > end or find[0] > end:
                begin = data.rfind(b"\n", 0, start) + 1
                end = data.find(b"\n", find[0])
                end = len(data) if end < 0 else end
                tries, told = {}, set()
            low, high = max(begin, start - REACH), min(end, find[0] + REACH)
            found = self._engine.matches(data, find, low, high, tries)
            if not found:
                continue
            if count:
                self._count(block, begin)
            number += data.count(b"\n", at, begin)
            at = begin
            for pattern, match in found:
                if pattern not in told:
                    told.add(pattern)
                    yield hit(pattern, match, number, data, (begin, end))

    def _count(self, block: Block, begin: int) -> None:
        """Once for each line; one that goes over several blocks is the line that the first of them ended in."""
        line = (block.line, 0 if block.continues or not begin else begin)
        if line != self._last:
            self._last = line
            self.matched += 1


def hit(pattern: int, match: re.Match[bytes], number: int, data: bytes, span: tuple[int, int]) -> Hit:
    """The hit of `match` in the line that takes `span` of `data`."""
    begin, end = span
    begin, end = max(begin, match.start() - SHOWN), min(end, match.end() + SHOWN)
    begin = max(begin, data.rfind(b"\r", begin, match.start()) + 1)
    stop = data.find(b"\r", match.end(), end)
    values = {name: text(value) for name, value in match.groupdict().items() if value is not None}
    return Hit(pattern=pattern, line=number, text=text(data[begin : end if stop < 0 else stop]), values=values)
