"""Ways to get what is wanted, and the verdict on each."""

from __future__ import annotations

from typing import Literal

import msgspec

from ..project.model import Backend, Source
from ..words import Words

Tier = Literal["vendor", "upstream", "distro", "community", "local"]
TIERS: tuple[Tier, ...] = ("vendor", "upstream", "distro", "community", "local")
"""In the order of preference."""

CANNOT_TELL = ("unreachable", "offline", "unknown-fact", "unknown-targets", "denied", "bad-certificate", "disk-full",
               "server-error", "unwritable-cache", "uv-too-old", "no-temporary-folder", "damaged-index",
               "wrong-hash")  # fmt: skip
"""Refusals that say nothing about whether the route would work."""

RouteVerdict = Literal["works", "harmful", "blocked", "unknown"]


class Because(msgspec.Struct, frozen=True):
    """One link of the chain of reasons."""

    kind: str
    """Short kebab-case: `no-wheel-for-python`, `unreachable`, `not-the-backend`, `needs-driver` ..."""
    subject: str
    """A package, an index, a fact."""
    text: Words


class Harm(msgspec.Struct, frozen=True):
    """Something the route would break."""

    what: str
    why: Words


class Wheel(msgspec.Struct, frozen=True, kw_only=True):
    """One file a route would install: a wheel, or the sdist of a package that is published in no other form."""

    name: str
    version: str
    filename: str
    sha256: str
    """Empty in a plan whose index states none: then `lock` fetches the file and takes its hash."""
    size: int | None = None
    url: str | None = None
    """Where it is fetched; None for a wheel of a local folder, which is found by its hash."""
    source: str
    """Name of the Source it comes from."""
    uploaded: str | None = None
    """ISO date on which its index says that it was published."""

    @property
    def is_source(self) -> bool:
        """Whether it is an sdist, which is built when it is installed."""
        return not self.filename.endswith(".whl")


class Provenance(msgspec.Struct, frozen=True, kw_only=True):
    """Where a community or local route comes from, as whoever declared it says."""

    declared_in: str
    """`firstlight.toml`, the user's file, or `built-in`; never a path."""
    maintainer: str | None = None
    """Who answers for it."""
    licence: str | None = None
    """SPDX expression."""
    recipe: str | None = None
    """Address of how it was built, or the commands themselves."""
    homepage: str | None = None
    build_minutes: float | None = None
    """What building it oneself takes, on the machine that whoever declared it names."""


class Route(msgspec.Struct, frozen=True, kw_only=True):
    """One way, judged."""

    name: str
    """Kebab-case and stable: `pytorch-cpu`, `wheelhouse-cpu`, `pip-index-rocm7.2` ..."""
    tier: Tier
    backend: Backend
    verdict: RouteVerdict
    because: tuple[Because, ...]
    """From the wanted thing down to the fact; for `works`, why it does."""
    harm: tuple[Harm, ...] = ()
    versions: dict[str, str] = {}
    """Of the torch family."""
    python: str | None = None
    """Path of the interpreter it was solved for."""
    python_version: str | None = None
    wheels: tuple[Wheel, ...] = ()
    download_bytes: int | None = None
    disk_bytes: int | None = None
    minutes: float | None = None
    """To fetch it, at the speed that the user says; None: that is not known, or nothing is fetched."""
    age_days: int | None = None
    source: Source | None = None
    """Where the torch family comes from."""
    targets: tuple[str, ...] = ()
    """GPU targets of this machine that it was chosen for."""
    variables: dict[str, str] = {}
    """Environment variables that it needs here."""
    build: tuple[Wheel, ...] = ()
    """What its sdists are built with, each file pinned."""
    build_variables: dict[str, str] = {}
    """Environment variables while they are built."""
    provenance: Provenance | None = None
    as_of: str | None = None
    """ISO time at which its index last said so, where that was read from the cache because nothing could be asked."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Every route judged; `chosen` names the one that the choice rules pick, None if none works."""

    backend: Backend | None
    """The backend that was wanted, or that the machine calls for; None if that cannot be told."""
    routes: tuple[Route, ...]
    chosen: str | None
    why: Words
    """Why that one, or why none."""
