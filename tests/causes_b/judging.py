"""How the tests of this folder judge one cause on facts, and the changes that they make to healthy machines."""

from __future__ import annotations

from typing import Any

import msgspec

from firstlight.causes.catalogue import cause
from firstlight.causes.model import Clear, Found, Judgement, NotKnown
from firstlight.facts.model import Distribution, Environment, Facts, Torch, Unknown, Variable
from tests.machines_facts import ABSENT, change, changes

SITE = "/home/user1/env/lib/python3.12/site-packages"


def judged(id: str, facts: Facts) -> Judgement:
    """One cause of the catalogue on these facts."""
    found = cause(id)
    assert found is not None, id
    assert found.judge
    return found.judge(facts)


def found(id: str, facts: Facts) -> Found:
    """The cause is found."""
    judgement = judged(id, facts)
    assert isinstance(judgement, Found), judgement
    return judgement


def severity(id: str, facts: Facts) -> str:
    """How bad it is found to be."""
    one = cause(id)
    assert one is not None
    return found(id, facts).severity or one.severity


def clear(id: str, facts: Facts) -> bool:
    """The cause is ruled out."""
    return isinstance(judged(id, facts), Clear)


def needs(id: str, facts: Facts) -> tuple[str, ...]:
    """What is missing."""
    judgement = judged(id, facts)
    assert isinstance(judgement, NotKnown), judgement
    return judgement.needs


def holding(facts: Facts, *packages: str, active: bool = True, **said: Any) -> Facts:
    """`facts` with one more environment of these `name==version` packages; torch's backend by its suffix."""
    pairs = [package.split("==") for package in packages]
    environment = Environment(
        path=SITE if active else "/srv/other/lib/python3.12/site-packages",
        python="3.12",
        active=active,
        torch=next((torch(version, **said) for name, version in pairs if name == "torch"), None),
        distributions=[Distribution(name=name, version=version) for name, version in pairs],
        libraries=said.get("libraries", []),
    )
    return change(facts, "python.environments", [*facts.python.environments, environment])


def torch(version: str, **said: Any) -> Torch:
    """As facts tell it from the version."""
    local = version.partition("+")[2]
    name = next((one for one in ("rocm", "cu", "cpu", "xpu") if local.startswith(one)), "cu")
    digits = local.removeprefix(name)
    kind = {"cu": "cuda"}.get(name, name)
    number = ".".join(digits.split(".")[:2]) if kind == "rocm" else f"{digits[:-1]}.{digits[-1:]}" if digits else "13.0"
    return Torch(
        version=version,
        backend=said.get("backend", kind),
        backend_version=said.get("backend_version", number if kind in {"rocm", "cuda"} else ABSENT),
        targets=said.get("targets", ABSENT),
        requires_triton=said.get("requires_triton"),
    )


def setting(facts: Facts, **variables: str) -> Facts:
    """`facts` with environment variables."""
    return change(facts, "environment", [Variable(name=name, value=value) for name, value in variables.items()])


def first_gpu(facts: Facts, **fields: object) -> Facts:
    """`facts` with fields of the first GPU replaced."""
    return changes(facts, gpus=[msgspec.structs.replace(facts.gpus[0], **fields), *facts.gpus[1:]])


def told(reason: str = "not-captured") -> Unknown:
    """A fact that is not known."""
    return Unknown(reason, "test")
