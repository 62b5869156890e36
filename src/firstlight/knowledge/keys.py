"""Whose key is whose: fingerprints of those who sign apt repositories."""

from __future__ import annotations

from functools import cache

import msgspec

from .tables import records


class SigningKey(msgspec.Struct, frozen=True, kw_only=True):
    """What one publisher signs with."""

    id: str
    """As `repositories.toml` names it."""
    maker: str
    hosts: tuple[str, ...]
    """Where it publishes itself."""
    url: str = ""
    """Where it hands out its key; `{place}` as in `repositories.toml`. Only bytes with a fingerprint that stands here
    are to be taken from there."""
    fingerprints: tuple[str, ...]
    """Of primary keys, 40 hexadecimal digits in upper case, the newest or most used first."""
    retired: tuple[str, ...] = ()
    """Keys that it had, and signs nothing by any more."""
    sources: tuple[str, ...] = ()
    as_of: str | None = None


@cache
def signing_keys() -> tuple[SigningKey, ...]:
    """AMD, NVIDIA, the distributions."""
    return records("keys", "key", SigningKey)


def signing_key(id: str) -> SigningKey | None:
    """By its id; None: not known."""
    return next((one for one in signing_keys() if one.id == id), None)


def owner_of(fingerprint: str) -> str:
    """Id of the publisher that has this primary key, also a retired one; empty: not known."""
    wanted = fingerprint.upper()
    return next((one.id for one in signing_keys() if wanted in one.fingerprints or wanted in one.retired), "")


def publishers(uri: str) -> tuple[SigningKey, ...]:
    """Who publishes at that address; none: not known, or a mirror."""
    host = uri.partition("://")[2].partition("/")[0].rpartition("@")[2].partition(":")[0].lower()
    return tuple(one for one in signing_keys() if host in one.hosts)
