"""Whether a wheel's tags fit a machine, and if not, what keeps it out."""

from __future__ import annotations

from collections.abc import Sequence

from .interpreters import Interpreter, tags
from .machine import Machine
from .model import Because
from .reasons import no_such_python, no_wheel_for_arch, no_wheel_for_libc, no_wheel_for_python
from .wheelhouse import HeldWheel


def first_fit(wheels: Sequence[HeldWheel], machine: Machine) -> Interpreter | Because:
    """The most preferred Python that some of the wheels fit; else the one thing that keeps them all out."""
    fit = next((one for one in machine.pythons if fits(wheels, one, machine.arch, machine.libc)), None)
    if fit is None or fit.path is None:
        return _misfit(wheels, machine) if fit is None else no_such_python(fit.version, machine.here)
    return fit


def fits(wheels: Sequence[HeldWheel], python: Interpreter, arch: str, libc: str) -> bool:
    """Whether any of the wheels can be installed."""
    allowed = tags(python.version, arch, libc)
    return any(not allowed.isdisjoint(wheel.tags) for wheel in wheels)


def _misfit(wheels: Sequence[HeldWheel], machine: Machine) -> Because:
    arch, libc = machine.arch, machine.libc
    platforms = sorted({tag.split("-", 2)[2] for wheel in wheels for tag in wheel.tags})
    here = [place for place in platforms if place == "any" or place.endswith(f"_{arch}")]
    if not here:
        return no_wheel_for_arch(arch, ", ".join(platforms[:4]))
    versions = sorted({version for wheel in wheels for tag in wheel.tags if (version := _python(tag))}, key=_numbers)
    possible = [Interpreter(path="", version=version) for version in versions]
    if not any(fits(wheels, python, arch, libc) for python in possible):
        return no_wheel_for_libc(libc, ", ".join(here[:4]))
    if not machine.pythons:
        return machine.without_python()
    return no_wheel_for_python([one.version for one in machine.pythons], versions, machine.asked, machine.here)


def _python(tag: str) -> str:
    """`cp311-cp311-...` -> `3.11`; of an abi3 wheel the oldest that it takes; empty for another interpreter's."""
    name = tag.split("-", 1)[0]
    plain = name.startswith("cp3") and name[3:].isdecimal() and len(name) < 6
    return f"3.{int(name[3:])}" if plain else ""


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
