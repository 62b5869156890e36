"""Routes that the user declares (`[[route]]`) -> candidates to judge, or routes that are judged already."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from ..project.model import Backend, DeclaredRoute, Project, Source
from ..project.urls import local_path, redact
from .archives import open_archive, opened
from .candidates import BACKENDS, Candidate, backend_of_url, number_of_url
from .declared_reasons import needs_container, no_torch, no_torch_for, not_built_yet, not_fetched_yet
from .model import Because, Provenance, Route
from .reasons import not_the_backend, unreadable_folder
from .wheelhouse import HeldWheel, look_into, look_into_index

Found = tuple["Candidate | Route", ...]


def declared_candidates(
    project: Project, arch: str | None, wanted: Sequence[Backend] = (), *, cache: str | None = None
) -> tuple[Candidate | Route, ...]:
    """In the order of declaration. A tarball on this disk is opened into the user's cache (`cache`, for tests); nothing
    is fetched. `wanted`: backends that are called for; routes declared for others are not even looked into."""
    found: list[Candidate | Route] = []
    for route in project.routes:
        backend = route.backend or _backend_of_targets(route)
        if wanted and backend is not None and backend not in wanted:
            found.append(_closed(route, not_the_backend(backend, " / ".join(wanted)), wanted))
        elif route.kind == "tarball":
            found += _tarball(route, arch, wanted, cache)
        else:
            found += _KINDS[route.kind](route, arch, wanted)
    return tuple(found)


def declared_sources(project: Project, *, cache: str | None = None) -> tuple[Source, ...]:
    """The folders on this disk where wheels of declared routes lie, by the names that a lock records. Nothing is
    opened: of tarballs those that were opened before, which are named by their sha256."""
    places = ((route, _folder_of(route, cache)) for route in project.routes)
    return tuple(_source(route, folder) for route, folder in places if folder is not None)


def _folder_of(route: DeclaredRoute, cache: str | None) -> str | None:
    if route.kind in ("folder", "build"):
        return local_path(route.url)
    if route.kind != "tarball":
        return None
    path = local_path(route.url)
    if route.sha256 is not None:
        return opened(route.sha256, cache)
    found = open_archive(path, None, route.name, cache) if path and os.path.isfile(path) else None
    return found if isinstance(found, str) else None


def provenance_of(route: DeclaredRoute) -> Provenance:
    """What stands in the lock: no path, no credentials."""
    return Provenance(
        declared_in=route.declared_in, maintainer=route.maintainer, licence=route.licence,
        recipe=redact(route.recipe) if route.recipe else None,
        homepage=redact(route.homepage) if route.homepage else None, build_minutes=route.build_minutes,
    )  # fmt: skip


def _index(route: DeclaredRoute, arch: str | None, wanted: Sequence[Backend]) -> Found:
    source = Source(name=route.name, url=route.url, kind="index", origin=route.declared_in)
    listed = look_into_index(source, arch)
    if listed is None:
        backend = route.backend or _backend_of_targets(route) or backend_of_url(route.url)
        return (_candidate(route, source, backend, route.name, number=number_of_url(route.url)),)
    return _listed(route, source, listed.wheels or (), wanted, flat=False)


def _folder(route: DeclaredRoute, arch: str | None, wanted: Sequence[Backend]) -> Found:
    return _of_folder(route, local_path(route.url) or "", arch, wanted)


def _of_folder(route: DeclaredRoute, folder: str, arch: str | None, wanted: Sequence[Backend]) -> Found:
    source = _source(route, folder)
    house = look_into(source, arch)
    if house.error or house.wheels is None:
        reason = unreadable_folder(route.name, house.error or "not a folder")
        return (_closed(route, reason, wanted),)
    return _listed(route, source, house.wheels, wanted, flat=True)


def _build(route: DeclaredRoute, arch: str | None, wanted: Sequence[Backend]) -> Found:
    """A folder of results, which may not be there yet."""
    house = look_into(_source(route, local_path(route.url) or ""), arch)
    if not any(wheel.name == "torch" for wheel in house.wheels or ()):
        return (_closed(route, not_built_yet(route), wanted),)
    return _folder(route, arch, wanted)


def _image(route: DeclaredRoute, arch: str | None, wanted: Sequence[Backend]) -> Found:
    del arch
    return (_closed(route, needs_container(route.url, route.name), wanted),)


def _tarball(route: DeclaredRoute, arch: str | None, wanted: Sequence[Backend], cache: str | None) -> Found:
    path = local_path(route.url)
    if path is None:
        folder = opened(route.sha256, cache) if route.sha256 else None
        if folder is None:
            return (_closed(route, not_fetched_yet(route.name, route.url), wanted),)
        return _of_folder(route, folder, arch, wanted)
    found = open_archive(path, route.sha256, route.name, cache)
    if isinstance(found, Because):
        return (_closed(route, found, wanted),)
    return _of_folder(route, found, arch, wanted)


_KINDS: dict[str, Callable[[DeclaredRoute, str | None, Sequence[Backend]], Found]] = {
    "index": _index, "folder": _folder, "build": _build, "image": _image,
}  # fmt: skip


def _listed(
    route: DeclaredRoute, source: Source, wheels: Sequence[HeldWheel], wanted: Sequence[Backend], *, flat: bool
) -> Found:
    """By what the file names of its torch wheels tell; one candidate for each backend."""
    torch = [wheel for wheel in wheels if wheel.name == "torch"]
    if not torch:
        return (_closed(route, no_torch(route.name), wanted),)
    told = {backend: tuple(_as(one, backend) for one in torch if _told(one, route) == backend) for backend in BACKENDS}
    present = [backend for backend in BACKENDS if told[backend] and route.backend in (None, backend)]
    if not present:
        has = [str(_told(one, route) or one.version) for one in torch]
        reason = no_torch_for(route.name, route.backend or "?", list(dict.fromkeys(has))[:5])
        return (_closed(route, reason, wanted),)
    mixed = len([backend for backend in BACKENDS if told[backend]]) > 1
    return tuple(
        _candidate(
            route, source, backend, f"{route.name}-{backend}" if len(present) > 1 else route.name, flat=flat,
            torch=told[backend], held=_held(wheels, route, backend) if mixed and flat else None,
        )
        for backend in present
    )  # fmt: skip


def _told(wheel: HeldWheel, route: DeclaredRoute) -> Backend | None:
    """What a torch wheel was built for. A local version of another form than PyTorch's (`gfx906.20260802`,
    `gitba56102`), or none, tells nothing: then the declaration counts."""
    local = wheel.version.partition("+")[2]
    said = route.backend or _backend_of_targets(route)
    if not local:
        return said or wheel.backend
    return wheel.backend or ("rocm" if local.startswith("gfx") else said)


def _held(wheels: Sequence[HeldWheel], route: DeclaredRoute, backend: Backend) -> tuple[HeldWheel, ...]:
    """Builds for other backends left out."""
    from .family import BUILDS

    return tuple(one for one in wheels if one.name not in BUILDS or _told(one, route) == backend)


def _as(wheel: HeldWheel, backend: Backend) -> HeldWheel:
    """What its name does not tell is filled in from the declaration."""
    return wheel if wheel.backend == backend else msgspec.structs.replace(wheel, backend=backend, backend_version=None)


def _backend_of_targets(route: DeclaredRoute) -> Backend | None:
    """All of them are of one vendor (project/routes.py)."""
    if not route.targets:
        return None
    return "rocm" if route.targets[0].startswith("gfx") else "cuda"


def _candidate(
    route: DeclaredRoute,
    source: Source,
    backend: Backend | None,
    name: str,
    *,
    flat: bool = False,
    torch: tuple[HeldWheel, ...] | None = None,
    held: tuple[HeldWheel, ...] | None = None,
    number: str | None = None,
) -> Candidate:
    return Candidate(
        name=name, tier=route.tier, backend=backend, source=source, flat=flat, torch=torch, held=held, number=number,
        provenance=provenance_of(route), claimed=route.targets,
    )  # fmt: skip


def _source(route: DeclaredRoute, folder: str) -> Source:
    return Source(name=route.name, url=folder, kind="folder", origin=route.declared_in)


def _closed(route: DeclaredRoute, reason: Because, wanted: Sequence[Backend]) -> Route:
    backend = route.backend or _backend_of_targets(route) or (wanted[0] if wanted else "cpu")
    kind: Literal["index", "folder"] = "index" if route.kind == "index" else "folder"
    return Route(
        name=route.name, tier=route.tier, backend=backend, verdict="blocked", because=(reason,),
        source=Source(name=route.name, url=redact(route.url), kind=kind, origin=route.declared_in),
        provenance=provenance_of(route),
    )  # fmt: skip
