"""What a package manager is asked, and what it would do or why it cannot."""

from __future__ import annotations

from typing import Literal

import msgspec

LinkKind = Literal[
    "needs", "no-candidate", "not-offered", "version-not-offered", "conflicts", "breaks", "held", "pinned",
    "needs-removal", "wrong-architecture", "obsoleted",
]  # fmt: skip


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked of apt-get."""

    wanted: tuple[str, ...]
    """In apt-get's syntax: `name`, `name=version`, `name/suite`, `name:arch`, `name-`, `name+`."""


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One package before and after."""

    name: str
    architecture: str
    before: str | None
    after: str | None
    origin: str = ""
    """URI and suite of `after`."""
    size: int | None = None
    installed_size: int | None = None
    sha256: str = ""
    filename: str = ""
    held: bool = False
    auto: bool = False


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """One link of the chain of reasons."""

    wanted: tuple[str, str]
    """Name and version of the package that wants it; version empty: the request itself."""
    relation: str
    """As its control file writes it: `libc++-dev (= 1:15.0-56)`."""
    kind: LinkKind
    offered: tuple[tuple[str, str, str], ...] = ()
    """(name, version, origin) of what there is."""
    by: str = ""
    """The other side: of a conflict the package, of a pin the file."""


class Solved(msgspec.Struct, frozen=True, kw_only=True):
    """The answer."""

    possible: bool
    changes: tuple[Change, ...] = ()
    problems: tuple[tuple[Link, ...], ...] = ()
    """Chains, the wanted package first."""
    kept_back: tuple[str, ...] = ()
