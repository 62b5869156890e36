"""Ways to get what is wanted, and the verdict on each."""

from __future__ import annotations

from typing import Literal

import msgspec

from ..project.model import Backend, Source
from ..words import Words

Tier = Literal["vendor", "upstream", "distro", "community", "local"]
TIERS: tuple[Tier, ...] = ("vendor", "upstream", "distro", "community", "local")
"""In the order of preference."""

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
    """One file a route would install."""

    name: str
    version: str
    filename: str
    sha256: str
    size: int | None = None
    url: str | None = None
    """Where it is fetched; None for a wheel of a local folder, which is found by its hash."""
    source: str
    """Name of the Source it comes from."""
    uploaded: str | None = None
    """ISO date on which its index says that it was published."""


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


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Every route judged; `chosen` names the one that the choice rules pick, None if none works."""

    backend: Backend | None
    """The backend that was wanted, or that the machine calls for; None if that cannot be told."""
    routes: tuple[Route, ...]
    chosen: str | None
    why: Words
    """Why that one, or why none."""
