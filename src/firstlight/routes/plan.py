"""Goal + Facts -> Plan."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import msgspec

from ..catalog import Catalog
from ..catalog.parallel import in_parallel
from ..facts.model import Facts, Unknown
from ..host.model import Host
from ..progress import Reporter, Silent
from ..project.model import Backend, Project
from ..words import Words
from .answered import closed
from .candidates import Candidate, candidates
from .choose import choose, ordered
from .judge import judge
from .model import Plan, Route
from .reasons import because
from .wanted import Wanted, wanted

KEY = "plan"
AT_ONCE = 8
"""Resolutions that run at the same time. They wait on the network, not on the processor."""


def plan(
    project: Project, facts: Facts, *, reporter: Reporter | None = None, every: bool = False, host: Host | None = None
) -> Plan:
    """Every route judged, nothing fetched but metadata, nothing installed. Costs one run of uv for each candidate
    that no fact rules out, side by side. What somebody would have to build is listed where nothing else works for the
    AMD GPU, or with `every`; what the machine's package manager gives, where `host` can be asked."""
    tell = reporter or Silent()
    tell.begin(KEY, Words("judging every route", "评估各条路线"))
    want = wanted(project.goal, facts)
    routes = _both_kinds(project, facts, want, tell, host)
    if every or not any(route.verdict == "works" and route.backend == "rocm" for route in routes):
        routes += _community(facts, want.backends)
    chosen, why = choose(routes, project.goal) if want.backends else (None, want.why)
    tell.end(KEY, why, ok=chosen is not None)
    return Plan(
        backend=_backend(routes, chosen, want), routes=ordered(routes), chosen=chosen, why=_both(want, why, chosen)
    )


def _both_kinds(project: Project, facts: Facts, want: Wanted, tell: Reporter, host: Host | None) -> tuple[Route, ...]:
    """Environments and system packages, at the same time: the first wait on uv, the others on their indices."""
    found: dict[str, tuple[Route, ...]] = {}

    def environments() -> None:
        found["environments"] = _judged(_ways(project, facts, want.backends), want, project, facts, tell)

    def packages() -> None:
        found["packages"] = _of_system(project, facts, want.backends, host)

    in_parallel([environments, packages], 2)
    return (*found["environments"], *found["packages"])


def _of_system(project: Project, facts: Facts, backends: Sequence[Backend], host: Host | None) -> tuple[Route, ...]:
    if host is None or isinstance(facts.repositories, Unknown) or not facts.repositories:
        return ()
    if not {"rocm", "cuda"} & set(backends):
        return ()
    from .system.session import Session  # brings a solver

    return Session(host, facts, project.sources).routes(backends)


def _community(facts: Facts, backends: Sequence[Backend]) -> tuple[Route, ...]:
    if "rocm" not in backends:
        return ()
    from .community import community_routes  # parses a table

    return community_routes(facts, backends)


def _ways(project: Project, facts: Facts, backends: Sequence[Backend]) -> tuple[Candidate | Route, ...]:
    """All that may lead here; a route among them is judged already."""
    arch = None if isinstance(facts.arch, Unknown) else facts.arch
    return (*candidates(project, arch), *_declared(project, arch, backends))


def _declared(project: Project, arch: str | None, backends: Sequence[Backend]) -> tuple[Candidate | Route, ...]:
    if not project.routes:
        return ()
    from .declared import declared_candidates  # reads archives

    return declared_candidates(project, arch, backends)


def with_hashes(plan: Plan, project: Project, facts: Facts, *, reporter: Reporter | None = None) -> Plan:
    """The plan, the chosen route with a hash for each file: where its index states none, the file is fetched once."""
    route = next((one for one in plan.routes if one.name == plan.chosen), None)
    if route is None or all(wheel.sha256 for wheel in route.wheels):
        return plan
    tell = reporter or Silent()
    tell.begin("hashes", Words(f"fetching what {route.name} states no hash for", f"下载 {route.name} 未给出哈希的文件"))
    ways = _ways(project, facts, (route.backend,))
    candidate = next(one for one in ways if isinstance(one, Candidate) and one.source.name == _source(route))
    again = judge(candidate, (route.backend,), project, facts, catalog=Catalog(project.sources), hashing=True)
    whole = again.verdict == "works" and all(wheel.sha256 for wheel in again.wheels)
    tell.end("hashes", Words("each file has its hash now", "每个文件都已有哈希") if whole else plan.why, ok=whole)
    routes = tuple(again if one is route else one for one in plan.routes)
    return msgspec.structs.replace(
        plan, routes=routes, chosen=plan.chosen if whole else None, why=plan.why if whole else _unhashed(again)
    )


def _source(route: Route) -> str | None:
    return route.source.name if route.source else None


def _unhashed(route: Route) -> Words:
    text = route.because[0].text if route.because else Words("", "")
    return Words(
        f"{route.name}: files without a hash in their index could not be fetched: {text.en}",
        f"{route.name}：索引中没有哈希的文件无法下载：{text.zh}",
    )


def _judged(
    found: Sequence[Candidate | Route], want: Wanted, project: Project, facts: Facts, tell: Reporter
) -> tuple[Route, ...]:
    if not want.backends:
        reason = because("unknown-fact", "gpus", want.why.en, want.why.zh)
        return tuple(one if isinstance(one, Route) else closed(one, (), reason) for one in found)

    catalog = Catalog(project.sources)

    judged: dict[int, Route] = {}

    def one(at: int, candidate: Candidate | Route) -> None:
        if isinstance(candidate, Route):
            judged[at] = candidate
            return
        route = judge(candidate, want.backends, project, facts, catalog=catalog)
        tell.detail(KEY, Words(f"{route.name}: {route.verdict}", f"{route.name}：{route.verdict}"))
        judged[at] = route

    in_parallel([partial(one, at, candidate) for at, candidate in enumerate(found)], AT_ONCE)
    return tuple(judged[at] for at in range(len(found)))


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
