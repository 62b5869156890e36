"""System packages judged: those that were named, or what a goal needs, for this release or another one."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ..errors import UsageError
from ..facts import Facts
from ..host import Host, open_host
from ..knowledge.repositories import Distribution, distribution, distributions
from ..progress import Reporter, Silent
from ..project.model import Project
from ..project.settings import Flags
from ..routes.choose import ordered
from ..routes.model import Plan, Route
from ..routes.system.vendors import ARCHITECTURES
from ..routes.wanted import wanted
from ..words import Lang, Words, same
from . import place
from .facts import read
from .matrix import MatrixAnswer

KEY = "system"
_NO_RELEASE = Words(
    "`--release {name}`: no release of that name is known", "`--release {name}`：没有这个名称的发行版版本"
)
_THERE_ARE = Words("known are: {names}", "已知的有：{names}")
_BAD_NAME = Words("`--packages {name}`: that is no name of a package", "`--packages {name}`：这不是软件包名称")
_SYNTAX = Words(
    "names as apt-get takes them: `name`, `name=version`, `name/suite`, `name:architecture`, `name-`",
    "写法同 apt-get：`name`、`name=version`、`name/suite`、`name:architecture`、`name-`",
)
_WORKS = Words("{name} works", "{name} 可行")
_NONE = Words("none of them works here", "没有可行的路线")
_ONLY_HARM = Words("only {name} would work, and it does harm", "只有 {name} 可行，但会造成损害")
_UNSURE = Words("that cannot be told here: {name} could not be judged", "在此无法判断：{name} 未能评估")


def release_named(name: str, facts: Facts) -> Distribution:
    """The release that `--release` means. Raises UsageError, which lists those that are known."""
    id = facts.os.id if isinstance(facts.os.id, str) else None
    found = distribution(name, like=id)
    if found is None:
        names = ", ".join(one.codename for one in distributions())
        raise UsageError(_NO_RELEASE.fill(name=name), next=_THERE_ARE.fill(names=names))
    return found


def checked(names: Sequence[str]) -> tuple[str, ...]:
    """What apt-get could be asked for. Raises UsageError for anything else."""
    found = tuple(word for name in names for word in name.split())
    for name in found:
        plain = name.translate({ord(sign): None for sign in "+-.:=/~_^"})
        if not plain.isascii() or not plain.isalnum() or name[:1] in "-+.=:/" or len(name) > 300:
            raise UsageError(_BAD_NAME.fill(name=name[:60]), next=_SYNTAX)
    if not found:
        raise UsageError(_BAD_NAME.fill(name="''"), next=_SYNTAX)
    return found


def plan_packages(
    names: Sequence[str], host: Host, facts: Facts, project: Project, *, release: Distribution | None = None,
    reporter: Reporter | None = None,
) -> Plan:  # fmt: skip
    """The request as apt would answer it, route by route: the machine's own sources first."""
    from ..routes.system.session import Session

    tell = reporter or Silent()
    tell.begin(KEY, Words("asking what apt would do", "推算 apt 会怎么做"))
    routes = Session(host, facts, project.sources, release=release).packages(names)
    plan = _plan(routes, sort=False)
    tell.end(KEY, plan.why, ok=plan.chosen is not None)
    return plan


def plan_release(
    host: Host, facts: Facts, project: Project, release: Distribution, *, reporter: Reporter | None = None
) -> Plan:
    """What the goal needs of system packages, on another release."""
    from ..routes.system.session import Session

    tell = reporter or Silent()
    tell.begin(KEY, Words(f"judging for {release.label}", f"按 {release.label} 评估"))
    backends = tuple(one for one in wanted(project.goal, facts).backends if one != "cpu") or ("rocm", "cuda")
    routes = Session(host, facts, project.sources, release=release).routes(backends)
    plan = _plan(routes, sort=True)
    tell.end(KEY, plan.why, ok=plan.chosen is not None)
    return plan


def _plan(routes: Sequence[Route], *, sort: bool) -> Plan:
    listed = ordered(routes) if sort else tuple(routes)
    chosen = next((route for route in listed if route.verdict == "works"), None)
    return Plan(
        backend=None, routes=listed, chosen=chosen.name if chosen else None,
        why=_WORKS.fill(name=chosen.name) if chosen else _why_none(listed),
    )  # fmt: skip


def _why_none(routes: Sequence[Route]) -> Words:
    harmful = next((route for route in routes if route.verdict == "harmful"), None)
    if harmful is not None:
        return _ONLY_HARM.fill(name=harmful.name)
    unsure = next((route for route in routes if route.verdict == "unknown"), None)
    return _UNSURE.fill(name=unsure.name) if unsure is not None else _NONE


class MatrixRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Which machine's indices and architecture, and the settings that say where sources are."""

    host: str = "live"
    project: str | None = None
    flags: Flags = Flags()
    lang: Lang = "en"


def plan_matrix(request: MatrixRequest, reporter: Reporter | None = None) -> MatrixAnswer:
    """Vendors' releases by distributions' releases; judged where the indices are at hand, else what is known."""
    from ..routes.system.matrix import matrix
    from ..routes.system.session import Session
    from .matrix import answer

    project = place.wanted(request.project, request.flags)
    host = open_host(request.host)
    facts = read(host, project.root)
    tell = reporter or Silent()
    tell.begin(KEY, Words("looking at every pair", "查看每一组合"))
    architecture = ARCHITECTURES.get(facts.arch if isinstance(facts.arch, str) else "", "amd64")
    sessions: dict[str, Session] = {}

    def judge(name: str, release: Distribution) -> Route | None:
        session = sessions.setdefault(
            release.codename, Session(host, facts, project.sources, release=release, cached=True)
        )
        return session.judged(name) if session.has_apt else None

    found = matrix(architecture, judge)
    tell.end(KEY, same(f"{len(found.cells)}"), ok=True)
    return answer(found, architecture, request.lang)
