"""Indices of the torch family that are known without any configuration (knowledge/sources.toml)."""

from __future__ import annotations

from ..knowledge.sources import IndexSource, builtin_indices


def known_index(name: str) -> IndexSource | None:
    """By name."""
    return next((one for one in builtin_indices() if one.name == name), None)


def known_host(host: str) -> IndexSource | None:
    """Any index on that host: it tells who answers for what the host serves."""
    return next((one for one in builtin_indices() if one.url.partition("://")[2].partition("/")[0] == host), None)
