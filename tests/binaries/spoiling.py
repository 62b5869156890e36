"""How a layer is spoiled: numbers that lie, cuts at the edges of headers, parts left out, doubled or exchanged."""

from __future__ import annotations

import random
from collections.abc import Iterator

from .layers import Made

LIES = (
    0,
    1,
    2,
    7,
    8,
    0x7F,
    0xFF,
    0xFFFF,
    0x7FFFFFFF,
    0x80000000,
    0xFFFFFFFF,
    1 << 40,
    (1 << 63) - 1,
    1 << 63,
    (1 << 64) - 1,
)
REACH = 96
"""Numbers stand within so many bytes behind an edge."""


class Spoiler:
    """Spoils each layer that it is handed, with some chance."""

    def __init__(self, chance: random.Random, likely: float) -> None:
        self._chance, self._likely = chance, likely
        self.done = 0

    def __call__(self, made: Made) -> Made:
        """The layer, or something like it."""
        if not made.data or self._chance.random() > self._likely:
            return made
        self.done += 1
        way = self._chance.choice((self._lie, self._lie, self._lie, self._bytes, self._cut, self._parts, self._grown))
        return Made(way(made), made.edges)

    def _place(self, made: Made) -> int:
        if made.edges and self._chance.random() < 0.8:
            return min(self._chance.choice(made.edges) + self._chance.randrange(REACH), len(made.data) - 1)
        return self._chance.randrange(len(made.data))

    def _lie(self, made: Made) -> bytes:
        width = self._chance.choice((1, 2, 4, 4, 8, 8))
        at = self._place(made) // width * width if self._chance.random() < 0.7 else self._place(made)
        size = len(made.data)
        number = self._chance.choice(
            (*LIES, size, size - 1, size + 1, self._chance.randrange(size + 1), self._chance.getrandbits(64))
        )
        order = "little" if self._chance.random() < 0.85 else "big"
        told = (number & ((1 << 8 * width) - 1)).to_bytes(width, "big" if order == "big" else "little")
        return (made.data[:at] + told + made.data[at + width :])[:size]

    def _bytes(self, made: Made) -> bytes:
        data = bytearray(made.data)
        for _ in range(self._chance.randrange(1, 4)):
            data[self._place(made)] = self._chance.choice((0, 1, 0x80, 0xFF, self._chance.randrange(256)))
        return bytes(data)

    def _cut(self, made: Made) -> bytes:
        edge = self._chance.choice((*made.edges, self._chance.randrange(len(made.data))))
        return made.data[: max(0, edge + self._chance.choice((-1, 0, 0, 1, 3)))]

    def _parts(self, made: Made) -> bytes:
        edges = (*made.edges, len(made.data))
        if len(edges) < 3:
            return made.data * 2
        first, second = sorted(self._chance.sample(range(len(edges) - 1), 2)) if len(edges) > 3 else (0, 1)
        a, b, c = edges[first], edges[second], edges[second + 1]
        data = made.data
        return self._chance.choice(
            (
                data[:a] + data[b:],
                data[:b] + data[a:],
                data[:a] + data[b:c] + data[a:b] + data[c:],
                data[:b] + data[b:c] * 3 + data[c:],
            )
        )

    def _grown(self, made: Made) -> bytes:
        at = self._place(made)
        more = self._chance.choice((b"\0", b"\xff" * 8, b"\0" * 40, made.data[at : at + 64]))
        return made.data[:at] + more + made.data[at:]


def cuts(made: Made) -> Iterator[bytes]:
    """The file cut off at every edge, one byte before and one behind it."""
    for at in sorted({at + step for at in made.edges for step in (-1, 0, 1)}):
        if 0 <= at < len(made.data):
            yield made.data[:at]
