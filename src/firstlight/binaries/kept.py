"""Stretches of a file that passed by, as a source of those alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

MOST = 96 << 20
"""Bytes that are kept of one file."""
_BEFORE, _AFTER = 4 << 10, 252 << 10


class NotKeptError(OSError):
    """These bytes passed by unseen."""


class Kept:
    """What `wanted` names is kept as the file goes by; what is read beside it is noted, to be wanted the next time."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.missed: list[tuple[int, int]] = []
        self._parts: list[tuple[int, bytes]] = []
        self._wanted: list[tuple[int, int]] = []
        self._left = MOST
        self._mark: tuple[bytes, int] | None = None

    @property
    def end(self) -> int:
        """What comes after is not wanted."""
        return max((stop for _, stop in self._wanted), default=0)

    def want(self, offset: int, length: int) -> None:
        """From the next passing on; what is too much is left out."""
        offset = max(0, offset)
        length = min(length, self.size - offset)
        if 0 < length <= self._left:
            self._left -= length
            self._wanted.append((offset, offset + length))

    def put(self, offset: int, data: bytes) -> None:
        """Keeps bytes that are at hand."""
        if len(data) <= self._left:
            self._left -= len(data)
            self._parts.append((offset, data))

    def want_around(self, mark: bytes, start: int) -> None:
        """The chunks around the first of these marks from `start` on."""
        self._mark = mark, start

    def passing(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """The file's chunks, as they are."""
        offset, held, before = 0, dict[tuple[int, int], list[bytes]](), b""
        for chunk in chunks:
            end = offset + len(chunk)
            if self._mark and end > self._mark[1]:
                before = self._looked(self._mark[0], offset, before, chunk)
            for start, stop in self._wanted:
                if start < end and offset < stop:
                    parts = held.setdefault((start, stop), [])
                    parts.append(chunk[max(0, start - offset) : stop - offset])
                    if stop <= end:
                        self._parts.append((start, b"".join(held.pop((start, stop)))))
            offset = end
            yield chunk
        self._parts.extend((start, b"".join(parts)) for (start, _), parts in held.items())

    def _looked(self, mark: bytes, offset: int, before: bytes, chunk: bytes) -> bytes:
        """The chunk as it is joined to the next."""
        joined = before + chunk
        if mark not in joined:
            return chunk[-_BEFORE:]
        self.put(offset - len(before), joined)
        self._mark = None
        return b""

    def read(self, offset: int, length: int) -> bytes:
        """As a source does. Raises NotKeptError, once it noted what is missing."""
        length = max(0, min(length, self.size - offset))
        if not length:
            return b""
        for start, data in self._parts:
            if start <= offset and offset + length <= start + len(data):
                return data[offset - start : offset - start + length]
        self.missed.append((offset, length))
        raise NotKeptError(f"bytes {offset} to {offset + length} were not kept")

    def again(self) -> bool:
        """Wants what was missed; False if nothing was, or if it is too much."""
        missed, self.missed = _joined(self.missed, self.size), []
        self._wanted = []
        before = self._left
        for offset, length in missed:
            self.want(offset, length)
        return bool(missed) and before - self._left == sum(length for _, length in missed)


def _joined(missed: list[tuple[int, int]], size: int) -> list[tuple[int, int]]:
    """With some bytes around each, as a reader will ask for the neighbours; those that touch as one."""
    joined: list[tuple[int, int]] = []
    for offset, length in sorted(missed):
        start, stop = max(0, offset - _BEFORE), min(size, offset + length + _AFTER)
        if joined and start <= joined[-1][0] + joined[-1][1]:
            joined[-1] = joined[-1][0], max(stop, sum(joined[-1])) - joined[-1][0]
        else:
            joined.append((start, stop - start))
    return joined
