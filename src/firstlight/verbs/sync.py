"""Make the project's environment match its lock."""

from __future__ import annotations

import os
from typing import Literal

import msgspec

from ..lockfile import Lock
from ..lockfile.files import backend_of, path_of, read, read_pylock
from ..lockfile.lost import nothing_lost
from ..lockfile.tiers import allow
from ..progress import Reporter
from ..project.model import Backend, Project
from ..project.settings import Flags
from ..routes.model import Tier
from ..routes.pylock import wheels_of
from ..steps import sync as apply
from ..steps.places import Places, env_python
from ..steps.store import bring_lock, checked, only
from ..steps.sync import planned
from ..words import Words, same
from .answer import Answer
from .place import wanted

_WHEEL = "sync:place-wheel:"
"""How the keys of such steps begin."""
_PLACING = Words("checking the local wheels and linking them in", "校验并链接本地 wheel")


class SyncRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Which project, which backend of its lock, and whether to show the steps only."""

    project: str | None = None
    flags: Flags = Flags()
    dry_run: bool = False
    store: str | None = None
    """A folder that `lock --export` filled: then nothing else is used."""


class StepAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One step. `right`: nothing had to be done; `todo`: it would be done (with --dry-run only)."""

    kind: str
    subject: str
    state: Literal["right", "done", "failed", "todo"]
    ms: float


class SyncAnswer(Answer, frozen=True, kw_only=True, tag="firstlight.sync/1"):
    """The steps, in order; `python` is the environment's interpreter, null while there is none."""

    backend: Backend
    python: str | None
    steps: tuple[StepAnswer, ...]
    route: str | None = None
    tier: Tier | None = None
    """Who answers for the route that was locked."""

    @property
    def exit_code(self) -> int:
        """1 if a step failed."""
        return 1 if any(step.state == "failed" for step in self.steps) else 0


def sync(request: SyncRequest, reporter: Reporter) -> SyncAnswer:
    """Build the locked environment aside and swap it in; with `dry_run` change nothing. Raises UnreadableInput where
    there is no lock, NoError where a step fails."""
    project = wanted(request.project, request.flags)
    if request.store is not None:
        project = only(project, request.store)
    if request.dry_run:
        return _would(project, request.store)
    if request.store is not None:
        bring_lock(project.root, request.store)
    lock = read(project.root)
    backend = locked_backend(project, lock)
    return applied(project, lock, backend, reporter, store=request.store)


def locked_backend(project: Project, lock: Lock) -> Backend:
    """The one that is wanted; if none was named, the one that was locked last."""
    return project.goal.backend or lock.backends[0].backend


def applied(
    project: Project, lock: Lock, backend: Backend, reporter: Reporter, *, store: str | None = None
) -> SyncAnswer:
    """Do the steps. Raises NoError where the project's policy does not take the lock's tier, or where something of an
    adopted lock cannot be had again."""
    frozen = backend_of(lock, backend)
    nothing_lost(frozen)
    allow(project, frozen)
    results = apply(project, lock, backend, reporter=_WheelsAsOne(reporter), store=store)
    steps = tuple(StepAnswer(kind=one.kind, subject=one.subject, state=one.state, ms=one.ms) for one in results)
    return SyncAnswer(backend=backend, python=env_python(project), steps=steps, route=frozen.route, tier=frozen.tier)


def _would(project: Project, store: str | None) -> SyncAnswer:
    """A project without a lock would get the one of `store`."""
    root = store if store is not None and not os.path.exists(path_of(project.root)) else project.root
    lock = read(root)
    backend = locked_backend(project, lock)
    frozen = backend_of(lock, backend)
    nothing_lost(frozen)
    allow(project, frozen)
    wheels = wheels_of(read_pylock(root, frozen), (), {}, frozen.pylock)
    if store is not None:
        checked(store, (*wheels, *frozen.build))
    steps = planned(project, Places(project.root), frozen, wheels, offline=project.sources.offline)
    told = tuple(
        StepAnswer(kind=one.kind, subject=one.subject, state="right" if one.check() else "todo", ms=0.0)
        for one in steps
    )
    return SyncAnswer(backend=backend, python=env_python(project), steps=told, route=frozen.route, tier=frozen.tier)


class _WheelsAsOne:
    """Passes on what is done, the many local wheels as one piece of work that lasts until something else begins."""

    def __init__(self, told: Reporter) -> None:
        self._told = told
        self._open = False

    def begin(self, key: str, text: Words) -> None:
        """One piece for all wheels."""
        if not key.startswith(_WHEEL):
            self._close(ok=True)
            self._told.begin(key, text)
            return
        if not self._open:
            self._open = True
            self._told.begin(_WHEEL, _PLACING)
        self._told.detail(_WHEEL, same(key.removeprefix(_WHEEL)))

    def detail(self, key: str, text: Words) -> None:
        """As it is."""
        self._told.detail(key, text)

    def end(self, key: str, text: Words, *, ok: bool | None) -> None:
        """That one wheel is in place is not worth a line; that one is not ends the whole."""
        if not key.startswith(_WHEEL):
            self._told.end(key, text, ok=ok)
        elif ok is False:
            self._close(text, ok=False)

    def _close(self, text: Words = _PLACING, *, ok: bool) -> None:
        if self._open:
            self._open = False
            self._told.end(_WHEEL, text, ok=ok)
