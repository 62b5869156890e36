"""Bytes that pass by once: a member of a wheel as it is inflated, a section of a file as it is walked.

A container of GPU code is a chain of headers with long payloads between them; `skip` passes over those without keeping
them, and over a file without even reading them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from .source import Source

_FIRST = 1 << 16
_LARGEST = 1 << 20
_NEAR = 1 << 12


class Forward:
    """A cursor over chunks. It keeps one chunk, or what one `read` asks for: the caller bounds that."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = filter(None, chunks)
        self._pages = chunks if isinstance(chunks, _Pages) else None
        self._held = b""
        self._at = 0
        self.offset = 0
        """Bytes that went by since the beginning."""

    @classmethod
    def of(cls, source: Source) -> Forward:
        """From the beginning of a source."""
        return cls(_Pages(source))

    def peek(self, length: int) -> bytes:
        """As `read`, without moving."""
        self._hold(length)
        return self._held[self._at : self._at + length]

    def read(self, length: int) -> bytes:
        """The next bytes; fewer at the end only."""
        self._hold(length)
        data = self._held[self._at : self._at + length]
        self._move(len(data))
        return data

    def skip(self, length: int) -> int:
        """Moves on, at most to the end; how many bytes."""
        wanted = max(0, length)
        passed = min(wanted, len(self._held) - self._at)
        self._move(passed)
        while passed < wanted and (step := self._pass(wanted - passed)):
            passed += step
        return passed

    def until(
        self, marks: tuple[bytes, ...], align: int | tuple[int, ...] = 1, *, end: int = sys.maxsize
    ) -> bytes | None:
        """Moves to the next of the marks at a multiple of `align` (of one for each mark), which may be here already,
        and says which it is; None at the end, or once `end` was passed. Of two that begin alike the one given first."""
        aligns = (align,) * len(marks) if isinstance(align, int) else align
        longest = max(map(len, marks))
        while self.offset < end and self.peek(longest):
            found = self._nearest(marks, aligns)
            if found is not None:
                self._move(found[0] - self._at)
                return found[1]
            left = len(self._held) - self._at
            self._move(max(left - longest + 1, 0) or left)
        return None

    def part(self, length: int) -> Forward:
        """The next bytes by themselves, from offset 0. This one moves as that one is read: leave it alone meanwhile."""
        return Forward(self.pieces(length))

    def pieces(self, length: int) -> Iterator[bytes]:
        """The next bytes, chunk by chunk; fewer at the end only."""
        while length > 0 and self.peek(1):
            chunk = self.read(min(length, len(self._held) - self._at))
            length -= len(chunk)
            yield chunk

    def _nearest(self, marks: tuple[bytes, ...], aligns: tuple[int, ...]) -> tuple[int, bytes] | None:
        """Looks near first, then further: of marks in dense rows each costs its distance, not all that is held."""
        best: tuple[int, bytes] | None = None
        width = _NEAR
        while best is None:
            stop = min(self._at + width, len(self._held))
            for mark, align in zip(marks, aligns, strict=True):
                place = _find(self._held, mark, self._at + -self.offset % align, align, stop)
                if place >= 0 and (best is None or place < best[0]):
                    best = place, mark
            if stop >= len(self._held):
                break
            width *= 8
        return best

    def _hold(self, length: int) -> None:
        have = len(self._held) - self._at
        if have >= length:
            return
        parts = [self._held[self._at :]] if have else []
        while have < length and (chunk := next(self._chunks, b"")):
            parts.append(chunk)
            have += len(chunk)
        self._held, self._at = parts[0] if len(parts) == 1 else b"".join(parts), 0

    def _pass(self, length: int) -> int:
        """Beyond what is held: nothing is left of it."""
        self._held, self._at = b"", 0
        if self._pages is not None:
            step = self._pages.jump(length)
        else:
            self._held = next(self._chunks, b"")
            step = self._at = min(length, len(self._held))
        self.offset += step
        return step

    def _move(self, length: int) -> None:
        self._at += length
        self.offset += length


class _Pages:
    """A source in chunks: small ones after a jump, larger ones where it is read through."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._offset = 0
        self._length = _FIRST

    def jump(self, length: int) -> int:
        """Leaves bytes out."""
        step = min(length, self._source.size - self._offset)
        self._offset += step
        self._length = _FIRST
        return step

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        chunk = self._source.read(self._offset, self._length)
        if not chunk:
            raise StopIteration
        self._offset += len(chunk)
        self._length = min(self._length * 2, _LARGEST)
        return chunk


def _find(data: bytes, mark: bytes, start: int, align: int, stop: int) -> int:
    """Place of a mark at `start` or a multiple of `align` after it, before `stop`; -1: none.

    With a stride only one byte of a mark is looked for, in every align-th place: five times as fast as a whole search
    at 8, and next to nothing at 4096."""
    if align == 1:
        return data.find(mark, start, stop + len(mark) - 1)
    rare = max(range(min(len(mark), align)), key=lambda index: mark[index])
    column = data[start + rare : stop + rare : align]
    wanted = mark[rare : rare + 1]
    row = column.find(wanted)
    while row >= 0:
        place = start + row * align
        if data.startswith(mark, place):
            return place
        row = column.find(wanted, row + 1)
    return -1
