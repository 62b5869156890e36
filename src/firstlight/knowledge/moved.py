"""apt repositories that have moved."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache

import msgspec

from .tables import records


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """One that is not where it was."""

    address: str
    """Pattern of host and path."""
    suites: tuple[str, ...] = ()
    """Patterns of the suites that moved; none: all."""
    to: str
    """Where it is now."""
    key: str
    """Of `keys.toml`: who signs it there."""
    sources: tuple[str, ...] = ()
    as_of: str | None = None


@cache
def _all() -> tuple[Moved, ...]:
    return records("moved", "moved", Moved)


def moved(uri: str, suite: str) -> Moved | None:
    """Where to the repository at `uri` moved; None: nothing known of that."""
    place = uri.partition("://")[2].rstrip("/")
    place = place.partition("/")[0].rpartition("@")[2].lower() + place[len(place.partition("/")[0]) :]
    found = (one for one in _all() if fnmatchcase(place, one.address))
    return next((one for one in found if not one.suites or any(fnmatchcase(suite, mine) for mine in one.suites)), None)
