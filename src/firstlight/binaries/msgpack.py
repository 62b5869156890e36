"""MessagePack read in place: nothing is built but what is asked for, so that a few bytes cannot become many.

Layout: the MessagePack specification (github.com/msgpack/msgpack, spec.md). A decoder that builds maps takes some sixty
times the space of the smallest ones, and one that calls itself goes only as deep as its stack.
"""

from __future__ import annotations

from typing import Literal

MOST_VALUES = 2_000_000
"""Values that one reader passes over."""

_Kind = Literal["map", "array", "text", "bytes", "number", "other"]

_FIXED: dict[int, tuple[_Kind, int]] = {
    0xC0: ("other", 0), 0xC2: ("other", 0), 0xC3: ("other", 0), 0xCA: ("other", 4), 0xCB: ("other", 8),
    0xD4: ("other", 2), 0xD5: ("other", 3), 0xD6: ("other", 5), 0xD7: ("other", 9), 0xD8: ("other", 17),
}  # fmt: skip
"""Bytes that follow the first one."""
_NUMBERS = {
    0xCC: (1, False), 0xCD: (2, False), 0xCE: (4, False), 0xCF: (8, False),
    0xD0: (1, True), 0xD1: (2, True), 0xD2: (4, True), 0xD3: (8, True),
}  # fmt: skip
_SIZED: dict[int, tuple[_Kind, int]] = {
    0xC4: ("bytes", 1), 0xC5: ("bytes", 2), 0xC6: ("bytes", 4), 0xC7: ("other", 1), 0xC8: ("other", 2),
    0xC9: ("other", 4), 0xD9: ("text", 1), 0xDA: ("text", 2), 0xDB: ("text", 4), 0xDC: ("array", 2),
    0xDD: ("array", 4), 0xDE: ("map", 2), 0xDF: ("map", 4),
}  # fmt: skip
"""Bytes of the length that follows the first one. The ext forms have their type behind the length."""
_EXT = (0xC7, 0xC8, 0xC9)


class MalformedError(ValueError):
    """No MessagePack, or cut off."""


class Values:
    """A cursor. Each question takes one value; of another kind than was asked for it is passed over: None."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self._left = MOST_VALUES

    def map(self) -> int | None:
        """Number of the pairs that follow, each a key and a value."""
        return self._opened("map")

    def array(self) -> int | None:
        """Number of the values that follow."""
        return self._opened("array")

    def text(self) -> str | None:
        """A string."""
        kind, length, start = self._head()
        if kind != "text":
            self.skip()
            return None
        self._move(start + length)
        return self._data[start : start + length].decode("utf-8", "replace")

    def number(self) -> int | None:
        """A whole number that is not negative."""
        kind, value, start = self._head()
        if kind != "number" or value < 0:
            self.skip()
            return None
        self._move(start)
        return value

    def skip(self) -> None:
        """Passes over a value with all that is in it."""
        left = 1
        while left:
            kind, length, start = self._head()
            left -= 1
            if kind in ("map", "array"):
                left += length * (2 if kind == "map" else 1)
                self._move(start)
            else:
                self._move(start if kind == "number" else start + length)

    def _opened(self, wanted: _Kind) -> int | None:
        kind, length, start = self._head()
        if kind != wanted:
            self.skip()
            return None
        self._move(start)
        return length

    def _move(self, at: int) -> None:
        self._left -= 1
        if self._left < 0:
            raise MalformedError(f"more than {MOST_VALUES} values")
        self._at = at

    def _head(self) -> tuple[_Kind, int, int]:
        """Kind of the next value, its length (of a number: the number), and where its content begins."""
        kind, length, start = self._first()
        least = {"map": 2 * length, "number": 0}.get(kind, length)
        if start + least > len(self._data):
            raise MalformedError(f"cut off at byte {self._at}")
        return kind, length, start

    def _first(self) -> tuple[_Kind, int, int]:
        first, start = self._whole(self._at, 1), self._at + 1
        if first < 0x80 or first >= 0xE0:
            return "number", first if first < 0x80 else first - 0x100, start
        if first < 0xC0:
            if first >= 0xA0:
                return "text", first & 31, start
            return "map" if first < 0x90 else "array", first & 15, start
        if first in _FIXED:
            return (*_FIXED[first], start)
        if first in _NUMBERS:
            length, signed = _NUMBERS[first]
            return "number", self._whole(start, length, signed=signed), start + length
        if first in _SIZED:
            kind, length = _SIZED[first]
            return kind, self._whole(start, length) + (first in _EXT), start + length
        raise MalformedError(f"no value begins with {first:#x}")

    def _whole(self, at: int, length: int, *, signed: bool = False) -> int:
        data = self._data[at : at + length]
        if len(data) < length:
            raise MalformedError(f"cut off at byte {self._at}")
        return int.from_bytes(data, "big", signed=signed)
