"""Bytes that are read in pieces: a file on disk, a member of a wheel, a file behind an address."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Protocol


class Source(Protocol):
    """Random access. `read` gives fewer bytes than asked for only at the end."""

    size: int

    def read(self, offset: int, length: int) -> bytes:
        """Bytes from `offset` on. Raises OSError if the medium fails."""


class Held:
    """Bytes in memory as a source."""

    def __init__(self, data: bytes | memoryview) -> None:
        self._data = memoryview(data)
        self.size = len(self._data)

    def read(self, offset: int, length: int) -> bytes:
        """As a source does."""
        return bytes(self._data[offset : offset + length])


class Part:
    """A stretch of another source."""

    def __init__(self, whole: Source, offset: int, size: int) -> None:
        self._whole, self._offset = whole, offset
        self.size = max(0, min(size, whole.size - offset))

    def read(self, offset: int, length: int) -> bytes:
        """As a source does."""
        left = max(0, min(length, self.size - offset))
        return self._whole.read(self._offset + offset, left) if left else b""


class Disk(AbstractContextManager["Disk"]):
    """A regular file. Opening raises OSError, also for what is none."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        found = os.fstat(self._file)
        self.size = found.st_size
        if not stat.S_ISREG(found.st_mode):
            os.close(self._file)
            raise OSError(errno.EINVAL, "not a regular file", path)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._file)

    def read(self, offset: int, length: int) -> bytes:
        """As a source does."""
        left = max(0, min(length, self.size - offset))
        parts = []
        while left and (part := os.pread(self._file, left, offset)):
            parts.append(part)
            offset += len(part)
            left -= len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)
