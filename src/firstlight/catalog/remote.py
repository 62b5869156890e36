"""A file on the network that is read in parts, as if it lay on a disk."""

from __future__ import annotations

from .address import shown
from .fetch import Network
from .model import Trouble
from .parts import ending, part
from .trouble import Failed

MOST = 8 << 20
"""Bytes of one request: what comes must do so in time."""
END = 98
"""Bytes that are asked for with the size: an archive's end records (APPNOTE.TXT 6.3.10: 22, 20 and 56)."""


class RemoteFile:
    """Bytes at any place. `fetched` counts those that came over the network."""

    def __init__(self, network: Network, address: str) -> None:
        """Asks for its size and its end. Raises Failed."""
        self._network, self._address = network, address
        self._end, self.size = ending(network, address, END)
        self.fetched = len(self._end) or 1
        self.trouble: Trouble | None = None
        """Why the last read failed."""

    def read(self, offset: int, length: int) -> bytes:
        """Bytes from `offset` on, fewer only at the end. Raises OSError; then `trouble` tells why."""
        end = min(self.size, offset + length)
        held = max(offset, self.size - len(self._end))
        """From where on it is here already."""
        try:
            pieces = [self._part(at, min(MOST, end - at, held - at)) for at in range(offset, min(end, held), MOST)]
        except Failed as failed:
            self.trouble = failed.about(shown(self._address))
            raise OSError(self.trouble.text.en) from failed
        return b"".join(pieces) + (self._end[held - self.size :] if held < end else b"")[: end - held]

    def _part(self, offset: int, length: int) -> bytes:
        data = part(self._network, self._address, offset, length)
        self.fetched += len(data)
        return data
