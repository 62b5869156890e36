"""Freeze the chosen plan with hashes."""

from __future__ import annotations

import msgspec

from ..errors import ConsentNeeded
from ..facts import Facts
from ..host import open_host
from ..lockfile import Lock
from ..lockfile.files import path_of, write
from ..lockfile.freeze import chosen_route, freeze, pylock_of
from ..lockfile.lost import CANNOT_TELL, text_of
from ..lockfile.model import BackendLock, HostConditions
from ..progress import Reporter
from ..project.model import Backend, Project
from ..project.settings import Flags
from ..routes.declared_fetch import have_declared
from ..routes.model import Plan, Provenance, Route, Tier
from ..routes.plan import with_hashes
from ..words import Lang, Words
from .answer import Answer
from .facts import read
from .place import wanted
from .plan import judged


class LockRequest(msgspec.Struct, frozen=True, kw_only=True):
    """For which project, what was said on top of its files, and whether harm was consented to."""

    project: str | None = None
    flags: Flags = Flags()
    consent: bool = False


class LostAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A distribution of an adopted environment that cannot be had again. `why` is a word of ours: `not-offered`,
    `other-file`, `editable` ...; `text` says it in a sentence."""

    name: str
    version: str
    why: str
    text: str


class LockedBackend(msgspec.Struct, frozen=True, kw_only=True):
    """One backend's environment, frozen."""

    backend: Backend
    route: str
    tier: Tier
    python: str
    pylock: str
    pylock_sha256: str
    variables: dict[str, str]
    source: str | None = None
    """Name of the source of the torch family."""
    provenance: Provenance | None = None
    """Of a community or local route, as whoever declared it says."""
    adopted: bool = False
    """Made from an environment that was there already."""


class LockAnswer(Answer, frozen=True, kw_only=True, tag="firstlight.lock/1"):
    """What was written: `path` and, beside it, one pylock file a backend; `backend` is the one frozen now. Of an
    adopted environment `lost` is what cannot be had again, `left_out` the variables that hold paths of this machine."""

    path: str
    backend: Backend
    goal: dict[str, object]
    host: HostConditions
    backends: tuple[LockedBackend, ...]
    lost: tuple[LostAnswer, ...] = ()
    environment: str | None = None
    left_out: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """1 if something cannot be had again; 3 if that cannot be told of it."""
        kinds = {one.why in CANNOT_TELL for one in self.lost}
        return 0 if not kinds else 1 if False in kinds else 3


def lock(request: LockRequest, reporter: Reporter) -> LockAnswer:
    """Plan for this machine and freeze the chosen route. Raises NoError if none works, ConsentNeeded for a harmful
    one that was asked for by name."""
    project = wanted(request.project, request.flags)
    facts = read(open_host("live"), project.root)
    have_declared(project)
    plan = judged(project, facts, reporter)
    return answer(project.root, frozen(project, facts, plan, consent=request.consent))


def frozen(project: Project, facts: Facts, plan: Plan, *, consent: bool) -> Lock:
    """The plan's chosen route on disk. Other backends that the lock holds are kept."""
    plan = with_hashes(_consented(plan, project.goal.route, consent=consent), project, facts)
    return write(project.root, freeze(project, facts, plan), pylock_of(chosen_route(plan)))


def answer(root: str, lock: Lock, lang: Lang = "en") -> LockAnswer:
    """The lock as it was written to the project folder `root`."""
    return LockAnswer(
        path=path_of(root),
        backend=lock.backends[0].backend,
        goal=lock.goal,
        host=lock.host,
        backends=tuple(_backend(backend) for backend in lock.backends),
        lost=tuple(
            LostAnswer(name=one.name, version=one.version, why=one.why, text=text_of(one).say(lang))
            for one in lock.backends[0].lost
        ),
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
        source=backend.source,
        provenance=backend.provenance,
        adopted=backend.adopted,
    )
