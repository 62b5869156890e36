"""A hand-made environment -> a Lock of exactly what is in it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence

import msgspec

from ..facts.model import Facts, Unknown
from ..facts.torch_build import DEVICE_PREFIXES, EVERY_TARGET
from ..host.model import Host, Unread
from ..knowledge.variables import steers
from ..progress import Reporter
from ..project.model import Backend, Project
from ..routes.again import Machine, find_again, other_spots
from ..routes.choose import PRODUCTION
from ..routes.family import is_family
from ..routes.model import TIERS, Because, Tier, Wheel
from ..routes.pylock import pylock_text
from ..words import Words
from .adopt_backend import backend_of
from .adopt_find import Again, Agrees, Search, find_all
from .adopt_places import environment
from .adopt_reading import installed
from .freeze import conditions, said_goal
from .model import VERSION, BackendLock, Lock, Lost

KEY = "adopt"
ROUTE = "adopted"


class Adopted(msgspec.Struct, frozen=True, kw_only=True):
    """What was frozen, and from where."""

    lock: Lock
    pylock: str
    """Text of the pylock file."""
    environment: str
    """Absolute path of its folder."""
    left_out: tuple[str, ...]
    """Names of variables that steer GPU software here and hold a path of this machine: a lock holds none."""


def adopt(
    project: Project, facts: Facts, host: Host, said: str | None, *, agrees: Agrees, reporter: Reporter
) -> Adopted:
    """Read the environment without running it, and find each of its files again. Raises NoError where there is none,
    or no torch in it; CannotTell for a torch whose build is not known."""
    answer = host.environment()
    variables = {} if isinstance(answer, Unread) else answer
    place = environment(host, said, variables, project.root)
    reporter.begin(KEY, Words(f"reading {place.prefix}", f"读取 {place.prefix}"))
    every = installed(host, place.sites)
    backend = backend_of(host, place, every, facts, project.goal.backend)
    reporter.detail(KEY, Words(f"finding {len(every)} files again", f"重新查找 {len(every)} 个文件"))
    machine = Machine(python=place.full, arch=_known(facts.arch), libc=_known(facts.os.libc))
    found = find_all(every, Search(sources=project.sources, machine=machine, agrees=agrees))
    frozen, text = _frozen(project, facts, place.python, backend, found=found, machine=machine)
    lost = len(frozen.lost)
    told = Words(f"{len(found) - lost} found again, {lost} lost", f"找到 {len(found) - lost} 个，丢失 {lost} 个")
    reporter.end(KEY, told, ok=True)
    lock = Lock(version=VERSION, goal=said_goal(project), host=conditions(facts), backends=(frozen,))
    return Adopted(lock=lock, pylock=text, environment=place.prefix, left_out=_steering(facts)[1])


def _frozen(
    project: Project,
    facts: Facts,
    python: str,
    backend: Backend,
    *,
    found: Mapping[str, Again | Lost],
    machine: Machine,
) -> tuple[BackendLock, str]:
    again = [one for one in found.values() if isinstance(one, Again)]
    lost = [one for one in found.values() if isinstance(one, Lost)]
    sdists = [one.wheel for one in again if one.wheel.is_source]
    build, missing = _build(project, machine) if sdists else ((), ())
    wheels = tuple(one.wheel for one in again)
    text = pylock_text(wheels, python)
    vendor = {"rocm": "amd", "cuda": "nvidia"}.get(backend)
    torch = found.get("torch")
    frozen = BackendLock(
        backend=backend,
        route=ROUTE,
        tier=_weakest(again),
        python=python,
        pylock=f"pylock.{backend}.toml",
        pylock_sha256=hashlib.sha256(text.encode()).hexdigest(),
        variables=_steering(facts)[0],
        local=tuple(wheel for wheel in wheels if wheel.url is None),
        source=torch.wheel.source if isinstance(torch, Again) else None,
        targets=tuple(dict.fromkeys(gpu.target for gpu in facts.gpus if gpu.target and gpu.vendor == vendor)),
        build=build,
        build_variables=_target_family(found) if sdists else {},
        adopted=True,
        lost=(*lost, *missing),
    )
    return frozen, text


def _known(fact: str | Unknown) -> str:
    return "" if isinstance(fact, Unknown) else fact


def _weakest(again: Sequence[Again]) -> Tier:
    """Of the torch family's files, as of any other route; what comes from elsewhere only counts where nobody answers
    for it. Of nothing found nobody but this machine answers."""
    counted = [one.tier for one in again if is_family(one.wheel.name) or one.tier not in PRODUCTION]
    return max(counted or [one.tier for one in again], key=TIERS.index, default="local")


def _build(project: Project, machine: Machine) -> tuple[tuple[Wheel, ...], tuple[Lost, ...]]:
    """What AMD's `rocm`, an sdist, is built with: its build back end, from where all but the torch family comes."""
    why = "not-offered"
    for spot in other_spots(project.sources):
        offered = find_again({"setuptools": ""}, spot, project.sources, machine)["setuptools"]
        if not isinstance(offered, Because):
            return (offered[0].wheel,), ()
        why = offered.kind
    return (), (Lost(name="setuptools", version="", why=why),)


def _target_family(found: Mapping[str, Again | Lost]) -> dict[str, str]:
    """For which chip `rocm` is built, where it would look at the machine else (ROCm/TheRock, rocm's setup.py)."""
    parts = [name.removeprefix(prefix) for name in found for prefix in DEVICE_PREFIXES if name.startswith(prefix)]
    targets = sorted(
        {part for part in parts if part != EVERY_TARGET and part.startswith("gfx") and "x" not in part[3:]}
    )
    return {"ROCM_SDK_TARGET_FAMILY": targets[0]} if targets else {}


def _steering(facts: Facts) -> tuple[dict[str, str], tuple[str, ...]]:
    """Variables that are set here and change what runs; and names of those that only make sense on this machine."""
    listed = [] if isinstance(facts.environment, Unknown) else facts.environment
    told = {one.name: one.value for one in listed if steers(one.name) and one.value.isprintable()}
    kept = {name: value for name, value in told.items() if not any(map(os.path.isabs, value.split(":")))}
    return kept, tuple(name for name in told if name not in kept)
