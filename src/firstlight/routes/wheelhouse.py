"""What a folder of wheels holds of the torch family, told by file names alone."""

from __future__ import annotations

import os

import msgspec

from ..project.model import Backend, Source
from ..project.simple_index import linked
from ..project.urls import local_path
from .family import BUILDS, backend_of_local, may_be_own

LIMIT = 20_000
"""File names read of one folder."""


class HeldWheel(msgspec.Struct, frozen=True, kw_only=True):
    """One wheel in a folder."""

    name: str
    """Normalised."""
    version: str
    filename: str
    path: str
    tags: frozenset[str]
    """Compatibility tags, expanded: `cp311-cp311-manylinux_2_28_x86_64`."""
    backend: Backend | None
    """What its local version says; None for those that do not say."""
    backend_version: str | None


class Wheelhouse(msgspec.Struct, frozen=True, kw_only=True):
    """A folder and what it holds. `wheels` None: it cannot be listed here (a page on the network)."""

    source: Source
    wheels: tuple[HeldWheel, ...] | None
    error: str | None = None
    """Why a folder could not be read."""

    def torch(self, backend: Backend) -> tuple[HeldWheel, ...]:
        """Its torch wheels for a backend."""
        return tuple(one for one in self.wheels or () if one.name == "torch" and one.backend == backend)

    def of(self, backend: Backend) -> tuple[HeldWheel, ...]:
        """The family as a route for `backend` may see it: builds for other backends left out."""
        return tuple(one for one in self.wheels or () if one.name not in BUILDS or one.backend == backend)


def look_into(source: Source, arch: str | None) -> Wheelhouse:
    """List a find-links folder; a page on the network is left to the resolver."""
    folder = local_path(source.url)
    if folder is None:
        return Wheelhouse(source=source, wheels=None)
    try:
        names = sorted(os.listdir(folder))[:LIMIT]
    except NotADirectoryError:  # find-links may also be an HTML file
        return Wheelhouse(source=source, wheels=None)
    except (OSError, ValueError) as error:
        return Wheelhouse(source=source, wheels=(), error=getattr(error, "strerror", None) or str(error))
    held = (held_wheel(folder, name, arch) for name in names if name.endswith(".whl"))
    return Wheelhouse(source=source, wheels=tuple(one for one in held if one is not None))


def wheels_in(location: str) -> list[str]:
    """Paths of all wheels in a folder on this disk; none if it is elsewhere or cannot be read."""
    folder = local_path(location)
    try:
        names = sorted(os.listdir(folder))[:LIMIT] if folder else []
    except (OSError, ValueError):
        return []
    return [os.path.join(folder or "", name) for name in names if name.endswith(".whl")]


def named_in(filename: str) -> str | None:
    """The normalised project of a wheel's file name; None if it is none."""
    name = filename.partition("-")[0].lower().replace("_", "-").replace(".", "-")
    return name if filename.endswith(".whl") and filename.count("-") in (4, 5) else None


def is_build(path: str) -> bool:
    """Whether the file is one of those whose local version says what it was built for."""
    return os.path.basename(path).split("-", maxsplit=1)[0].lower().replace("_", "-") in BUILDS


def look_into_index(source: Source, arch: str | None) -> Wheelhouse | None:
    """The torch wheels that a simple index on this disk links to (PEP 503); None if it lies elsewhere. A missing
    project folder means no torch: an index need not have every project."""
    folder = local_path(source.url) if source.url else None
    if folder is None:
        return None
    if not os.path.isdir(folder):
        return Wheelhouse(source=source, wheels=(), error="no such folder")
    held = (held_wheel(os.path.dirname(path), os.path.basename(path), arch) for path in linked(folder, "torch"))
    return Wheelhouse(source=source, wheels=tuple(one for one in held if one is not None))


def held_wheel(folder: str, filename: str, arch: str | None) -> HeldWheel | None:
    """The wheel that a file name tells of; None if it is no wheel name, or not of the family."""
    from packaging.utils import InvalidWheelFilename, parse_wheel_filename
    from packaging.version import InvalidVersion

    if filename.count(".") > 1000 or not filename.lower().startswith(("torch", "triton", "pytorch", "rocm", "amd")):
        return None
    try:
        name, version, _, tags = parse_wheel_filename(filename)
    except (InvalidWheelFilename, InvalidVersion, ValueError):
        return None
    if not may_be_own(name):
        return None
    built = name in BUILDS
    backend, number = backend_of_local(version.local, arch) if built else (None, None)
    return HeldWheel(
        name=name, version=str(version), filename=filename, path=os.path.join(folder, filename),
        tags=frozenset(str(tag) for tag in tags), backend=backend, backend_version=number,
    )  # fmt: skip
