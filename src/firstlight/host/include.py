"""Patterns of paths, looked for on a host."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from .model import Host, Unread

LIMIT = 20_000
"""Paths of one pattern at most."""


def matching(host: Host, pattern: str) -> Iterator[str]:
    """Paths on the host that match: `*`, `?`, `[...]` within one component, as a shell does it (no hidden files)."""
    found = [""]
    for part in pattern.strip("/").split("/"):
        found = [path for above in found for path in _step(host, above, part)][:LIMIT]
    for path in found:
        if not isinstance(host.info(path), Unread):
            yield path


def _step(host: Host, above: str, part: str) -> list[str]:
    if not any(sign in part for sign in "*?["):
        return [f"{above}/{part}"]
    names = host.names(above or "/")
    if isinstance(names, Unread):
        return []
    return [f"{above}/{name}" for name in names if fnmatchcase(name, part) and not name.startswith(".")]
