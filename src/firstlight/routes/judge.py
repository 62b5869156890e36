"""One candidate -> one route with its verdict."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ..catalog import Catalog
from ..facts.model import Facts
from ..project.model import Backend, Project
from .addresses import unlockable
from .answered import answered, closed
from .candidates import Candidate
from .constraints import read_constraints
from .interpreters import Interpreter
from .listing import Listing, listing
from .machine import machine_of
from .model import Because, Route
from .offer import offer
from .pins import Place
from .prepare import Prepared, prepare
from .reasons import constrained, needs_nvidia_driver, not_followed, not_the_backend, unreadable_folder
from .rounds import solve
from .unhashed import filled
from .wheels import Refused, Request
from .work import Work

PYTHONS = 4
"""Pythons of one machine that are tried."""
OTHER_PYTHON = ("no-wheel-for-python", "python-too-old", "only-source")
"""Refusals that another Python may not get."""


def judge(
    candidate: Candidate,
    wanted: Sequence[Backend],
    project: Project,
    facts: Facts,
    *,
    catalog: Catalog,
    hashing: bool = False,
) -> Route:
    """Cheap reasons first, then what the place itself lists; the resolver is asked only if nothing else decides.
    `hashing`: files whose index states no hash are fetched, and their hash taken."""
    early = _early(candidate, wanted, facts)
    if early is not None:
        return closed(candidate, wanted, early)
    machine = machine_of(project.goal, facts)
    if isinstance(machine, Because):
        return closed(candidate, wanted, machine)
    if candidate.torch is None and all(one.path is None for one in machine.pythons):
        return closed(candidate, wanted, machine.without_python())
    limits = unlockable(project.goal.packages) or read_constraints(project.sources.constraints, catalog)
    if isinstance(limits, Because):
        return closed(candidate, wanted, limits)
    listed = listing(candidate, catalog, machine.arch, offline=project.sources.offline)
    if isinstance(listed, Because):
        return closed(candidate, wanted, listed)
    work = Work(
        candidate=candidate, wanted=tuple(wanted), project=project, facts=facts, machine=machine, catalog=catalog,
        limits=limits,
    )  # fmt: skip
    return _unlisted(work) if listed is None else _over_pythons(work, listed, hashing=hashing)


def _early(candidate: Candidate, wanted: Sequence[Backend], facts: Facts) -> Because | None:
    if candidate.error:
        return unreadable_folder(candidate.source.name, candidate.error)
    if candidate.is_default and "cuda" not in wanted:
        return needs_nvidia_driver(candidate.source.name)
    if candidate.backend is not None and candidate.backend not in wanted:
        return not_the_backend(candidate.backend, " / ".join(wanted))
    if candidate.backend in ("rocm", "cuda") and candidate.published == "upstream":
        from .chips import index_reason  # parses tables of knowledge, which a CPU route does not need

        return index_reason(candidate.backend, candidate.number, facts)
    return None


def _over_pythons(work: Work, listed: Listing, *, hashing: bool) -> Route:
    """The next Python is tried where only that is in the way; else the first answer counts."""
    first = route = _listed(work, listed, hashing=hashing)
    pythons = work.machine.pythons
    for at in range(1, min(len(pythons), PYTHONS)):
        if route.verdict != "blocked" or route.because[0].kind not in OTHER_PYTHON:
            break
        machine = msgspec.structs.replace(work.machine, pythons=pythons[at:])
        route = _listed(msgspec.structs.replace(work, machine=machine), listed, hashing=hashing)
    return route if route.verdict == "works" else first


def _listed(work: Work, listed: Listing, *, hashing: bool) -> Route:
    candidate, machine = work.candidate, work.machine
    offered = offer(work, listed)
    if isinstance(offered, Because):
        return closed(candidate, work.wanted, offered, *_limited(offered, work))
    place = Place(
        catalog=work.catalog,
        index=candidate.source.url,
        python=offered.python.version,
        arch=machine.arch,
        libc=machine.libc,
    )
    asked = prepare(
        offered, listed, work.project.goal, work.facts, None if candidate.flat or not listed.files else place
    )
    if isinstance(asked, Because):
        return closed(candidate, work.wanted, asked)
    request = _request(work, offered.python, asked, hashes=asked.hashed or hashing)
    answer = solve(request, work.catalog)
    if not isinstance(answer, Refused) and not request.hashes:
        answer = filled(answer, request, place)
    if isinstance(answer, Refused):
        return closed(candidate, work.wanted, *answer.because, *_limited(answer.because[0], work))
    return answered(work, request, answer, asked, doubt=offered.doubt, as_of=listed.as_of)


def _unlisted(work: Work) -> Route:
    """The installer's own default index, or a page of links: the next Python is tried where only that is in the way."""
    candidate, project, machine, wanted = work.candidate, work.project, work.machine, work.wanted
    asked = Prepared(torch=f"torch{project.goal.torch or ''}", packages=project.goal.packages)
    pythons = [one for one in machine.pythons if one.path is not None][:PYTHONS]
    refused: tuple[Because, ...] = ()
    for python in pythons:
        request = _request(work, python, asked, hashes=True)
        answer = solve(request, work.catalog)
        if not isinstance(answer, Refused):
            return answered(work, request, answer, asked)
        refused = refused or answer.because
        if answer.because[0].kind not in OTHER_PYTHON:
            break
    return closed(candidate, wanted, *refused, *_limited(refused[0], work))


def _limited(refused: Because, work: Work) -> tuple[Because, ...]:
    """What constraints files have to do with it: the resolver does not say."""
    options = work.limits.left_out
    return (
        *constrained(refused.kind, work.project.sources.constraints),
        *((not_followed(options),) if options else ()),
    )


def _request(work: Work, python: Interpreter, asked: Prepared, *, hashes: bool) -> Request:
    candidate, project, machine = work.candidate, work.project, work.machine
    return Request(
        sources=project.sources, location=candidate.source.url, flat=candidate.flat, name=candidate.source.name,
        python=python, arch=machine.arch, libc=machine.libc, foreign=machine.foreign, held=candidate.held,
        torch=asked.torch, packages=asked.packages, names=asked.names, sdists=asked.sdists, hashes=hashes,
        constraints=work.limits.lines,
    )  # fmt: skip
