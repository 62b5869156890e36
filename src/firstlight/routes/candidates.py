"""Every place that may offer a torch here, before any of them is judged."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ..project.known import known_host, known_index
from ..project.model import Backend, Project, Source
from ..project.sources import PYPI
from ..project.urls import without_credentials
from .family import backend_of_local
from .model import TIERS, Provenance, Tier
from .wheelhouse import HeldWheel, Wheelhouse, look_into, look_into_index

BACKENDS: tuple[Backend, ...] = ("rocm", "cuda", "cpu")


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """One place, for one backend."""

    name: str
    """Of the route."""
    tier: Tier
    backend: Backend | None
    """None: only a resolution can tell."""
    source: Source
    flat: bool
    """A folder or page of wheels rather than an index."""
    torch: tuple[HeldWheel, ...] | None = None
    """Its torch wheels for this backend, where they can be listed."""
    held: tuple[HeldWheel, ...] | None = None
    """Set where only these files of it may be seen: it holds builds for other backends too."""
    number: str | None = None
    """Version of ROCm or CUDA that the place is known to be for."""
    published: Tier | None = None
    """Tier of the built-in source that it is named as; a user who remaps one says that it is a mirror of it."""
    error: str | None = None
    is_default: bool = False
    """The installer's own default index, whose torch for Linux is the CUDA build. One that the user named may hold
    anything."""
    provenance: Provenance | None = None
    """Of one that a settings file declares (routes/declared.py)."""
    claimed: tuple[str, ...] = ()
    """GPU targets that its maker says it holds code for."""


def candidates(project: Project, arch: str | None) -> tuple[Candidate, ...]:
    """Folders are listed, nothing is fetched."""
    found: list[Candidate] = []
    for source in project.sources.wheelhouses:
        found += _of_wheelhouse(look_into(source, arch))
    for source in project.sources.torch_indices:
        found += _of_index(source, project, arch)
    return tuple(found)


def _of_wheelhouse(house: Wheelhouse) -> Iterator[Candidate]:
    source = house.source
    if house.wheels is None or house.error:
        yield Candidate(
            name=source.name, tier="local", backend=None, source=source, flat=True, error=house.error,
            torch=() if house.error else None,
        )  # fmt: skip
        return
    present = [backend for backend in BACKENDS if house.torch(backend)]
    for backend in present:
        mixed = len(present) > 1
        yield Candidate(
            name=f"{source.name}-{backend}", tier="local", backend=backend, source=source, flat=True,
            torch=house.torch(backend), held=house.of(backend) if mixed else None,
        )  # fmt: skip


def _of_index(source: Source, project: Project, arch: str | None) -> Iterator[Candidate]:
    listed = look_into_index(source, arch)
    if listed is not None and listed.error:
        yield Candidate(
            name=source.name, tier="local", backend=None, source=source, flat=False, error=listed.error, torch=()
        )
        return
    if listed is not None and not listed.wheels:
        return  # it has no torch, and is no way to one
    main = bool(project.sources.default_indices) and source == project.sources.default_indices[-1]
    plain = main and not source.url
    known = known_index(source.name)
    published = _as_tier(known.tier if known else None)
    tier: Tier = "upstream" if plain else published or _tier(source.url)
    backend, torch = _by_listing(listed) if listed else (_backend_of(source), None)
    yield Candidate(
        name=f"{PYPI}-cuda" if plain else source.name, tier=tier, backend=backend, source=source, flat=False,
        torch=torch, is_default=plain, number=known.backend_version if known else number_of_url(source.url),
        published=published,
    )  # fmt: skip


def _backend_of(source: Source) -> Backend | None:
    known = known_index(source.name)
    said = next((one for one in BACKENDS if known is not None and one == known.backend), None)
    return said or backend_of_url(source.url)


def _as_tier(text: str | None) -> Tier | None:
    return next((tier for tier in TIERS if tier == text), None)


def _by_listing(listed: Wheelhouse) -> tuple[Backend | None, tuple[HeldWheel, ...] | None]:
    """What an index on disk holds, if that is for one backend only; of a mixed one only a resolution can tell."""
    present = [backend for backend in BACKENDS if listed.torch(backend)]
    return (present[0], listed.torch(present[0])) if len(present) == 1 else (None, None)


def backend_of_url(url: str) -> Backend | None:
    """What the path of an index says: PyTorch's end in `cpu`, `cu130`, `rocm7.2`, AMD's in a target or family."""
    return _of_url(url)[0]


def number_of_url(url: str) -> str | None:
    """Its version of ROCm or CUDA, if the path tells."""
    return _of_url(url)[1]


def _of_url(url: str) -> tuple[Backend | None, str | None]:
    for part in reversed(without_credentials(url).rstrip("/").split("/")[3:]):
        word = part.lower().split("-")[0]
        backend, number = backend_of_local(word or "-")
        if backend is not None:
            return backend, number
        if word.startswith("gfx"):
            return "rocm", None
    return None, None


def _tier(url: str) -> Tier:
    """Who answers for what a host serves: the project itself, or the maker of the chip; for any other, whoever named
    it here. A mirror is not taken for what it says that it mirrors."""
    known = known_host(_host(url))
    return _as_tier(known.tier if known else None) or "local"


def _host(url: str) -> str:
    return without_credentials(url).partition("://")[2].partition("/")[0].partition(":")[0].lower()
