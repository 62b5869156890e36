"""One candidate -> one route with its verdict."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ..facts.model import Facts
from ..project.model import Backend, Project, Source
from ..project.urls import redact
from .candidates import Candidate
from .family import backend_of_local, is_family
from .fitting import first_fit
from .interpreters import Interpreter
from .machine import Machine, machine_of
from .model import Because, Route, RouteVerdict, Wheel
from .reasons import (
    because,
    constrained,
    needs_nvidia_driver,
    not_the_backend,
    time_unknown,
    unreadable_folder,
)
from .sizes import age_days, disk_bytes, download_bytes, minutes
from .wheels import Refused, Request, solve

CANNOT_TELL = ("unreachable", "offline", "unknown-fact", "unknown-targets", "denied", "bad-certificate", "disk-full",
               "server-error", "unwritable-cache", "uv-too-old", "no-temporary-folder")  # fmt: skip
"""Refusals that say nothing about whether the route would work."""


def judge(candidate: Candidate, wanted: Sequence[Backend], project: Project, facts: Facts) -> Route:
    """Cheap reasons first; the resolver is asked only if none of them decides."""
    early = _early(candidate, wanted)
    if early is not None:
        return closed(candidate, wanted, early)
    machine = machine_of(project.goal, facts)
    if isinstance(machine, Because):
        return closed(candidate, wanted, machine)
    python = _python(candidate, machine)
    if isinstance(python, Because):
        return closed(candidate, wanted, python)
    request = _request(candidate, project, machine, python)
    return _solved(candidate, wanted, facts, machine, request)


def _early(candidate: Candidate, wanted: Sequence[Backend]) -> Because | None:
    if candidate.error:
        return unreadable_folder(candidate.source.name, candidate.error)
    if candidate.is_default and "cuda" not in wanted:
        return needs_nvidia_driver(candidate.source.name)
    if candidate.backend is not None and candidate.backend not in wanted:
        return not_the_backend(candidate.backend, " / ".join(wanted))
    return None


def _python(candidate: Candidate, machine: Machine) -> Interpreter | Because:
    if candidate.torch is not None:
        return first_fit(candidate.torch, machine)
    usable = next((one for one in machine.pythons if one.path is not None), None)
    return usable or machine.without_python()


def _solved(candidate: Candidate, wanted: Sequence[Backend], facts: Facts, machine: Machine, request: Request) -> Route:
    """An index cannot be listed: the next Python is tried where only the Python is in the way."""
    others = [one for one in machine.pythons if one.path and one != request.python] if candidate.torch is None else []
    refused: tuple[Because, ...] = ()
    for python in [request.python, *others][:4]:
        answer = solve(msgspec.structs.replace(request, python=python))
        if not isinstance(answer, Refused):
            return _answered(candidate, wanted, facts, msgspec.structs.replace(request, python=python), answer)
        refused = refused or answer.because
        if answer.because[0].kind not in ("no-wheel-for-python", "python-too-old"):
            break
    return closed(candidate, wanted, *refused, *constrained(refused[0].kind, request.sources.constraints))


def _request(candidate: Candidate, project: Project, machine: Machine, python: Interpreter) -> Request:
    return Request(
        goal=project.goal, sources=project.sources, location=candidate.source.url, flat=candidate.flat,
        name=candidate.source.name, python=python, arch=machine.arch, libc=machine.libc, foreign=machine.foreign,
        held=candidate.held,
    )  # fmt: skip


def _answered(
    candidate: Candidate, wanted: Sequence[Backend], facts: Facts, request: Request, wheels: tuple[Wheel, ...]
) -> Route:
    torch = next((wheel for wheel in wheels if wheel.name == "torch"), None)
    backend, number = _backend_of(torch, wheels, candidate)
    verdict, reasons = _verdict(backend, number, wanted, torch, facts)
    paths = {one.filename: one.path for one in candidate.torch or ()}
    fetched = download_bytes(wheels)
    took = minutes(fetched, request.sources.megabits)
    return Route(
        name=_named(candidate, backend), tier=candidate.tier, backend=backend or wanted[0], verdict=verdict,
        because=(*reasons, *((time_unknown(fetched),) if verdict == "works" and took is None and fetched != 0 else ())),
        versions={wheel.name: wheel.version for wheel in wheels if is_family(wheel.name)},
        python=request.python.path, python_version=request.python.version, wheels=wheels, download_bytes=fetched,
        disk_bytes=disk_bytes(wheels, paths, backend or wanted[0]), minutes=took,
        age_days=age_days(torch.uploaded if torch else None, facts.clock.now), source=_shown(candidate),
    )  # fmt: skip


def _backend_of(
    torch: Wheel | None, wheels: Sequence[Wheel], candidate: Candidate
) -> tuple[Backend | None, str | None]:
    """By torch's local version; without one, by NVIDIA's libraries among what it depends on."""
    local = torch.version.partition("+")[2] if torch else ""
    if local:
        backend, number = backend_of_local(local)
        return backend or candidate.backend, number
    if any(wheel.name.startswith(("nvidia-", "cuda-")) for wheel in wheels):
        return "cuda", _cuda_of(wheels)
    return candidate.backend or "cpu", None


def _cuda_of(wheels: Sequence[Wheel]) -> str | None:
    """`13.0` from the version of the CUDA runtime that it depends on."""
    for wheel in wheels:
        if wheel.name.startswith(("nvidia-cuda-runtime", "cuda-toolkit")):
            return ".".join(wheel.version.split(".")[:2])
    return None


def _verdict(
    backend: Backend | None, number: str | None, wanted: Sequence[Backend], torch: Wheel | None, facts: Facts
) -> tuple[RouteVerdict, tuple[Because, ...]]:
    if torch is None or backend is None or backend not in wanted:
        return "blocked", (not_the_backend(backend or "?", " / ".join(wanted)),)
    from .chips import chip_reason  # parses tables of knowledge, which a CPU route does not need

    stop = None if backend == "cpu" else chip_reason(backend, number, torch, facts)
    if stop is not None:
        return ("unknown" if stop.kind in CANNOT_TELL else "blocked"), (stop,)
    fits = because(
        "fits", torch.filename,
        f"torch {torch.version} fits this machine's architecture, C library and Python",
        f"torch {torch.version} 与本机的架构、C 库和 Python 相符",
    )  # fmt: skip
    return "works", (fits,)


def _named(candidate: Candidate, backend: Backend | None) -> str:
    """A folder behind an address only shows what it is for once it was resolved."""
    unknown_before = candidate.backend is None and candidate.flat
    return f"{candidate.name}-{backend}" if unknown_before and backend else candidate.name


def closed(candidate: Candidate, wanted: Sequence[Backend], *reasons: Because) -> Route:
    """A route that is not open, with why."""
    cannot_tell = bool(reasons) and reasons[0].kind in CANNOT_TELL
    backend = candidate.backend or ("cuda" if candidate.is_default else wanted[0] if wanted else "cpu")
    return Route(
        name=candidate.name, tier=candidate.tier, backend=backend,
        verdict="unknown" if cannot_tell else "blocked", because=tuple(reasons), source=_shown(candidate),
    )  # fmt: skip


def _shown(candidate: Candidate) -> Source:
    return msgspec.structs.replace(candidate.source, url=redact(candidate.source.url))
