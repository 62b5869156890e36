"""The resolver's answer, or a reason, as a route."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import msgspec

from ..catalog import Catalog
from ..catalog.model import IndexFile
from ..facts.model import Facts
from ..project.model import Backend, Source, Sources
from ..project.urls import redact
from .ages import age_days, released
from .candidates import Candidate
from .claims import claim_fits
from .family import backend_of_local, is_family
from .gpus import hidden, unserved
from .kernels import unnamed
from .mirrors import against, note, tier_of
from .model import CANNOT_TELL, Because, Route, RouteVerdict, Wheel
from .prepare import Prepared
from .reasons import (
    because,
    hash_unstated,
    idle_gpu,
    no_device_wheel,
    not_followed,
    not_the_backend,
    read_from_cache,
    time_unknown,
)
from .rounds import solved
from .sizes import disk_bytes, download_bytes, minutes
from .wheels import Refused, Request
from .work import Work

TELLING = 1 << 20
"""Bytes of a file from which on its speed tells something."""
TARGET_FAMILY = "ROCM_SDK_TARGET_FAMILY"
"""AMD's `rocm` sdist otherwise looks at the machine that it is built on (ROCm/TheRock, rocm_sdk/_dist_info.py)."""


def answered(
    work: Work,
    request: Request,
    wheels: tuple[Wheel, ...],
    asked: Prepared,
    *,
    doubt: Because | None = None,
    as_of: float | None = None,
) -> Route:
    """What was resolved, judged once more by what it really holds."""
    candidate, facts = work.candidate, work.facts
    torch = next((wheel for wheel in wheels if wheel.name == "torch"), None)
    backend, number = _backend_of(torch, wheels, candidate)
    verdict, reasons = _verdict(work, (backend, number), wheels, asked)
    wheels = _sized(wheels, work.catalog)
    fetched = download_bytes(wheels)
    took = _minutes(fetched, wheels, request.sources, work.catalog) if verdict == "works" else None
    variables, idle = _hidden(backend, number, torch, asked, facts)
    notes = [doubt] if doubt else []
    notes += unnamed(number, facts) if backend == "rocm" and verdict == "works" else ()
    notes += [idle_gpu(target, *next(iter(variables.items()))) for target in idle]
    notes += unserved(backend, facts) if verdict == "works" else ()
    notes += [not_followed(work.limits.left_out)] if work.limits.left_out else ()
    if verdict == "works":
        notes += (*note(work), *_claimed(work, torch), *_by_content(work, torch, backend))
    notes += _notes(wheels, candidate, as_of, timeless=verdict == "works" and took is None and fetched != 0)
    route = Route(
        name=_named(candidate, backend), tier=tier_of(work, wheels),
        backend=backend or work.wanted[0],
        verdict=verdict, because=(*reasons, *notes), python=request.python.path, python_version=request.python.version,
        versions={wheel.name: wheel.version for wheel in wheels if is_family(wheel.name)}, wheels=wheels,
        download_bytes=fetched, disk_bytes=disk_bytes(wheels, _paths(candidate), backend or work.wanted[0]),
        minutes=took, age_days=_age(torch, facts), source=_shown(candidate), targets=asked.targets,
        variables=variables, provenance=candidate.provenance, as_of=_moment(as_of) if as_of else None,
    )  # fmt: skip
    return _with_build(route, request, asked) if verdict == "works" else route


def _claimed(work: Work, torch: Wheel | None) -> tuple[Because, ...]:
    claimed = work.candidate.claimed
    return (claim_fits(claimed, torch.version),) if claimed and torch is not None else ()


def _by_content(work: Work, torch: Wheel | None, backend: Backend | None) -> tuple[Because, ...]:
    path = _paths(work.candidate).get(torch.filename) if torch else None
    if not path or backend is None or backend == "cpu":
        return ()
    from .content import content_notes  # reads binaries

    return content_notes(path, backend, work.facts)


def _paths(candidate: Candidate) -> dict[str, str]:
    return {one.filename: one.path for one in candidate.torch or ()}


def _sized(wheels: Sequence[Wheel], catalog: Catalog) -> tuple[Wheel, ...]:
    """Where the index states no size, the server does."""
    bare = {one.url: IndexFile(filename=one.filename, url=one.url) for one in wheels if one.size is None and one.url}
    sizes = catalog.sizes(bare.values()) if bare else {}
    return tuple(msgspec.structs.replace(one, size=one.size or sizes.get(one.url or "")) for one in wheels)


