"""Every route judged before anything is touched."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from ..errors import UsageError
from ..facts import Facts
from ..host import Host, open_host
from ..progress import Reporter, Silent
from ..project.model import Backend, Goal, Policy, Project, Source
from ..project.settings import Flags
from ..project.urls import redact
from ..routes.model import Because, Deb, Harm, Part, Plan, Provenance, Route, RouteVerdict, Tier, Wheel
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
    packages: tuple[str, ...] = ()
    """System packages to judge instead, in apt-get's syntax."""
    release: str | None = None
    """Release of a distribution to judge system packages for."""
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
    """One distribution or system package that a route changes."""

    name: str
    version: str
    """What is there afterwards; of one that is removed, what was."""
    kind: Literal["wheel", "sdist", "deb"]
    """`sdist`: it is built on the machine that installs it."""
    filename: str
    sha256: str
    size: int | None
    source: str
    """Name of the source; of a system package its origin, URI and suite."""
    before: str | None = None
    """Of a system package: the installed version."""
    architecture: str | None = None
    """Of a system package."""
    auto: bool = False
    """Of a system package: only because another one needs it."""


class RouteAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One way, judged. Environments are built aside: a route into one upgrades, downgrades, removes nothing. A route
    with `part` changes the machine's packages."""

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
    part: Part | None = None
    """Of a system route: what it gives."""
    request: tuple[str, ...] = ()
    """Of a system route: what apt-get is asked for, in its syntax."""
    exact: tuple[str, ...] = ()
    """Of a system route that can be taken: the same with the exact versions of all that changes."""
    release: str | None = None
    """Codename of the distribution's release that it was judged for, where that is not the machine's own."""


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
    packages: tuple[str, ...] = ()
    """System packages that were asked for by name: then only system routes are judged."""
    release: str | None = None
    """Codename of the release of the distribution that it was judged for, if not the machine's own."""

    @property
    def exit_code(self) -> int:
        """1 if no route works; 3 if that cannot be told, as some could not be judged. Of one that was asked about:
        0 if it works, 3 if that cannot be told, else 1. Routes through system packages count where packages or a
        release were asked for; then what the machine's own sources say decides, where it is one of them."""
        if self.asked is not None:
            verdict = next((route.verdict for route in self.routes if route.name == self.asked), "unknown")
            return {"works": 0, "unknown": 3}.get(verdict, 1)
        if self.chosen is not None:
            return 0
        if self.packages and self.routes:  # the first is that of the machine's own sources
            return 3 if self.routes[0].verdict == "unknown" else 1
        count = [route for route in self.routes if route.part is None or self.release]
        return 3 if any(route.verdict == "unknown" for route in count) else 1


def plan(request: PlanRequest, reporter: Reporter | None = None) -> PlanAnswer:
    """Judge every route. Changes nothing; reads package indices unless offline.

    Raises UsageError if `request.route` names none of them, or there is no such release or package name.
    """
    project = wanted(request.project, request.flags)
    host = open_host(request.host)
    facts = read(host, project.root)
    if request.packages or request.release is not None:
        told = _of_system(request, host, facts, project, reporter)
        return told if request.route is None else about(told, request.route)
    every = request.every or request.route is not None
    told = answer(judged(project, facts, reporter, every=every, host=host), request.lang, project.goal)
    return told if request.route is None else about(told, request.route)


def _of_system(
    request: PlanRequest, host: Host, facts: Facts, project: Project, reporter: Reporter | None
) -> PlanAnswer:
    from . import system_plan

    names = system_plan.checked(request.packages) if request.packages else ()
    release = system_plan.release_named(request.release, facts) if request.release is not None else None
    if names:
        made = system_plan.plan_packages(names, host, facts, project, release=release, reporter=reporter)
    elif release is not None:
        made = system_plan.plan_release(host, facts, project, release, reporter=reporter)
    told = answer(made, request.lang)
    return msgspec.structs.replace(told, packages=names, release=release.codename if release else None)


def judged(
    project: Project, facts: Facts, reporter: Reporter | None, *, every: bool = False, host: Host | None = None
) -> Plan:
    """Every route to `project`'s goal on the machine that `facts` describe; `every`: also what one would have to
    build oneself although something else works. `host`: whose package manager is asked too."""
    from ..routes.plan import plan as solve  # what judges environments is not needed for system packages

    return solve(project, facts, reporter=reporter or Silent(), every=every, host=host)


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
        install=(*map(_package, route.wheels), *map(_deb, route.system.install if route.system else ())),
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
        **_system(route),
    )


def _system(route: Route) -> dict[str, Any]:
    """What a system route says beside what all do."""
    system = route.system
    if system is None:
        return {}
    told: dict[str, Any] = {
        "part": system.part, "request": system.asked, "exact": system.exact, "release": system.release,
        "upgrade": tuple(map(_deb, system.upgrade)), "downgrade": tuple(map(_deb, system.downgrade)),
        "remove": tuple(map(_deb, system.remove)),
    }  # fmt: skip
    return told


def _deb(deb: Deb) -> Package:
    return Package(
        name=deb.name, version=deb.after or deb.before or "", kind="deb", filename=deb.filename.rpartition("/")[2],
        sha256=deb.sha256, size=deb.size, source=redact(deb.origin), before=deb.before, architecture=deb.architecture,
        auto=deb.auto,
    )  # fmt: skip


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
