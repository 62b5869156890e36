"""Which apt repositories there are: the distributions' own, AMD's in three generations, NVIDIA's; and what is publicly
known of packages that do not fit."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache
from typing import Literal

import msgspec

from .tables import raw, records

Backend = Literal["rocm", "cuda"]
Part = Literal["driver", "user-space"]
Generation = Literal["rocm", "amdrocm", "amdgpu", "cuda"]


class Distribution(msgspec.Struct, frozen=True, kw_only=True):
    """One release of a distribution."""

    id: str
    """As in os-release: `debian`, `ubuntu`."""
    version: str | None = None
    """`24.04`, `12`; None: it has none (sid)."""
    codename: str
    aliases: tuple[str, ...] = ()
    """Names of its suite that move with time: `stable`."""
    pockets: tuple[str, ...]
    """Its suites in the main archive."""
    security: str | None = None
    """Its suite in the archive of security updates."""
    sources: tuple[str, ...] = ()
    as_of: str | None = None

    @property
    def label(self) -> str:
        """`ubuntu 24.04 (noble)`."""
        return f"{self.id} {self.version} ({self.codename})" if self.version else f"{self.id} {self.codename}"


class Archive(msgspec.Struct, frozen=True, kw_only=True):
    """Where a distribution serves itself."""

    name: str
    """As FIRSTLIGHT_SOURCE_<NAME> and `[[source]]` remap it."""
    id: str
    url: str
    security: str
    components: tuple[str, ...]
    architectures: tuple[str, ...] = ()
    """Debian architectures that it holds; empty: all."""
    key: str
    """Of `keys.toml`."""
    sources: tuple[str, ...] = ()
    as_of: str | None = None


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """What a release offers of ROCm and NVIDIA's driver: package -> version, as seen on the table's day."""

    codename: str
    rocm: dict[str, str] = {}
    nvidia: dict[str, str] = {}
    nvidia_components: tuple[str, ...] = ()
    """Components of the archive that NVIDIA's packages are in, beside main."""
    libcxx: str | None = None
    """Major version of LLVM that its `libc++-dev` stands for."""
    sources: tuple[str, ...] = ()
    as_of: str | None = None


class DistroRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What to ask the releases of a distribution for, as a route."""

    name: str
    """Of the route."""
    backend: Backend
    part: Part
    packages: tuple[str, ...]
    codenames: tuple[str, ...]
    sources: tuple[str, ...] = ()
    as_of: str | None = None


class Suite(msgspec.Struct, frozen=True, kw_only=True):
    """Where a vendor's repository serves one release of a distribution."""

    codename: str
    """Of the distribution's release. The suite may be made for another one: AMD sends Debian 12 to jammy's."""
    suite: str | None = None
    """None: the repository is flat."""
    place: str = ""
    """What stands for `{place}` in the address."""
    architecture: str | None = None
    """Debian architecture that this place is for; None: any."""
    source: str
    """Where we know it from."""


class VendorRepository(msgspec.Struct, frozen=True, kw_only=True):
    """One repository of a maker of chips, and the packages that it documents."""

    name: str
    """Of the route, and of the source as FIRSTLIGHT_SOURCE_<NAME> and `[[source]]` remap it."""
    maker: str
    backend: Backend
    part: Part
    generation: Generation
    release: str
    """Of ROCm, CUDA or the driver."""
    url: str
    """With `{place}` where it differs between distributions."""
    flat: bool = False
    components: tuple[str, ...] = ()
    packages: tuple[str, ...]
    """What its maker says to install; `{target}` stands for the GPU's target."""
    targets: tuple[str, ...] = ()
    """Targets that there are such packages for."""
    meta: str | None = None
    """The package for all targets, where `packages` are for one each."""
    architectures: tuple[str, ...]
    origin: str | None = None
    """`Origin` in its Release file, where that is known."""
    pin: int | None = None
    """Priority of the pin on `origin` that its maker documents."""
    key: str
    """Of `keys.toml`."""
    apus: bool = True
    """False: not for APUs, which take the kernel's own driver."""
    offered: bool = False
    """Judged in every plan; the others only where the machine has them, in the matrix, or when they are named."""
    complete: bool = False
    """Whether `suites` is its maker's own list: a release that is not in it is not served."""
    suites: tuple[Suite, ...]
    sources: tuple[str, ...] = ()
    as_of: str | None = None

    def suite(self, codename: str, architecture: str) -> Suite | None:
        """Where it serves that release on that Debian architecture; None: no source says that it does."""
        if architecture not in self.architectures:
            return None
        fit = (one for one in self.suites if one.codename == codename)
        return next((one for one in fit if one.architecture in (None, architecture)), None)

    def address(self, suite: Suite) -> str:
        """URL of the repository for that suite."""
        return self.url.replace("{place}", suite.place)


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """A public report that a package's relation cannot be met."""

    package: str
    relation: str
    """Name of the package that the relation is on."""
    url: str
    first_seen: str | None = None
    fixed_in: str | None = None
    sources: tuple[str, ...] = ()
    as_of: str | None = None


@cache
def distributions() -> tuple[Distribution, ...]:
    """Oldest first within each distribution."""
    return records("repositories", "distribution", Distribution)


@cache
def archives() -> tuple[Archive, ...]:
    """One for each distribution."""
    return records("repositories", "archive", Archive)


@cache
def vendors() -> tuple[VendorRepository, ...]:
    """AMD's, oldest generation first, then NVIDIA's."""
    return records("repositories", "vendor", VendorRepository)


@cache
def requests() -> tuple[DistroRequest, ...]:
    """What distributions are asked for."""
    return records("repositories", "request", DistroRequest)


def source_names() -> tuple[str, ...]:
    """Names that a `[[source]]` can remap; the archives of security updates have one of their own."""
    own = ((one.name, f"{one.name}-security") for one in archives())
    return (*(one.name for one in vendors()), *(name for pair in own for name in pair))


def offer(codename: str) -> Offer | None:
    """What that release was seen to offer; None: not known."""
    return next((one for one in records("repositories", "offer", Offer) if one.codename == codename), None)


def source_of(key: str) -> str:
    """The legend's words for the source of a suite."""
    said = raw("repositories").get("legend", {}).get(key, key)
    return str(said)


def distribution(text: str, *, like: str | None = None) -> Distribution | None:
    """The release that a person or os-release names: `noble`, `24.04`, `ubuntu-24.04`, `debian 13`, `sid`, `stable`.
    `like`: the distribution that a bare version or alias belongs to."""
    words = text.lower().replace("-", " ").replace("_", " ").split()
    ids = {one.id for one in distributions()}
    named = words[0] if len(words) > 1 and words[0] in ids else None
    word = words[-1] if words else ""
    if not named and word.startswith(tuple(ids)):  # ubuntu24.04
        named = next(one for one in ids if word.startswith(one))
        word = word[len(named) :] or word
    fit = [one for one in distributions() if named in (None, one.id)]
    fit.sort(key=lambda one: one.id != like)
    return next((one for one in fit if word in (one.codename, one.version, *one.aliases)), None)


def report(package: str, relation: str) -> Report | None:
    """What is publicly known of `package` wanting `relation` (two names); None: nothing known to us."""
    rows = records("repositories", "report", Report)
    return next((one for one in rows if fnmatchcase(package, one.package) and relation == one.relation), None)
