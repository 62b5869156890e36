"""How fast a host sends to this machine."""

from __future__ import annotations

import time

import msgspec

from .address import on_disk, parse
from .fetch import Network
from .store import Store
from .trouble import Failed

BYTES = 4 << 20
SECONDS = 1.0
LEAST = 1 << 18
"""Bytes: fewer come in one burst and tell nothing."""
DAY = 86400.0


class Speed(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured, and when (seconds since 1970)."""

    as_of: float
    bytes_per_second: float


def measured(network: Network, store: Store, address: str) -> float | None:
    """Bytes per second of the host of `address`, at most a day old; None if too little came to tell. Raises Failed."""
    if on_disk(address) is not None:
        return None
    origin = parse(address).origin
    kept = store.read(origin, Speed)
    if kept is not None and 0 <= time.time() - kept.as_of < DAY:
        return kept.bytes_per_second
    found = _measure(network, address)
    if found is not None:
        store.write(origin, Speed(as_of=time.time(), bytes_per_second=found))
    return found


def _measure(network: Network, address: str) -> float | None:
    """From the first byte of the body on: connecting is not what gigabytes wait for."""
    count = 0
    with network.opened("GET", address, {"Range": f"bytes=0-{BYTES - 1}"}) as reply:
        if reply.status not in (200, 206):
            raise Failed("server-error")
        start = time.perf_counter()
        for piece in reply.chunks(60.0):
            count += len(piece)
            if count >= BYTES or time.perf_counter() - start > SECONDS:
                break
        seconds = time.perf_counter() - start
    return count / max(seconds, 1e-6) if count >= LEAST else None
