"""All patterns at once. The only file that knows the engine: Hyperscan (Vectorscan on ARM) finds the fixed text of
every pattern in one pass, and Python's own engine then reads the line around a find, within bounds."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from .literals import literals
from .model import Pattern

REACH = 2048
"""Bytes before and after the fixed text that may belong to a match: the widest pattern is narrower."""
_TRIES = 32
"""So many finds of one pattern in one line are read; a hostile line may have a million."""


class Engine:
    """Compiled once for all patterns: some 30 ms for a thousand."""

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        import hyperscan

        self.patterns = tuple(patterns)
        self._compiled: dict[int, re.Pattern[bytes]] = {}
        self._of_text: list[tuple[int, ...]] = []
        texts: dict[tuple[bytes, bool], list[int]] = defaultdict(list)
        for at, pattern in enumerate(patterns):
            fixed, caseless = literals(pattern.regex)
            for text in fixed:
                texts[text, caseless].append(at)
        self._lengths = [len(text) for text, _ in texts]
        self._of_text = [tuple(of) for of in texts.values()]
        self._database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
        self._database.compile(
            expressions=[text for text, _ in texts],
            ids=list(range(len(texts))),
            elements=len(texts),
            flags=[hyperscan.HS_FLAG_CASELESS if caseless else 0 for _, caseless in texts],
            literal=True,
        )

    def finds(self, block: bytes) -> list[tuple[int, int]]:
        """(end, number of the fixed text), by end."""
        found: list[tuple[int, int]] = []
        add = found.append
        if block:
            self._database.scan(block, match_event_handler=lambda text, _from, to, _flags, _context: add((to, text)))
        return found

    def start(self, find: tuple[int, int]) -> int:
        """Where the fixed text of a find begins."""
        return find[0] - self._lengths[find[1]]

    def matches(
        self, block: bytes, find: tuple[int, int], begin: int, end: int, tries: dict[int, int]
    ) -> list[tuple[int, re.Match[bytes]]]:
        """(pattern, match) of those patterns whose fixed text this is and that match between `begin` and `end`.
        `tries` counts them for the line."""
        found = []
        for at in self._of_text[find[1]]:
            tried = tries.get(at, 0)
            if tried >= _TRIES:
                continue
            tries[at] = tried + 1
            compiled = self._compiled.get(at) or self._compile(at)
            if match := compiled.search(block, begin, end):
                found.append((at, match))
        return found

    def _compile(self, at: int) -> re.Pattern[bytes]:
        compiled = self._compiled[at] = re.compile(self.patterns[at].regex.encode(), re.MULTILINE)
        return compiled
