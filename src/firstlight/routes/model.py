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


Part = Literal["driver", "user-space", "packages"]
"""What a system route answers: the kernel driver, ROCm or CUDA outside of Python, or packages that were named."""


class Deb(msgspec.Struct, frozen=True, kw_only=True):
    """One system package that a route changes."""

    name: str
    architecture: str
    before: str | None
    """Installed version; None: it is new."""
    after: str | None
    """None: it is removed."""
    origin: str = ""
    """Where `after` comes from: URI and suite."""
    filename: str = ""
    """Below the URI."""
    size: int | None = None
    installed_size: int | None = None
    """Bytes on disk, of `after`."""
    sha256: str = ""
    held: bool = False
    auto: bool = False
    """Only because another package needs it."""


class System(msgspec.Struct, frozen=True, kw_only=True):
    """What a route through the package manager would do."""

    part: Part
    asked: tuple[str, ...]
    """In apt-get's syntax."""
    exact: tuple[str, ...] = ()
    """The same with the exact versions of all that changes: `apt-get install` of these gives just that."""
    install: tuple[Deb, ...] = ()
    upgrade: tuple[Deb, ...] = ()
    downgrade: tuple[Deb, ...] = ()
    remove: tuple[Deb, ...] = ()
    release: str | None = None
    """Codename of the release that it was judged for, where that is not the machine's own."""


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
    system: System | None = None
    """Of a route through the system's package manager; None: it builds a Python environment."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Every route judged; `chosen` names the one that the choice rules pick, None if none works."""

    backend: Backend | None
    """The backend that was wanted, or that the machine calls for; None if that cannot be told."""
    routes: tuple[Route, ...]
    chosen: str | None
    why: Words
    """Why that one, or why none."""
