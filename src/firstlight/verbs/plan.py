"""Every route judged before anything is touched."""

from __future__ import annotations

from typing import Literal

import msgspec

from ..errors import UsageError
from ..facts import Facts
from ..host import open_host
from ..progress import Reporter, Silent
from ..project.model import Backend, Goal, Policy, Project, Source
from ..project.settings import Flags
from ..project.urls import redact
from ..routes.model import Because, Harm, Plan, Provenance, Route, RouteVerdict, Tier, Wheel
from ..routes.plan import plan as solve
from ..words import Lang, Words
from .answer import Answer
from .facts import read
from .place import wanted
from .standing import LeftOut, Standing, left_out, standing

_NO_SUCH = Words("there is no route `{name}` here", "这里没有名为 `{name}` 的路线")
_THERE_ARE = Words("there are: {names}", "现有：{names}")
_NONE = Words("nothing that is configured here offers a torch", "当前配置中没有任何来源提供 torch")


class PlanRequest(msgspec.Struct, frozen=True, kw_only=True):
    """For which machine, for which project, and what was said on top of its files."""

    host: str = "live"
    project: str | None = None
    flags: Flags = Flags()
    route: str | None = None
    """Name of the one route to tell everything about."""
    every: bool = False
    """Also what one would have to build oneself although something else works."""
    lang: Lang = "en"


class BecauseAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One link of the chain of reasons."""

    kind: str
    subject: str
    text: str


class HarmAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Something the route would break."""

    what: str
    why: str


class Package(msgspec.Struct, frozen=True, kw_only=True):
    """One distribution that a route installs."""

    name: str
    version: str
    kind: Literal["wheel", "sdist"]
    """`sdist`: it is built on the machine that installs it."""
    filename: str
    sha256: str
    size: int | None
    source: str


class RouteAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One way, judged. Environments are built aside, so a route into one upgrades, downgrades, removes nothing."""

    name: str
    tier: Tier
    backend: Backend
    verdict: RouteVerdict
    because: tuple[BecauseAnswer, ...]
    harm: tuple[HarmAnswer, ...]
    versions: dict[str, str]
    python: str | None
    install: tuple[Package, ...]
    upgrade: tuple[Package, ...] = ()
    downgrade: tuple[Package, ...] = ()
    remove: tuple[Package, ...] = ()
    download_bytes: int | None
    disk_bytes: int | None
    minutes: float | None
    age_days: int | None
    """Since its torch was published."""
    source: Source | None
    """Where the torch family comes from; credentials left out."""
    targets: tuple[str, ...]
    """GPU targets of this machine that it was chosen for."""
    variables: dict[str, str]
    """Environment variables that it needs here."""
    build: tuple[Package, ...]
    """What its sdists are built with."""
    build_variables: dict[str, str]
    provenance: Provenance | None
    """Of a community or local route, as whoever declared it says."""
    as_of: str | None
    """When its index last said so, where that was read from the cache because nothing could be asked."""
    left_out: LeftOut | None
    """What keeps the choice from it, whatever its verdict."""
    standing: Standing
    """Why it is, or is not, the chosen one."""


class PlanAnswer(Answer, frozen=True, kw_only=True, tag="firstlight.plan/1"):
    """All routes; `chosen` names the one that would be taken. `plan --why ROUTE` tells of that one only: `asked`."""

    backend: Backend | None
    routes: tuple[RouteAnswer, ...]
    chosen: str | None
    why: str
    route: str | None = None
    """The route that the choice was restricted to."""
    policy: Policy = "any"
    asked: str | None = None
    """The route that all was to be told about."""

    @property
    def exit_code(self) -> int:
        """1 if no route works; 3 if that cannot be told, as some could not be judged. Of one that was asked about:
        0 if it works, 3 if that cannot be told, else 1."""
        if self.asked is not None:
            verdict = next((route.verdict for route in self.routes if route.name == self.asked), "unknown")
            return {"works": 0, "unknown": 3}.get(verdict, 1)
        if self.chosen is not None:
            return 0
        return 3 if any(route.verdict == "unknown" for route in self.routes) else 1


def plan(request: PlanRequest, reporter: Reporter | None = None) -> PlanAnswer:
    """Judge every route. Changes nothing; reads package indices unless offline.

    Raises UsageError if `request.route` names none of them.
    """
    project = wanted(request.project, request.flags)
    facts = read(open_host(request.host), project.root)
    every = request.every or request.route is not None
    told = answer(judged(project, facts, reporter, every=every), request.lang, project.goal)
    return told if request.route is None else about(told, request.route)


def judged(project: Project, facts: Facts, reporter: Reporter | None, *, every: bool = False) -> Plan:
    """Every route to `project`'s goal on the machine that `facts` describe; `every`: also what one would have to
    build oneself although something else works."""
    return solve(project, facts, reporter=reporter or Silent(), every=every)


def answer(plan: Plan, lang: Lang, goal: Goal | None = None) -> PlanAnswer:
    """The plan with its words in one language. `goal`: what it was made for."""
    goal = goal or Goal()
    routes = tuple(_route(route, plan, goal, lang) for route in plan.routes)
    return PlanAnswer(
        backend=plan.backend, routes=routes, chosen=plan.chosen, why=plan.why.say(lang), route=goal.route,
        policy=goal.policy,
    )  # fmt: skip


def about(told: PlanAnswer, name: str) -> PlanAnswer:
    """The same plan with one route only. Raises UsageError, which lists the names, if there is none so called."""
    found = tuple(route for route in told.routes if route.name == name)
    if not found:
        names = ", ".join(route.name for route in told.routes)
        raise UsageError(_NO_SUCH.fill(name=name), next=_THERE_ARE.fill(names=names) if names else _NONE)
    return msgspec.structs.replace(told, routes=found, asked=name)


def _route(route: Route, plan: Plan, goal: Goal, lang: Lang) -> RouteAnswer:
    return RouteAnswer(
        name=route.name,
        tier=route.tier,
        backend=route.backend,
        verdict=route.verdict,
        because=tuple(_because(link, lang) for link in route.because),
        harm=tuple(_harm(harm, lang) for harm in route.harm),
        versions=route.versions,
        python=route.python_version,
        install=tuple(_package(wheel) for wheel in route.wheels),
        download_bytes=route.download_bytes,
        disk_bytes=route.disk_bytes,
        minutes=route.minutes,
        age_days=route.age_days,
        source=_source(route.source),
        targets=route.targets,
        variables=route.variables,
        build=tuple(_package(wheel) for wheel in route.build),
        build_variables=route.build_variables,
        provenance=_provenance(route.provenance),
        as_of=route.as_of,
        left_out=left_out(route, goal),
        standing=standing(route, plan, goal),
    )


def _source(source: Source | None) -> Source | None:
    return source and msgspec.structs.replace(source, url=redact(source.url))


def _provenance(said: Provenance | None) -> Provenance | None:
    """Addresses in it may hold a password too."""
    if said is None:
        return None
    return msgspec.structs.replace(
        said, recipe=said.recipe and redact(said.recipe), homepage=said.homepage and redact(said.homepage)
    )


def _because(link: Because, lang: Lang) -> BecauseAnswer:
    return BecauseAnswer(kind=link.kind, subject=link.subject, text=link.text.say(lang))


def _harm(harm: Harm, lang: Lang) -> HarmAnswer:
    return HarmAnswer(what=harm.what, why=harm.why.say(lang))


def _package(wheel: Wheel) -> Package:
    # no url: it may hold a token
    return Package(
        name=wheel.name,
        version=wheel.version,
        kind="sdist" if wheel.is_source else "wheel",
        filename=wheel.filename,
        sha256=wheel.sha256,
        size=wheel.size,
        source=wheel.source,
    )
