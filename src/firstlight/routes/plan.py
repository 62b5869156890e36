"""Goal + Facts -> Plan."""

from __future__ import annotations

from collections.abc import Sequence

from ..facts.model import Facts, Unknown
from ..progress import Reporter, Silent
from ..project.model import Backend, Project
from ..words import Words
from .candidates import Candidate, candidates
from .choose import choose, ordered
from .judge import closed, judge
from .model import Plan, Route
from .reasons import because
from .wanted import Wanted, wanted

KEY = "plan"
AT_ONCE = 4
"""Resolutions that run at the same time. They wait on the network, not on the processor."""


def plan(project: Project, facts: Facts, *, reporter: Reporter | None = None) -> Plan:
    """Every route judged, nothing fetched but metadata, nothing installed. Costs one run of uv for each candidate
    that no fact rules out, side by side."""
    tell = reporter or Silent()
    tell.begin(KEY, Words("judging every route", "评估各条路线"))
    want = wanted(project.goal, facts)
    found = candidates(project, None if isinstance(facts.arch, Unknown) else facts.arch)
    routes = _judged(found, want, project, facts, tell)
    chosen, why = choose(routes, project.goal) if want.backends else (None, want.why)
    tell.end(KEY, why, ok=chosen is not None)
    return Plan(
        backend=_backend(routes, chosen, want), routes=ordered(routes), chosen=chosen, why=_both(want, why, chosen)
    )


def _judged(
    found: Sequence[Candidate], want: Wanted, project: Project, facts: Facts, tell: Reporter
) -> tuple[Route, ...]:
    if not want.backends:
        reason = because("unknown-fact", "gpus", want.why.en, want.why.zh)
        return tuple(closed(one, (), reason) for one in found)

    def one(candidate: Candidate) -> Route:
        route = judge(candidate, want.backends, project, facts)
        tell.detail(KEY, Words(f"{route.name}: {route.verdict}", f"{route.name}：{route.verdict}"))
        return route

    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return tuple(pool.map(one, found))


def _backend(routes: Sequence[Route], chosen: str | None, want: Wanted) -> Backend | None:
    picked = next((route.backend for route in routes if route.name == chosen), None)
    return picked or (want.backends[0] if len(want.backends) == 1 else None)


def _both(want: Wanted, why: Words, chosen: str | None) -> Words:
    if why is want.why:
        return why
    both = Words(f"{want.why.en}; {why.en}", f"{want.why.zh}；{why.zh}")
    if chosen is not None or "cpu" in want.backends:
        return both
    # a GPU that is blocked is no reason to fall back silently: the user says so
    return Words(
        f"{both.en}; `--backend cpu` goes on without the GPU", f"{both.zh}；如不使用 GPU，可加 `--backend cpu`"
    )
