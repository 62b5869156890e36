"""Files of the torch family whose hash is known, and who published them."""

from __future__ import annotations

from functools import cache

import msgspec

from .sources import Tier
from .tables import records


class KnownFile(msgspec.Struct, frozen=True, kw_only=True):
    """One file."""

    name: str
    sha256: str
    tier: Tier
    source: str
    """The public lock file that it was seen in."""
    as_of: str | None = None


@cache
def _known() -> dict[str, KnownFile]:
    return {one.name: one for one in records("files", "file", KnownFile)}


def known_file(filename: str) -> KnownFile | None:
    """What was published under this name; None: not known."""
    return _known().get(filename)
