"""Make the project's environment match its lock."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping, Sequence
from itertools import count

from ..errors import FirstlightError
from ..lockfile.files import NAME, backend_of, read_pylock, settle_killed
from ..lockfile.model import BackendLock, Lock
from ..progress import Reporter, Silent
from ..project.model import Backend, Project
from ..project.toml_file import bad_value
from ..routes.model import Wheel
from ..routes.pylock import wheels_of
from ..words import Words
from .activation import Activate, prune
from .environments import Install, MakeEnvironment, environment_id, is_whole
from .guard import only_one
from .journal import Journal, previous_environment
from .local_wheels import PlaceWheel
from .model import NOTHING, Step, StepResult
from .places import Places
from .store import checked, only

KEY = "sync"


def sync(
    project: Project, lock: Lock, backend: Backend, *, reporter: Reporter | None = None, offline: bool = False,
    store: str | None = None,
) -> tuple[StepResult, ...]:  # fmt: skip
    """Build the locked environment aside, then swap it in. Killed at any moment, the next run carries on and the old
    environment still works. Does nothing, in well under 0.2 s, if all is right. `store`: a folder that `lock --export`
    filled; then nothing else is used. Raises FirstlightError."""
    tell = reporter or Silent()
    project = project if store is None else only(project, store)
    frozen = backend_of(lock, backend)
    wheels = wheels_of(read_pylock(project.root, frozen), (), {}, frozen.pylock)
    _check_local(frozen, wheels)
    settle_killed(project.root, lock.backends)
    places = Places(project.root)
    steps = planned(project, places, frozen, wheels, offline=offline)
    if _is_right(steps, places):
        return tuple(StepResult(kind=one.kind, subject=one.subject, state="right", ms=0.0) for one in steps)
    stored = {} if store is None else checked(store, (*wheels, *frozen.build))
    places.make()
    with only_one(places.own, tell) as handle:
        places.held = (handle,)
        steps = planned(project, places, frozen, wheels, offline=offline, stored=stored)
        return _run(steps, places, tell)


def _is_right(steps: Sequence[Step], places: Places) -> bool:
    """Nothing is to be done or cleared away: then nothing is written either, and a read-only project will do."""
    return set(places.names()) <= _kept(places) and not places.leftovers() and all(step.check() for step in steps)


def _kept(places: Places) -> set[str | None]:
    """Environments that something leads to: the one in use, and the one that a rollback would bring back."""
    active = places.active_name()
    return {active, previous_environment(places.journal, active)}


def _check_local(frozen: BackendLock, wheels: Sequence[Wheel]) -> None:
    """Both files name the same local wheels, and an sdist can be built alike everywhere. Raises UnreadableInput: one of
    them was edited."""
    named = {(wheel.filename, wheel.sha256) for wheel in wheels if wheel.url is None}
    if named != {(wheel.filename, wheel.sha256) for wheel in frozen.local}:
        raise bad_value(NAME, f"backend `{frozen.backend}`: local", f"not the local wheels that {frozen.pylock} names")
    source = next((wheel.name for wheel in wheels if wheel.is_source), None)
    if source is not None and not frozen.build:
        raise bad_value(
            NAME, f"backend `{frozen.backend}`: build", f"expected what the sdist of `{source}` is built with"
        )


def planned(
    project: Project, places: Places, frozen: BackendLock, wheels: Sequence[Wheel], *, offline: bool,
    stored: Mapping[str, str] = NOTHING,
) -> tuple[Step, ...]:  # fmt: skip
    """The steps, none of them done. `stored`: file name -> path of what is installed from an exported folder."""
    name = _name(places, frozen, wheels)
    unlisted = [wheel for wheel in frozen.build if wheel.url is None]
    placed = [PlaceWheel(project, places, wheel, copied=bool(stored)) for wheel in (*frozen.local, *unlisted)]
    made = MakeEnvironment(project, places, frozen, name, wheels)
    installed = Install(made, places, placed, offline=offline or project.sources.offline, stored=stored)
    return (*placed, made, installed, Activate(places, name))


def _name(places: Places, frozen: BackendLock, wheels: Sequence[Wheel]) -> str:
    """A folder that is whole already, the one in use first; else a new one. A folder that was begun is never built in
    again: after a kill, uv may live on for a while and write there; and somebody may run in a damaged one."""
    id = environment_id(frozen)
    active = places.active_name()
    there = [name for name in places.names() if name.split(".")[0] == id]
    for name in sorted(there, key=lambda one: one != active):
        if is_whole(places.folder(name), id, wheels):
            return name
    return next(name for number in count(1) if (name := f"{id}.{number}") not in there)


def _run(steps: Sequence[Step], places: Places, tell: Reporter) -> tuple[StepResult, ...]:
    activate = steps[-1]
    journal = Journal(places.journal, activate.name if isinstance(activate, Activate) else "")
    journal.trim()
    results: list[StepResult] = []
    done: list[Step] = []
    try:
        results.extend(_one(step, journal, tell, done) for step in steps)
    except FirstlightError:
        _take_back(done, journal)
        raise
    prune(places, _kept(places))
    return tuple(results)


def _one(step: Step, journal: Journal, tell: Reporter, done: list[Step]) -> StepResult:
    began = time.perf_counter()
    key = f"{KEY}:{step.kind}:{step.subject}"
    if step.check():
        return StepResult(kind=step.kind, subject=step.subject, state="right", ms=_ms(began))
    tell.begin(key, _doing(step))
    journal.note(step.kind, step.subject, "begin", step.previous if isinstance(step, Activate) else None)
    done.append(step)
    try:
        step.do()
    except FirstlightError as error:
        tell.end(key, error.what, ok=False)
        raise
    journal.note(step.kind, step.subject, "done")
    tell.end(key, _doing(step), ok=True)
    return StepResult(kind=step.kind, subject=step.subject, state="done", ms=_ms(began))


def _take_back(done: Sequence[Step], journal: Journal) -> None:
    """In reverse. A full disk may keep the journal from being written; that must not hide the first error."""
    for step in reversed(done):
        step.undo()
    with contextlib.suppress(FirstlightError):
        for step in reversed(done):
            journal.note(step.kind, step.subject, "undone")


def _doing(step: Step) -> Words:
    texts = {
        "place-wheel": ("checking {} and linking it in", "校验并链接 {}"),
        "make-environment": ("making the environment {}", "创建环境 {}"),
        "install": ("installing what {} names", "安装 {} 中的内容"),
        "activate": ("swapping in {}", "切换到新的 {}"),
    }
    en, zh = texts[step.kind]
    return Words(en.format(step.subject), zh.format(step.subject))


def _ms(began: float) -> float:
    return round((time.perf_counter() - began) * 1000, 3)
