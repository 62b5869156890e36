"""Facts of a machine of which nothing is known but what a test says."""

from __future__ import annotations

import inspect
import typing
from typing import Any, TypeVar

import msgspec

from firstlight.facts.model import Facts, Gpu, Interpreter, Unknown
from firstlight.host.model import HostKind

S = TypeVar("S", bound=msgspec.Struct)


def blank(record: type[S], **said: Any) -> S:
    """A record whose every field is unknown, empty or null, but for what is said."""
    hints = typing.get_type_hints(record)
    return record(**{name: said[name] if name in said else _value(hints[name]) for name in record.__struct_fields__})


def _value(hint: Any) -> Any:
    arguments = typing.get_args(hint)
    if Unknown in arguments:
        return Unknown("absent", "test")
    if type(None) in arguments:
        return None
    kind = typing.get_origin(hint) or hint
    if inspect.isclass(kind) and issubclass(kind, msgspec.Struct):
        return blank(kind)
    return kind() if kind in (list, dict, str, int, float, bool, tuple) else None


def machine(
    *,
    arch: str = "x86_64",
    libc: str = "glibc 2.36",
    gpus: tuple[Gpu, ...] = (),
    pythons: tuple[str, ...] = ("3.11",),
    kind: HostKind = HostKind.RECORDED,
    nvidia: str | None = "580.105.08",
    **said: Any,
) -> Facts:
    """A recorded machine."""
    facts = blank(Facts, arch=arch, gpus=list(gpus), **said)
    python = msgspec.structs.replace(
        facts.python, interpreters=[Interpreter(path=f"/usr/bin/python{one}", version=one) for one in pythons]
    )
    loaded = Unknown("absent", "test") if nvidia is None else nvidia
    driver = msgspec.structs.replace(facts.driver, nvidia=msgspec.structs.replace(facts.driver.nvidia, version=loaded))
    return msgspec.structs.replace(
        facts,
        driver=driver,
        origin=msgspec.structs.replace(facts.origin, kind=kind, label="test"),
        os=msgspec.structs.replace(facts.os, libc=libc),
        python=python,
    )


def gpu(vendor: str, target: str | None, **said: Any) -> Gpu:
    """One GPU."""
    return blank(Gpu, vendor=vendor, target=target, physical="0", unknown={}, **said)
