"""What a machine lacks to load the files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from ..knowledge.drivers import at_least, cuda_minimum
from ..knowledge.versions import version_key
from ..words import Words
from .built_for import BuiltFor
from .model import Needs, Piece, Report
from .python_tags import Asks, serves

ProblemKind = Literal[
    "machine", "glibc", "libstdc++", "python", "driver", "library-version", "cuda-versions", "rocm-versions", "vendors"
]  # fmt: skip
ALIASES = {"amd64": "x86_64", "arm64": "aarch64"}

_MACHINE = Words("made for {wanted}, this machine is {have}", "为 {wanted} 构建，本机是 {have}")
_GLIBC = Words("needs glibc {wanted}, this machine has {have}", "需要 glibc {wanted}，本机为 {have}")
_MUSL = Words("made for musl, this machine has glibc", "为 musl 构建，本机使用 glibc")
_GLIBCXX = Words(
    "needs a libstdc++ with GLIBCXX_{wanted}, this machine's goes up to GLIBCXX_{have}",
    "需要含 GLIBCXX_{wanted} 的 libstdc++，本机的只到 GLIBCXX_{have}",
)
_PYTHON = Words("needs Python {wanted}, this machine has {have}", "需要 Python {wanted}，本机有 {have}")
_DRIVER = Words(
    "CUDA {cuda} needs driver {least}, this machine has {have}", "CUDA {cuda} 需要驱动 {least}，本机为 {have}"
)


class Machine(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of the machine that the files shall load on. None, or empty: not known."""

    arch: str | None = None
    glibc: str | None = None
    """`2.36`; `musl` where there is none."""
    glibcxx: str | None = None
    """Newest version that its libstdc++ has: `3.4.30`."""
    pythons: tuple[str, ...] = ()
    driver: str | None = None
    """NVIDIA's."""


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Something that keeps them from loading, or from working together."""

    kind: ProblemKind
    subject: str
    """File, or report."""
    text: Words
    stops: bool = True
    """Whether it keeps them from running on the machine. A Python can be added, and versions may yet agree."""


def against(
    reports: Sequence[Report],
    needs: Sequence[tuple[Piece, Needs]],
    wheels: Sequence[tuple[Report, Asks]],
    made: Sequence[BuiltFor],
    machine: Machine,
) -> tuple[Problem, ...]:
    """What the machine lacks; of files that lack the same, the one that asks for most."""
    return tuple(
        problem
        for problem in (
            _wrong_machine(needs, wheels, machine),
            _old_glibc(needs, wheels, machine),
            _old_glibcxx(needs, machine),
            *(_no_python(report, wheel, machine) for report, wheel in wheels),
            *(_old_driver(report, one, machine) for report, one in zip(reports, made, strict=True)),
        )
        if problem
    )


def alias(machine: str) -> str:
    """One name for a processor."""
    return ALIASES.get(machine.lower(), machine)


def _wrong_machine(
    needs: Sequence[tuple[Piece, Needs]], wheels: Sequence[tuple[Report, Asks]], machine: Machine
) -> Problem | None:
    have = alias(machine.arch or "")
    if not have:
        return None
    for report, wheel in wheels:
        if wheel.machines and have not in map(alias, wheel.machines):
            return _problem("machine", report.path, _MACHINE.fill(wanted=", ".join(wheel.machines), have=have))
    other = [(piece, one) for piece, one in needs if alias(one.machine) != have]
    if other and len(other) == len(needs):
        return _problem("machine", other[0][0].path, _MACHINE.fill(wanted=other[0][1].machine, have=have))
    return None


def _old_glibc(
    needs: Sequence[tuple[Piece, Needs]], wheels: Sequence[tuple[Report, Asks]], machine: Machine
) -> Problem | None:
    have = machine.glibc
    asked = [(wheel.glibc, report.path) for report, wheel in wheels if wheel.glibc]
    asked += [(one.glibc, piece.path) for piece, one in needs if one.glibc]
    if have and have != "musl":
        musl = next((report.path for report, wheel in wheels if wheel.musl), None)
        if musl:
            return _problem("glibc", musl, _MUSL)
    if not asked or not have:
        return None
    wanted, path = max(asked, key=lambda one: version_key(one[0]))
    return None if at_least(have, wanted) else _problem("glibc", path, _GLIBC.fill(wanted=wanted, have=have))


def _old_glibcxx(needs: Sequence[tuple[Piece, Needs]], machine: Machine) -> Problem | None:
    asked = [(one.glibcxx, piece.path) for piece, one in needs if one.glibcxx]
    if not asked or not machine.glibcxx:
        return None
    wanted, path = max(asked, key=lambda one: version_key(one[0]))
    text = _GLIBCXX.fill(wanted=wanted, have=machine.glibcxx)
    return None if at_least(machine.glibcxx, wanted) else _problem("libstdc++", path, text)


def _no_python(report: Report, wheel: Asks, machine: Machine) -> Problem | None:
    if not wheel.pythons or not machine.pythons:
        return None
    if any(serves(wanted, have) for wanted in wheel.pythons for have in machine.pythons):
        return None
    text = _PYTHON.fill(wanted=", ".join(wheel.pythons), have=", ".join(machine.pythons))
    return Problem(kind="python", subject=report.path, text=text, stops=False)


def _old_driver(report: Report, made: BuiltFor, machine: Machine) -> Problem | None:
    least = cuda_minimum(made.cuda) if made.cuda else None
    if not least or not machine.driver or at_least(machine.driver, least):
        return None
    return _problem("driver", report.path, _DRIVER.fill(cuda=made.cuda, least=least, have=machine.driver))


def _problem(kind: ProblemKind, subject: str, text: Words) -> Problem:
    return Problem(kind=kind, subject=subject, text=text)
