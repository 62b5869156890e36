"""The shared libraries that files ask for, and where they would come from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from ..knowledge.libraries import debian_package, known_library, number_of, stem_of
from .built_for import BuiltFor, built_for
from .model import Piece, Report

Origin = Literal["same", "other", "package", "driver", "system", "python", "unknown"]
"""`same`: the report that asks; `other`: another of the reports; `package`: a package that is known."""
ASKING = 3
"""Files that are named as those that ask for a library."""


class Needed(msgspec.Struct, frozen=True, kw_only=True):
    """One shared library that files ask for."""

    name: str
    by: tuple[str, ...]
    """Some of the files that ask."""
    origin: Origin
    where: tuple[str, ...] = ()
    """Files that are it, or packages that bring it, any of them."""


def needed(reports: Sequence[Report]) -> Iterator[Needed]:
    """Each library that is asked for once, with where it would come from."""
    here: dict[str, tuple[int, str]] = {}
    asking: dict[str, list[tuple[int, str]]] = {}
    for at, report in enumerate(reports):
        for piece in report.pieces:
            for name in names_of(piece):
                here.setdefault(name, (at, piece.path))
            for name in piece.needs.libraries if piece.needs and of_host(piece) else ():
                asking.setdefault(name, []).append((at, piece.path))
    made = [built_for(report) for report in reports]
    for name in sorted(asking):
        by = tuple(path for _, path in asking[name][:ASKING])
        reporter = asking[name][0][0]
        if name in here:
            origin: Origin = "same" if all(at == here[name][0] for at, _ in asking[name]) else "other"
            yield Needed(name=name, by=by, origin=origin, where=(here[name][1],))
        else:
            origin, where = _elsewhere(name, reports[reporter], made[reporter])
            yield Needed(name=name, by=by, origin=origin, where=where)


def names_of(piece: Piece) -> set[str]:
    """What a file is found by: its own name and the one that it bears inside."""
    return {piece.path.rpartition("/")[2], piece.needs.soname if piece.needs and piece.needs.soname else ""} - {""}


def of_host(piece: Piece) -> bool:
    """Whether it is loaded by the system's loader, and not by a GPU's."""
    return piece.needs is not None and piece.needs.machine not in ("amdgpu", "cuda")


def _elsewhere(name: str, report: Report, made: BuiltFor) -> tuple[Origin, tuple[str, ...]]:
    if stem_of(name).startswith("libpython3"):
        return "python", ()
    known = known_library(name)
    if known is None:
        return "unknown", ()
    if known.origin != "package":
        return known.origin, ()
    debian = debian_package(name)
    if report.kind == "deb" and debian:
        return "package", (debian,)
    packages = known.distributions(number_of(name), made.cuda)
    return "package", (*packages, debian) if debian and not packages else packages
