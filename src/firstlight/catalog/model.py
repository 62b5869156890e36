"""What an index says, once it was read and checked."""

from __future__ import annotations

from typing import Literal

import msgspec

from ..words import Words

TroubleKind = Literal[
    "not-there", "unreachable", "denied", "offline", "server-error", "bad-certificate", "damaged-index", "wrong-hash",
    "too-large",
]  # fmt: skip


class IndexFile(msgspec.Struct, frozen=True, kw_only=True):
    """One file of a project (PEP 503, PEP 691, PEP 700)."""

    filename: str
    """Without folders; `%2B` is decoded."""
    url: str
    """Absolute, `http:`, `https:` or `file:`; without a fragment, user name or password."""
    sha256: str | None = None
    """None: the index does not state it."""
    size: int | None = None
    """Bytes; None: the index does not state it."""
    uploaded: str | None = None
    """ISO date."""
    yanked: str | None = None
    """PEP 592: the reason, which may be empty; None: not yanked."""
    requires_python: str | None = None
    metadata: bool = False
    """PEP 658, PEP 714: its METADATA can be had by itself."""
    metadata_sha256: str | None = None


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """All files of one project on one index, in the index's order."""

    project: str
    """Normalised (PEP 503)."""
    files: tuple[IndexFile, ...]
    as_of: float
    """When the index last said so, seconds since 1970."""
    stale: bool = False
    """Read from the cache because the index may not, or could not, be asked."""
    trouble: Trouble | None = None
    """Of a stale page: why the index was not asked again."""


class Metadata(msgspec.Struct, frozen=True, kw_only=True):
    """Core metadata of one distribution, as far as planning needs it."""

    name: str
    """Normalised."""
    version: str
    requires: tuple[str, ...] = ()
    """Requires-Dist, PEP 508."""
    extras: tuple[str, ...] = ()
    """Provides-Extra, normalised."""
    requires_python: str | None = None
    dynamic: tuple[str, ...] = ()
    """Fields that an sdist leaves open until it is built (core metadata 2.2), lower case: `requires-dist`."""
    build_requires: tuple[str, ...] = ()
    """What an sdist is built with (PEP 518), PEP 508; empty for a wheel."""


class Trouble(msgspec.Struct, frozen=True, kw_only=True):
    """Why something could not be read. `not-there` is the index's own answer; the others say nothing about it."""

    kind: TroubleKind
    subject: str
    """The address without credentials."""
    text: Words
