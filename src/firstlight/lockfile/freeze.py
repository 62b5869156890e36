"""Project + Facts + Plan -> Lock."""

from __future__ import annotations

import hashlib

import msgspec

from ..errors import CannotTell, NoError
from ..facts.model import Facts, Unknown
from ..project.model import Goal, Project
from ..routes.model import Plan, Route
from ..routes.pylock import pylock_text
from ..words import Words
from .model import VERSION, BackendLock, HostConditions, Lock


def freeze(project: Project, facts: Facts, plan: Plan) -> Lock:
    """The chosen route, frozen. Raises NoError if the plan chose none."""
    route = chosen_route(plan)
    return Lock(version=VERSION, goal=said_goal(project), host=conditions(facts), backends=(_backend(route),))


def chosen_route(plan: Plan) -> Route:
    """Raises NoError, with the plan's reason, if there is none; CannotTell if some could not be judged."""
    route = next((one for one in plan.routes if one.name == plan.chosen), None)
    if route is None or route.python_version is None:
        unsure = route is None and any(one.verdict == "unknown" for one in plan.routes)
        raise (CannotTell if unsure else NoError)(
            Words("there is nothing to lock: no route was chosen", "没有可锁定的内容：未选定任何路线"),
            why=plan.why,
            next=Words("see `firstlight plan` for what blocks each route", "用 `firstlight plan` 查看各路线受阻的原因"),
        )
    return route


def pylock_of(route: Route) -> str:
    """The text of the route's pylock file. The same route gives the same bytes."""
    return pylock_text(route.wheels, route.python_version or "")


def _backend(route: Route) -> BackendLock:
    return BackendLock(
        backend=route.backend,
        route=route.name,
        tier=route.tier,
        python=route.python_version or "",
        pylock=f"pylock.{route.backend}.toml",
        pylock_sha256=hashlib.sha256(pylock_of(route).encode()).hexdigest(),
        variables=route.variables,
        local=tuple(wheel for wheel in route.wheels if wheel.url is None),
        source=route.source.name if route.source else None,
        targets=route.targets,
        build=route.build,
        build_variables=route.build_variables,
        provenance=route.provenance,
    )


def said_goal(project: Project) -> dict[str, object]:
    """What was said, no more: an empty goal means whatever fits the machine."""
    default = msgspec.to_builtins(Goal())
    said = msgspec.to_builtins(project.goal)
    # an interpreter's path is of this machine alone; the lock holds the version
    return {
        key: value for key, value in said.items()
        if value != default[key] and not (key == "python" and "/" in str(value))
    }  # fmt: skip


def conditions(facts: Facts) -> HostConditions:
    """What the machine is, as far as an environment depends on it."""
    driver = facts.driver.nvidia.version
    if isinstance(driver, Unknown):
        driver = facts.driver.amd.version
    return HostConditions(
        arch=_known(facts.arch) or "unknown",
        libc=_known(facts.os.libc),
        targets=tuple(dict.fromkeys(gpu.target for gpu in facts.gpus if gpu.target)),
        kernel=_known(facts.kernel.release),
        driver=_known(driver),
    )


def _known(fact: str | Unknown) -> str | None:
    return None if isinstance(fact, Unknown) else fact
