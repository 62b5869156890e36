"""What else decides whether the files load: libraries, C library, Python, and whether they agree with one another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from ..knowledge.versions import version_key
from .built_for import BuiltFor, built_for
from .disagreements import disagreements
from .model import Report
from .needed import Needed, needed, of_host
from .problems import Machine, Problem, against, alias
from .python_tags import asks

__all__ = ["Loading", "Machine", "Needed", "Problem", "loading"]


class Loading(msgspec.Struct, frozen=True, kw_only=True):
    """All that is asked for."""

    libraries: tuple[Needed, ...] = ()
    machines: tuple[str, ...] = ()
    glibc: str | None = None
    """Newest that any file asks for."""
    glibcxx: str | None = None
    pythons: tuple[str, ...] = ()
    built_for: tuple[BuiltFor, ...] = ()
    """For each report."""
    problems: tuple[Problem, ...] = ()


def loading(reports: Sequence[Report], machine: Machine | None = None) -> Loading:
    """What the files need, and what of it `machine` lacks, or they themselves contradict."""
    needs = [(piece, piece.needs) for report in reports for piece in report.pieces if piece.needs and of_host(piece)]
    wheels = [(report, asks(report.python)) for report in reports if report.python]
    made = tuple(built_for(report) for report in reports)
    lacking = against(reports, needs, wheels, made, machine) if machine else ()
    return Loading(
        libraries=tuple(needed(reports)),
        machines=tuple(sorted({alias(one.machine) for _, one in needs})),
        glibc=_newest([one.glibc for _, one in needs] + [wheel.glibc for _, wheel in wheels]),
        glibcxx=_newest([one.glibcxx for _, one in needs]),
        pythons=tuple(dict.fromkeys(one for _, wheel in wheels for one in wheel.pythons)),
        built_for=made,
        problems=(*lacking, *disagreements(reports, made)),
    )


def _newest(versions: Iterable[str | None]) -> str | None:
    return max((one for one in versions if one), key=version_key, default=None)
