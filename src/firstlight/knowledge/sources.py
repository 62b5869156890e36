"""Where the torch family is published, and who answers for it."""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec

from .tables import raw, records

Tier = Literal["vendor", "upstream", "distro", "community", "local"]


class IndexSource(msgspec.Struct, frozen=True, kw_only=True):
    """One package index of the torch family."""

    name: str
    """As FIRSTLIGHT_SOURCE_<NAME> and `[[source]]` remap it: `pytorch-cpu`, `pytorch-cu130`, `pytorch-rocm7.2`."""
    url: str
    tier: Tier
    backend: str
    """`cpu`, `cuda`, `rocm`."""
    backend_version: str | None = None
    """CUDA or ROCm that it was built for; of AMD's indices the line (`10`)."""
    source: str
    """Where we know it from."""
    as_of: str | None = None


class Channel(msgspec.Struct, frozen=True, kw_only=True):
    """One of AMD's release channels."""

    name: str
    urls: tuple[str, ...]
    version_form: str
    note: str | None = None
    source: tuple[str, ...] = ()
    as_of: str | None = None


@cache
def builtin_indices() -> tuple[IndexSource, ...]:
    """All indices that the program knows by itself: the CPU one first, then by backend and version."""
    return records("sources", "index", IndexSource)


def index_for(backend: str, backend_version: str | None = None, tier: str = "upstream") -> IndexSource | None:
    """The index of a backend and its version; None: no such index is known."""
    for index in builtin_indices():
        if (index.backend, index.backend_version, index.tier) == (backend, backend_version, tier):
            return index
    return None


@cache
def channels() -> tuple[Channel, ...]:
    """AMD's channels: stable, prerelease, nightly, dev."""
    return records("sources", "channel", Channel)


def hosts() -> frozenset[str]:
    """Host names of all of them."""
    urls = [index.url for index in builtin_indices()]
    urls += [url for channel in raw("sources")["channel"] for url in channel["urls"]]
    return frozenset(url.split("/")[2] for url in urls)
