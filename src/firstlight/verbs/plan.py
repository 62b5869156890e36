"""Every route judged before anything is touched."""

from __future__ import annotations

import msgspec

from ..facts import Facts
from ..host import open_host
from ..progress import Reporter, Silent
from ..project.model import Backend, Project
from ..project.settings import Flags
from ..routes import plan as solve
from ..routes.model import Because, Harm, Plan, Route, RouteVerdict, Tier, Wheel
from ..words import Lang
from .answer import Answer
from .facts import read
from .place import wanted


class PlanRequest(msgspec.Struct, frozen=True, kw_only=True):
    """For which machine, for which project, and what was said on top of its files."""

    host: str = "live"
    project: str | None = None
    flags: Flags = Flags()
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


class PlanAnswer(Answer, frozen=True, kw_only=True, tag="firstlight.plan/1"):
    """All routes; `chosen` names the one that would be taken."""

    backend: Backend | None
    routes: tuple[RouteAnswer, ...]
    chosen: str | None
    why: str

    @property
    def exit_code(self) -> int:
        """1 if no route works; 3 if that cannot be told, as some could not be judged."""
        if self.chosen is not None:
            return 0
        return 3 if any(route.verdict == "unknown" for route in self.routes) else 1


def plan(request: PlanRequest, reporter: Reporter | None = None) -> PlanAnswer:
    """Judge every route. Changes nothing; reads package indices unless offline."""
    project = wanted(request.project, request.flags)
    facts = read(open_host(request.host), project.root)
    return answer(judged(project, facts, reporter), request.lang)


def judged(project: Project, facts: Facts, reporter: Reporter | None) -> Plan:
    """Every route to `project`'s goal on the machine that `facts` describe."""
    return solve(project, facts, reporter=reporter or Silent())


def answer(plan: Plan, lang: Lang) -> PlanAnswer:
    """The plan with its words in one language."""
    routes = tuple(_route(route, lang) for route in plan.routes)
    return PlanAnswer(backend=plan.backend, routes=routes, chosen=plan.chosen, why=plan.why.say(lang))


def _route(route: Route, lang: Lang) -> RouteAnswer:
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
        filename=wheel.filename,
        sha256=wheel.sha256,
        size=wheel.size,
        source=wheel.source,
    )
