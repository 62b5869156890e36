"""Freeze the chosen plan with hashes."""

from __future__ import annotations

import msgspec

from ..errors import ConsentNeeded
from ..facts import Facts
from ..host import open_host
from ..lockfile import Lock, freeze
from ..lockfile.files import path_of, write
from ..lockfile.freeze import chosen_route, pylock_of
from ..lockfile.model import BackendLock, HostConditions
from ..progress import Reporter
from ..project.model import Backend, Project
from ..project.settings import Flags
from ..routes.model import Plan, Route, Tier
from ..words import Words
from .answer import Answer
from .facts import read
from .place import wanted
from .plan import judged


class LockRequest(msgspec.Struct, frozen=True, kw_only=True):
    """For which project, what was said on top of its files, and whether harm was consented to."""

    project: str | None = None
    flags: Flags = Flags()
    consent: bool = False


class LockedBackend(msgspec.Struct, frozen=True, kw_only=True):
    """One backend's environment, frozen."""

    backend: Backend
    route: str
    tier: Tier
    python: str
    pylock: str
    pylock_sha256: str
    variables: dict[str, str]


class LockAnswer(Answer, frozen=True, kw_only=True, tag="firstlight.lock/1"):
    """What was written: `path` and, beside it, one pylock file a backend; `backend` is the one frozen now."""

    path: str
    backend: Backend
    goal: dict[str, object]
    host: HostConditions
    backends: tuple[LockedBackend, ...]


def lock(request: LockRequest, reporter: Reporter) -> LockAnswer:
    """Plan for this machine and freeze the chosen route. Raises NoError if none works, ConsentNeeded for a harmful
    one that was asked for by name."""
    project = wanted(request.project, request.flags)
    facts = read(open_host("live"), project.root)
    plan = judged(project, facts, reporter)
    return answer(project.root, frozen(project, facts, plan, consent=request.consent))


def frozen(project: Project, facts: Facts, plan: Plan, *, consent: bool) -> Lock:
    """The plan's chosen route on disk. Other backends that the lock holds are kept."""
    plan = _consented(plan, project.goal.route, consent=consent)
    return write(project.root, freeze(project, facts, plan), pylock_of(chosen_route(plan)))


def answer(root: str, lock: Lock) -> LockAnswer:
    """The lock as it was written to the project folder `root`."""
    return LockAnswer(
        path=path_of(root),
        backend=lock.backends[0].backend,
        goal=lock.goal,
        host=lock.host,
        backends=tuple(_backend(backend) for backend in lock.backends),
    )


def _consented(plan: Plan, asked: str | None, *, consent: bool) -> Plan:
    """A harmful route is taken only if it was named and its harm was consented to."""
    route = next((one for one in plan.routes if one.name == asked and one.verdict == "harmful"), None)
    if plan.chosen is not None or route is None:
        return plan
    if not consent:
        raise _harm(route)
    return msgspec.structs.replace(plan, chosen=route.name)


def _harm(route: Route) -> ConsentNeeded:
    return ConsentNeeded(
        Words(f"{route.name} does harm and was not consented to", f"{route.name} 会造成损害，尚未得到同意"),
        why=Words("; ".join(one.why.en for one in route.harm), "；".join(one.why.zh for one in route.harm)),
        next=Words(f"to take it all the same: `firstlight lock --route {route.name} --yes`",
                   f"若仍要采用：`firstlight lock --route {route.name} --yes`"),
    )  # fmt: skip


def _backend(backend: BackendLock) -> LockedBackend:
    return LockedBackend(
        backend=backend.backend,
        route=backend.route,
        tier=backend.tier,
        python=backend.python,
        pylock=backend.pylock,
        pylock_sha256=backend.pylock_sha256,
        variables=backend.variables,
    )
