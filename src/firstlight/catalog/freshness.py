"""How long what an index said holds, and how to ask whether it still does."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

LONGEST = 600.0
"""Seconds for which a page is not asked for again, as with uv and pip. Also where the index says `no-store`, as
PyTorch's indices do: this cache is the user's own, and a plan asks for the same page many times."""
ABSENT = 60.0
"""Seconds for which `not there` holds."""
FOREVER = 1e12
SKEW = 60.0
STALE = ("offline", "unreachable", "server-error")
"""Kinds of trouble that say nothing about what the index holds: what it said last is the best that is known."""


class Validity(msgspec.Struct, frozen=True, kw_only=True):
    """When something was last said, and until when it need not be asked again; seconds since 1970."""

    as_of: float
    until: float
    etag: str | None = None
    modified: str | None = None

    def holds(self, now: float) -> bool:
        """Whether it is fresh. What comes from the future does not count: a clock was wrong."""
        return self.as_of - SKEW <= now < self.until

    def conditions(self) -> dict[str, str]:
        """Headers that ask for an answer only if it changed."""
        said = {"If-None-Match": self.etag, "If-Modified-Since": self.modified}
        return {name: value for name, value in said.items() if value is not None}


def validity(headers: Mapping[str, str], now: float, *, seconds: float = LONGEST) -> Validity:
    """What an answer's headers say of it, for `seconds` at most."""
    return Validity(
        as_of=now, until=now + min(seconds, _max_age(headers.get("cache-control", ""))),
        etag=_kept(headers.get("etag")), modified=_kept(headers.get("last-modified")),
    )  # fmt: skip


def renewed(old: Validity, headers: Mapping[str, str], now: float) -> Validity:
    """After a 304, which need not repeat the validators."""
    new = validity(headers, now)
    return Validity(as_of=now, until=new.until, etag=new.etag or old.etag, modified=new.modified or old.modified)


def _max_age(said: str) -> float:
    for part in said.lower().split(","):
        name, _, value = part.strip().partition("=")
        value = value.strip('" ')
        if name == "max-age" and value.isascii() and value.isdigit():
            return float(value[:12])
    return LONGEST


def _kept(value: str | None) -> str | None:
    """A validator that may be sent back as it is."""
    return value if value and len(value) < 1000 and value.isascii() and value.isprintable() else None
