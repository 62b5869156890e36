"""A file on the network that is read in parts, as if it lay on a disk."""

from __future__ import annotations

from .address import shown
from .fetch import Network
from .model import Trouble
from .parts import part, total_size
from .trouble import Failed

MOST = 8 << 20
"""Bytes of one request: what comes must do so in time."""


class RemoteFile:
    """Bytes at any place. `fetched` counts those that came over the network."""

    def __init__(self, network: Network, address: str) -> None:
        """Asks for its size. Raises Failed."""
        self._network, self._address = network, address
        self.size = total_size(network, address)
        self.fetched = 1
        self.trouble: Trouble | None = None
        """Why the last read failed."""

    def read(self, offset: int, length: int) -> bytes:
        """Bytes from `offset` on, fewer only at the end. Raises OSError; then `trouble` tells why."""
        end = min(self.size, offset + length)
        try:
            pieces = [self._part(at, min(MOST, end - at)) for at in range(offset, end, MOST)]
        except Failed as failed:
            self.trouble = failed.about(shown(self._address))
            raise OSError(self.trouble.text.en) from failed
        return b"".join(pieces)

    def _part(self, offset: int, length: int) -> bytes:
        data = part(self._network, self._address, offset, length)
        self.fetched += len(data)
        return data
