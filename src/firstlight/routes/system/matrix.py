"""Releases of the vendors against releases of the distributions: what is known of each pair, and from where."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from ...knowledge.repositories import (
    Distribution,
    Offer,
    VendorRepository,
    distributions,
    offer,
    requests,
    source_of,
    vendors,
)
from ...words import Words
from ..model import Route

State = Literal["works", "harmful", "blocked", "served", "not-served", "unknown"]
"""The first three were judged with the indices themselves; `served`: its maker publishes it for that release."""
Told = Literal["read", "known", "unknown"]

LEADING = ("wanted", "needs")
"""Kinds of links that lead to the reason."""
DISTRO_ROCM = "distro-rocm"
DISTRO_NVIDIA = "distro-nvidia"


class Cell(msgspec.Struct, frozen=True, kw_only=True):
    """One release of a vendor on one release of a distribution."""

    row: str
    column: str
    """Codename."""
    state: State
    told: Told
    """`read`: from the indices; `known`: from what is published about it, `source`; `unknown`: from nothing."""
    source: str = ""
    text: Words = Words("", "")


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One release of a vendor, or what the distribution offers itself."""

    name: str
    maker: str
    release: str


class Matrix(msgspec.Struct, frozen=True, kw_only=True):
    """All pairs."""

    rows: tuple[Row, ...]
    columns: tuple[Distribution, ...]
    cells: tuple[Cell, ...]


Judge = Callable[[str, Distribution], "Route | None"]
"""(name of the row, release) -> the route as its indices have it; None: they are not at hand."""


def matrix(architecture: str, judge: Judge | None = None) -> Matrix:
    """Every pair for a Debian architecture. `judge` is asked first; without an answer, knowledge is."""
    rows = (*_distro_rows(), *(Row(name=one.name, maker=one.maker, release=one.release) for one in vendors()))
    columns = distributions()
    cells = tuple(_cell(row, column, architecture, judge) for row in rows for column in columns)
    return Matrix(rows=rows, columns=columns, cells=cells)


def _distro_rows() -> tuple[Row, ...]:
    names = dict.fromkeys(one.name for one in requests())
    return tuple(Row(name=name, maker="", release="") for name in names)


def _cell(row: Row, column: Distribution, architecture: str, judge: Judge | None) -> Cell:
    route = judge(row.name, column) if judge else None
    if route is not None and route.verdict != "unknown":
        text = next((one.text for one in route.because if one.kind not in LEADING), Words("", ""))
        return Cell(row=row.name, column=column.codename, state=route.verdict, told="read", text=text)
    if row.name in (DISTRO_ROCM, DISTRO_NVIDIA):
        return _offered(row.name, column)
    repository = next(one for one in vendors() if one.name == row.name)
    return _served(repository, column, architecture)


def _offered(name: str, column: Distribution) -> Cell:
    found = offer(column.codename)
    parts = _parts(name, found)
    if found is None or not parts:
        return Cell(row=name, column=column.codename, state="unknown", told="unknown")
    listed = ", ".join(f"{package} {version}" for package, version in parts.items())
    source = "; ".join(found.sources)
    return Cell(
        row=name, column=column.codename, state="served", told="known", source=source, text=Words(listed, listed)
    )


def _parts(name: str, found: Offer | None) -> dict[str, str]:
    if found is None:
        return {}
    return found.rocm if name == DISTRO_ROCM else found.nvidia


def _served(repository: VendorRepository, column: Distribution, architecture: str) -> Cell:
    suite = repository.suite(column.codename, architecture)
    if suite is not None:
        where = " ".join(part for part in (repository.address(suite), suite.suite) if part)
        return Cell(
            row=repository.name, column=column.codename, state="served", told="known", source=source_of(suite.source),
            text=Words(where, where),
        )  # fmt: skip
    if repository.complete:
        source = "; ".join(repository.sources)
        return Cell(row=repository.name, column=column.codename, state="not-served", told="known", source=source)
    return Cell(row=repository.name, column=column.codename, state="unknown", told="unknown")


def releases_of(repository: VendorRepository, known: Sequence[Distribution]) -> tuple[str, ...]:
    """Labels of the releases that it serves."""
    codenames = {suite.codename for suite in repository.suites}
    return tuple(one.label for one in known if one.codename in codenames)
