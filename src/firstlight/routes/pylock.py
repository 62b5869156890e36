"""PEP 751 text as uv writes it -> the wheels that it names; and the other way."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Mapping, Sequence
from urllib.parse import unquote

import msgspec

from ..project.toml_file import bad_value, checked, parse_toml
from ..project.urls import local_path, without_credentials
from .model import Wheel

LOCAL_FOLDER = ".firstlight/wheels"
"""Where a project keeps wheels that come from no index, relative to its root."""


ADDRESS = "address"
"""Source of what was asked for by its address."""


class PackageWheel(msgspec.Struct, frozen=True, kw_only=True, rename="kebab"):
    """One of `packages.wheels`, or `packages.sdist`; what else PEP 751 allows does not matter here."""

    name: str | None = None
    url: str | None = None
    path: str | None = None
    size: int | None = None
    upload_time: dt.datetime | None = None
    hashes: dict[str, str] = {}


class Package(msgspec.Struct, frozen=True, kw_only=True):
    """One of `packages`."""

    name: str
    version: str
    wheels: tuple[PackageWheel, ...] = ()
    sdist: PackageWheel | None = None
    archive: PackageWheel | None = None
    """Of what was asked for by its URL."""


class PylockFile(msgspec.Struct, frozen=True, kw_only=True, rename="kebab"):
    """The file, as far as it is read."""

    lock_version: str = "1.0"
    packages: tuple[Package, ...]


def wheels_of(
    text: str, tags: Sequence[str] | frozenset[str], sources: Mapping[str, str], name: str = "pylock.toml"
) -> tuple[Wheel, ...]:
    """Raises UnreadableInput, naming `name` and the bad value. `sources`: folder or URL -> name of the source, "" for
    the default. Of several wheels of one package the first that `tags` allow is taken; no tags allow all."""
    return tuple(_wheel(package, tags, sources, name) for package in _read(text, name).packages)


def _read(text: str, name: str) -> PylockFile:
    file = checked(parse_toml(text.encode(), name), PylockFile, name)
    if file.lock_version.partition(".")[0] != "1":  # PEP 751: another major version means something else
        raise bad_value(name, "lock-version", f"`{file.lock_version[:20]}` is not known; expected `1.0`")
    for number, package in enumerate(file.packages):
        for key, said in (("name", package.name), ("version", package.version)):
            if not said or not said.isascii() or not said.isprintable() or any(sign in said for sign in " /\\"):
                raise bad_value(name, f"packages[{number}].{key}", f"no {key} of a distribution")
        for one in (*package.wheels, package.sdist, package.archive):
            if one is not None and not "".join((one.name or "", one.url or "", one.path or "")).isprintable():
                raise bad_value(name, f"packages[{number}]", "expected names and addresses without control characters")
    return file


def named(text: str, source: str) -> tuple[Wheel, ...]:
    """From uv's other form, `name==version` a line: all that can be told where an index states no hashes."""
    lines = (line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))
    return tuple(_named(line, source) for line in lines if "==" in line or " @ " in line)


def _named(line: str, source: str) -> Wheel:
    """`name==1.0` or `name @ https://host/name-1.0-py3-none-any.whl`, perhaps with a marker behind."""
    said = line.partition(" ;")[0]
    name, at, url = (part.strip() for part in said.partition(" @ "))
    if not at:
        name, _, version = (part.strip() for part in said.partition("#")[0].partition(";")[0].partition("=="))
        return Wheel(name=name.partition("[")[0], version=version, filename="", sha256="", source=source)
    return Wheel(name=name.partition("[")[0], version="", filename="", sha256="", url=url, source=ADDRESS)


class Offered(msgspec.Struct, frozen=True, kw_only=True):
    """One file that a text names."""

    wheel: Wheel
    path: str | None
    """Where it lies, if on this disk."""


def offers_of(text: str, source: str, name: str = "pylock.toml") -> dict[str, tuple[Offered, ...]]:
    """Every file that the text names for each package, wheels first, in its order; those for which no sha256 is told
    are left out. Raises UnreadableInput."""
    file = _read(text, name)
    return {
        package.name: tuple(
            Offered(
                wheel=msgspec.structs.replace(_held(package, one, {}), source=source),
                path=local_path(one.url or one.path or ""),
            )
            for one in (*package.wheels, package.sdist, package.archive)
            if one is not None and (one.url or one.path) and _is_sha256(one.hashes.get("sha256", ""))
        )
        for package in file.packages
    }