def _minutes(fetched: int | None, wheels: Sequence[Wheel], sources: Sources, catalog: Catalog) -> float | None:
    """At the speed that the user says, or that the largest file comes with."""
    if sources.megabits is not None or not fetched:
        return minutes(fetched, sources.megabits)
    largest = max((one for one in wheels if one.url), key=lambda one: one.size or 0, default=None)
    if largest is None or not largest.url or (largest.size or 0) < TELLING:
        return None
    speed = catalog.bandwidth(largest.url)
    return minutes(fetched, speed * 8 / 1e6) if speed else None


def _age(torch: Wheel | None, facts: Facts) -> int | None:
    if torch is None:
        return None
    return age_days(torch.uploaded or released(torch.version), facts.clock.now)


def _hidden(
    backend: Backend | None, number: str | None, torch: Wheel | None, asked: Prepared, facts: Facts
) -> tuple[dict[str, str], tuple[str, ...]]:
    if backend != "rocm" or torch is None:
        return {}, ()
    from ..knowledge.builds import runs_on
    from .chips import holds_code

    carried = asked.targets or holds_code(backend, number, torch.version, facts)
    if carried is None:
        return {}, ()
    return hidden(backend, facts, lambda target: runs_on(carried, target) != "no")


def _notes(wheels: Sequence[Wheel], candidate: Candidate, as_of: float | None, *, timeless: bool) -> list[Because]:
    bare = sum(1 for wheel in wheels if not wheel.sha256)
    return [
        *([read_from_cache(_moment(as_of))] if as_of else []),
        *([hash_unstated(bare, candidate.source.name)] if bare else []),
        *([time_unknown(download_bytes(wheels))] if timeless else []),
    ]


def _moment(seconds: float) -> str:
    return dt.datetime.fromtimestamp(seconds, tz=dt.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")


def _with_build(route: Route, request: Request, asked: Prepared) -> Route:
    """Sdists are built when they are installed, with files that are pinned like all others."""
    if not any(wheel.is_source for wheel in route.wheels if wheel.filename):
        return route
    tools = solved([need for one in asked.sdists for need in one.build_requires], request)
    if isinstance(tools, Refused):
        unsure = tools.because[0].kind in CANNOT_TELL
        return msgspec.structs.replace(route, verdict="unknown" if unsure else "blocked", because=tools.because)
    said = {TARGET_FAMILY: route.targets[0]} if route.targets else {}
    return msgspec.structs.replace(route, build=tools, build_variables=said)


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
    work: Work, built_for: tuple[Backend | None, str | None], wheels: Sequence[Wheel], asked: Prepared
) -> tuple[RouteVerdict, tuple[Because, ...]]:
    (backend, number), wanted = built_for, work.wanted
    torch = next((wheel for wheel in wheels if wheel.name == "torch"), None)
    if torch is None or backend is None or backend not in wanted:
        return "blocked", (not_the_backend(backend or "?", " / ".join(wanted)),)
    stop = _chip_stop(work, backend, number, wheels, asked)
    wrong = against(work, wheels)
    if wrong is not None:
        return "blocked", (wrong,)
    if stop is not None:
        return ("unknown" if stop.kind in CANNOT_TELL else "blocked"), (stop,)
    fits = because(
        "fits", torch.filename,
        f"torch {torch.version} fits this machine's architecture, C library and Python",
        f"torch {torch.version} 与本机的架构、C 库和 Python 相符",
    )  # fmt: skip
    return "works", (fits,)


def _chip_stop(
    work: Work, backend: Backend, number: str | None, wheels: Sequence[Wheel], asked: Prepared
) -> Because | None:
    torch = next(wheel for wheel in wheels if wheel.name == "torch")
    if asked.targets:  # its code is in device wheels: they say for which chips
        return _lacking(asked.targets, wheels, torch)
    if backend == "cpu":
        return None
    path = _paths(work.candidate).get(torch.filename)
    if path:
        from .content import content_reason  # reads binaries

        told = content_reason(path, backend, work.facts)
        if told is not None:
            return told if isinstance(told, Because) else None
    from .chips import chip_reason, claimed_reason  # parses tables of knowledge, which a CPU route does not need

    if work.candidate.provenance is not None:
        return claimed_reason(work.candidate.claimed, backend, number, torch.version, work.facts)
    return chip_reason(backend, number, torch.version, work.facts)


def _lacking(targets: Sequence[str], wheels: Sequence[Wheel], torch: Wheel) -> Because | None:
    names = {wheel.name for wheel in wheels}
    missing = [target for target in targets if f"amd-torch-device-{target}" not in names]
    have = sorted(name.rpartition("-")[2] for name in names if name.startswith("amd-torch-device-"))
    return no_device_wheel(torch.filename, missing, have) if missing else None


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
        provenance=candidate.provenance,
    )  # fmt: skip


def _shown(candidate: Candidate) -> Source:
    return msgspec.structs.replace(candidate.source, url=redact(candidate.source.url))
