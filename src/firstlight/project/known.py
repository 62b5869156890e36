"""Indices of the torch family that are known without any configuration (knowledge/sources.toml)."""

from __future__ import annotations

from functools import cache

import msgspec

from ..knowledge.tables import raw
from .model import Backend


class KnownIndex(msgspec.Struct, frozen=True, kw_only=True):
    """One of them."""

    name: str
    url: str
    tier: str
    """Who answers for it: `vendor`, `upstream`."""
    backend: Backend


@cache
def known_indices() -> tuple[KnownIndex, ...]:
    """All, in the table's order."""
    return tuple(msgspec.convert(entry, KnownIndex) for entry in raw("sources")["index"])


def known_index(name: str) -> KnownIndex:
    """By name. Raises StopIteration for one that is not in the table: a bug of ours."""
    return next(one for one in known_indices() if one.name == name)


def known_host(host: str) -> KnownIndex | None:
    """Any index on that host: it tells who answers for what the host serves."""
    return next((one for one in known_indices() if one.url.partition("://")[2].partition("/")[0] == host), None)
