"""Which builds of a listed place may be taken here, by the rules that need no resolver."""

from __future__ import annotations

import os
from collections.abc import Sequence

import msgspec

from ..project.model import Backend
from .builds import Build, best_of_each, builds
from .candidates import Candidate
from .chips import chip_reason, claimed_reason, driver_reason
from .family import BUILDS
from .fitting import first_fit, fits
from .interpreters import Interpreter
from .kernels import kernel_reason
from .limits import torch_limits
from .listing import Listing
from .model import Because
from .platforms import libc_version
from .reasons import no_torch_wanted, no_wheel_for_libc, not_the_backend
from .work import Work

SPLIT_LIBC = "glibc 2.28"
"""What AMD's own wheels are built on, though their tags say `linux_x86_64` only (ROCm/TheRock,
dockerfiles/build_manylinux_x86_64.Dockerfile: manylinux_2_28; read 2026-12-01)."""


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """What is left of a listing."""

    python: Interpreter
    allowed: tuple[Build, ...]
    """Best first; never empty."""
    others: tuple[str, ...]
    """Versions in the listing that must not be taken."""
    numbers: frozenset[str]
    """Every version of ROCm or CUDA among all builds of the place: more than one is a mixed place."""
    doubt: Because | None = None
    """What gives pause with the best build."""


def offer(work: Work, listed: Listing) -> Offer | Because:
    """The builds to choose from, or the one reason that keeps out the best of them."""
    candidate, machine = work.candidate, work.machine
    every = builds(listed.wheels, candidate.backend, candidate.number)
    mine = _of_backend(every, work.wanted)
    if not mine:
        other = first_fit(listed.wheels, machine) if listed.wheels and not every else None
        return other if isinstance(other, Because) else _none_of(every, candidate, work.wanted)
    limits = torch_limits(work.project.goal, work.limits.lines)
    asked = [build for build in mine if limits.contains(build.version, prereleases=True)]
    if not asked:
        offered = ", ".join(dict.fromkeys(build.release for build in mine[:6]))
        return no_torch_wanted(str(limits), offered, candidate.source.name)
    python = first_fit([wheel for build in asked for wheel in build.wheels], machine)
    if isinstance(python, Because):
        return python
    fitting = [build for build in asked if fits(build.wheels, python, machine.arch, machine.libc)]
    return _judged(every, fitting, python, work)


def _of_backend(every: Sequence[Build], wanted: Sequence[Backend]) -> list[Build]:
    backend = next((one for one in wanted if any(build.backend == one for build in every)), None)
    return [build for build in every if build.backend == backend]


def _none_of(every: Sequence[Build], candidate: Candidate, wanted: Sequence[Backend]) -> Because:
    if not every:
        return no_torch_wanted(" / ".join(wanted), "-", candidate.source.name)
    return not_the_backend(every[0].backend, " / ".join(wanted))


def _judged(every: Sequence[Build], fitting: Sequence[Build], python: Interpreter, work: Work) -> Offer | Because:
    """The reason of the newest build is the one that is told where none may be taken."""
    facts = work.facts
    reasons = [(build, _against(build, work)) for build in fitting]
    good = [build for build, reason in reasons if reason is None]
    first = next((reason for _, reason in reasons if reason is not None), None)
    if not good and first is not None:
        return first
    allowed, _ = best_of_each(good)
    kept = {build.version for build in allowed}
    return Offer(
        python=python,
        allowed=allowed,
        others=tuple(build.version for build in every if build.version not in kept),
        numbers=frozenset(f"{build.backend}{build.number or ''}" for build in every),
        doubt=kernel_reason(allowed[0].number, facts)[1] if allowed[0].backend == "rocm" else None,
    )


def _against(build: Build, work: Work) -> Because | None:
    if build.backend == "cpu":
        return None
    if build.backend == "cuda" and build.number is None:
        return None  # its metadata tells which CUDA: judged once it is resolved
    if is_split(build) and _older(work.machine.libc):
        return no_wheel_for_libc(work.machine.libc, SPLIT_LIBC)
    kernel = kernel_reason(build.number, work.facts)[0] if build.backend == "rocm" else None
    reason = _code_reason(build, work)
    if reason is None or reason.kind == "unknown-targets":  # a kernel that breaks it leaves no doubt
        return kernel or (None if is_split(build) else reason)
    return reason


def _code_reason(build: Build, work: Work) -> Because | None:
    """By the file's own content, else by what its maker says, else by what is known of such builds."""
    facts, candidate = work.facts, work.candidate
    told = _by_content(build, work)
    if isinstance(told, Because):
        return told
    if told:
        return driver_reason(build.number, facts) if build.backend == "cuda" else None
    if candidate.provenance is not None:
        return claimed_reason(candidate.claimed, build.backend, build.number, build.version, facts)
    return chip_reason(build.backend, build.number, build.version, facts)


def _by_content(build: Build, work: Work) -> Because | bool | None:
    """Of a wheel that lies here."""
    allowed = [one for one in build.wheels if one.path and os.path.isfile(one.path)]
    if not allowed or is_split(build):
        return None
    from .content import content_reason  # reads binaries

    return content_reason(allowed[0].path, build.backend, work.facts)


def _older(libc: str) -> bool:
    have, need = libc_version(libc), libc_version(SPLIT_LIBC)
    return have is not None and need is not None and have[0] == need[0] and have[1:] < need[1:]


def is_split(build: Build) -> bool:
    """Whether AMD's multi-arch build it may be, whose GPU code is in wheels of its own: three numbers, from 7.10 on
    (ROCm/TheRock RELEASES.md). Its metadata then tells which chips it has."""
    from ..knowledge.versions import version_key

    number = build.number or ""
    return build.backend == "rocm" and number.count(".") >= 2 and version_key(number) >= (7, 10)


def excluded(offered: Offer, name: str, wheels: Sequence[Build]) -> tuple[str, ...]:
    """Versions of another package of the torch family that were built for something else than the best torch."""
    if name not in BUILDS or len(offered.numbers) < 2:
        return ()
    best = offered.allowed[0]
    return tuple(one.version for one in wheels if (one.backend, one.number) != (best.backend, best.number))
