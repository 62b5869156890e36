"""A file of which only the parts that matter are read, and never more than a set number of bytes."""

from __future__ import annotations

import io
from collections.abc import Callable

from .trouble import damaged

BLOCK = 1 << 16
"""Least bytes that are asked for at once."""
BUDGET = 24 << 20
"""Bytes read of one file: the directory of a wheel of 100,000 files has some 12 MiB."""

Read = Callable[[int, int], bytes]
"""(offset, length) -> exactly those bytes."""


class Window(io.RawIOBase):
    """A seekable view. `read` may raise Failed."""

    def __init__(self, size: int, read: Read) -> None:
        self._size, self._read, self._at, self._left = size, read, 0, BUDGET
        self._block, self._start = b"", 0

    def readable(self) -> bool:
        """It is."""
        return True

    def seekable(self) -> bool:
        """It is."""
        return True

    def tell(self) -> int:
        """Bytes from the start."""
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """As for any file."""
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        if start + offset < 0:
            raise OSError(22, "before the start")
        self._at = start + offset
        return self._at

    def read(self, size: int | None = -1, /) -> bytes:
        """The next bytes; a whole block around them is fetched, since the next read is mostly next to this."""
        rest = max(0, self._size - self._at)
        length = rest if size is None or size < 0 else min(size, rest)
        if not self._start <= self._at <= self._at + length <= self._start + len(self._block):
            self._fill(length)
        begin = self._at - self._start
        self._at += length
        return self._block[begin : begin + length]

    def _fill(self, length: int) -> None:
        last = min(self._size, max(self._at + length, self._at + BLOCK))
        start = max(0, min(self._at, last - BLOCK))
        if last - start > self._left:
            raise damaged(f"its directory is larger than {BUDGET} bytes", f"其目录超过 {BUDGET} 字节")
        self._left -= last - start
        self._block, self._start = self._read(start, last - start), start
