"""A short text at an address, such as a constraints file, through the cache."""

from __future__ import annotations

import msgspec

from .fetch import Network
from .freshness import STALE
from .statuses import check
from .store import Store
from .trouble import Failed

LIMIT = 1 << 20
"""Bytes."""


class KeptText(msgspec.Struct, frozen=True, kw_only=True):
    """What was read last."""

    text: str


def read_text(network: Network, store: Store, address: str) -> str:
    """It is asked for each time; what it was last counts where nothing can be asked. Raises Failed."""
    network.credentials.learn(address)
    try:
        answer = network.get(address, limit=LIMIT)
        check(answer.status, answer.headers, answer.body, authorized=answer.authorized)
    except Failed as failed:
        kept = store.read(address, KeptText)
        if kept is None or failed.kind not in STALE:
            raise
        return kept.text
    text = answer.body.decode("utf-8-sig", "replace")
    store.write(address, KeptText(text=text))
    return text
