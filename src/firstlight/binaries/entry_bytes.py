"""One entry of a container in a stream, read at any place near its beginning."""

from __future__ import annotations

from .code_object_metadata import LARGEST_NOTE
from .forward import Forward

REACH = LARGEST_NOTE + (1 << 20)
"""Bytes from the beginning of an entry that may be held: the headers of device code, and the notes behind them."""


class EntryBytes:
    """The entry as a source: what is asked of it is read from the stream and held, up to REACH."""

    def __init__(self, forward: Forward, size: int) -> None:
        self._forward = forward
        self._data = bytearray()
        self.size = size

    def read(self, offset: int, length: int) -> bytes:
        """As a source does; nothing beyond REACH."""
        end = min(offset + length, self.size, REACH)
        if end > len(self._data):
            self._data += self._forward.read(end - len(self._data))
        return bytes(self._data[offset:end])

    def finish(self) -> bool:
        """Moves the stream behind the entry; whether it was there to its end."""
        left = self.size - len(self._data)
        return self._forward.skip(left) == left
