"""The Python environments and variables that a cause is judged on."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from ..facts.model import Environment, Facts, Unknown
from ..host.model import HostKind
from .model import CLEAR, Evidence, Found, Judgement, NotKnown, missing

SHOWN = 200
"""Characters of a foreign value that evidence shows."""


def variable(facts: Facts, name: str) -> str | None:
    """Value of an environment variable; None: not set, or not known (ask `facts.environment` for that)."""
    if isinstance(facts.environment, Unknown):
        return None
    return next((one.value for one in facts.environment if one.name == name), None)


def variable_evidence(name: str, value: str) -> Evidence:
    """A variable as it was read."""
    return Evidence(f"environment.{name}", shorten(value) or "(empty)", "environment")


def shorten(value: str) -> str:
    """A foreign value, short enough to show."""
    return value if len(value) <= SHOWN else value[: SHOWN - 1] + "…"


def each(facts: Facts, judge: Callable[[Environment], Judgement]) -> Judgement:
    """The worst of the judgements on the environments that hold torch, the active one first.
    What is found only in an environment that is not active is advice: nothing need run there."""
    holding = sorted((e for e in facts.python.environments if e.torch), key=lambda e: not e.active)
    if not holding and facts.origin.kind is HostKind.TREE:
        return NotKnown((f"python.environments (not-captured: {facts.origin.label})",))
    found: Found | None = None
    needs: NotKnown | None = None
    for environment in holding:
        judgement = judge(environment)
        if isinstance(judgement, Found) and found is None:
            found = judgement if environment.active else msgspec.structs.replace(judgement, severity="advice")
        elif isinstance(judgement, NotKnown) and needs is None:
            needs = judgement
    return found or needs or CLEAR


def path(facts: Facts, environment: Environment) -> str:
    """Its path among the facts, `python.environments[0]`."""
    at = next((index for index, other in enumerate(facts.python.environments) if other is environment), 0)
    return f"python.environments[{at}]"


def torch_evidence(facts: Facts, environment: Environment) -> Evidence:
    """Which torch it holds."""
    version = environment.torch.version if environment.torch else "none"
    return Evidence(f"{path(facts, environment)}.torch.version", shorten(version), environment.path)


def distribution_evidence(facts: Facts, environment: Environment, name: str, version: str) -> Evidence:
    """One installed distribution."""
    where = f"{path(facts, environment)}.distributions"
    return Evidence(where, shorten(f"{name} {version}"), environment.path)


def version_of(environment: Environment, name: str) -> str | None:
    """Version of a distribution, by its normalised name; None: not installed."""
    return next((one.version for one in environment.distributions if one.name == name), None)


def interpreter(environment: Environment) -> str:
    """The python that uses this site-packages folder, by the layouts of venv, conda and Debian."""
    at = environment.path.find("/lib/python")
    prefix = environment.path[:at] if at > 0 else ""
    if not prefix or prefix in {"/usr", "/usr/local"} or prefix.endswith("/.local"):
        return "python3"
    return f"{prefix}/bin/python"


def missing_backend(facts: Facts, environment: Environment) -> NotKnown | None:
    """NotKnown if it is not known which backend its torch is built for."""
    known = environment.torch.backend if environment.torch else ""
    return missing((f"{path(facts, environment)}.torch.backend", known))


def not_of(facts: Facts, environment: Environment, backend: str) -> Judgement | None:
    """Clear if its torch is of another backend, NotKnown if that is not known, None if it is of this one."""
    lacking = missing_backend(facts, environment)
    if lacking or environment.torch is None:
        return lacking or CLEAR
    return None if environment.torch.backend == backend else CLEAR