def _wheel(package: Package, tags: Sequence[str] | frozenset[str], sources: Mapping[str, str], name: str) -> Wheel:
    place = f"packages.{package.name}.wheels"
    chosen = next((one for one in package.wheels if _fits(_filename(one), tags)), None)
    chosen = chosen or next(iter(package.wheels), None)
    if chosen is None and package.sdist is not None:
        place, chosen = f"packages.{package.name}.sdist", package.sdist
    if chosen is None and package.archive is not None and _filename(package.archive).endswith(".whl"):
        place, chosen = f"packages.{package.name}.archive", package.archive
        sources = {"": ADDRESS}
    if chosen is None or not (chosen.url or chosen.path):
        raise bad_value(name, place, "expected a wheel with its url or path")
    if not _is_sha256(chosen.hashes.get("sha256", "")):
        raise bad_value(name, f"{place}.hashes", "expected a sha256")
    return _held(package, chosen, sources)


def _is_sha256(text: str) -> bool:
    return len(text) == 64 and all(sign in "0123456789abcdef" for sign in text)


def _held(package: Package, chosen: PackageWheel, sources: Mapping[str, str]) -> Wheel:
    where = chosen.url or chosen.path or ""
    path = local_path(where)
    return Wheel(
        name=package.name,
        version=package.version,
        filename=_filename(chosen),
        sha256=chosen.hashes["sha256"],
        size=chosen.size if path is None else _size(path),
        url=None if path is not None else without_credentials(where),
        source=_source(where, path, sources),
        uploaded=_day(chosen.upload_time),
    )


def _filename(wheel: PackageWheel) -> str:
    return wheel.name or unquote((wheel.url or wheel.path or "").split("#", maxsplit=1)[0].rpartition("/")[2])


def _fits(filename: str, tags: Sequence[str] | frozenset[str]) -> bool:
    if not tags:
        return True
    from packaging.utils import InvalidWheelFilename, parse_wheel_filename
    from packaging.version import InvalidVersion

    try:
        return any(str(tag) in tags for tag in parse_wheel_filename(filename)[3])
    except (InvalidWheelFilename, InvalidVersion):
        return False


def _size(path: str) -> int | None:
    try:
        return os.path.getsize(path)
    except OSError:
        return None


def _day(moment: dt.datetime | None) -> str | None:
    return moment.date().isoformat() if moment else None


def _source(place: str, path: str | None, sources: Mapping[str, str]) -> str:
    """Name of the source whose folder or URL this lies under, the innermost if several do."""
    roots = [(_root(location), name) for location, name in sources.items() if location]
    inside = [(len(root), name) for root, name in roots if (path or place).startswith(root + "/")]
    return max(inside)[1] if inside else sources.get("", "default")


def _root(location: str) -> str:
    """Under which a source's files lie. A simple index on disk keeps them beside its pages, not under them."""
    root = (local_path(location) or location).rstrip("/")
    return os.path.dirname(root) if os.path.basename(root) == "simple" else root


def pylock_text(wheels: Sequence[Wheel], python: str, paths: Mapping[str, str] | None = None) -> str:
    """PEP 751 for one environment: each wheel by URL and hash, a local one by its path under LOCAL_FOLDER, or by
    `paths` (file name -> path). The same wheels give the same bytes; uv and pip take it as it is."""
    import tomli_w

    return tomli_w.dumps({
        "lock-version": "1.0",
        "created-by": "firstlight",
        "requires-python": f"=={python}.*",
        "packages": [_package(wheel, paths or {}) for wheel in sorted(wheels, key=lambda one: one.name)],
    })  # fmt: skip


def _package(wheel: Wheel, paths: Mapping[str, str]) -> dict[str, object]:
    local = paths.get(wheel.filename) or f"{LOCAL_FOLDER}/{wheel.filename}"
    where = {"url": wheel.url} if wheel.url else {"path": local}
    size = {} if wheel.size is None else {"size": wheel.size}
    file = {"name": wheel.filename, **where, **size, "hashes": {"sha256": wheel.sha256}}
    form = {"sdist": file} if wheel.is_source else {"wheels": [file]}
    return {"name": wheel.name, "version": wheel.version, **form}
