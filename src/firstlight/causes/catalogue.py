"""All causes, found by listing this package: to add one is to add one file."""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module

from .model import Cause

_NOT_CAUSES = frozenset({"model", "changes", "catalogue", "diagnosis", "messages", "signs", "naming", "exporting"})


@cache
def catalogue() -> tuple[Cause, ...]:
    """Every cause, in the order of id. A file that starts with `_` holds none."""
    names = {name[:-3] for name in os.listdir(os.path.dirname(__file__)) if name.endswith(".py")}
    causes = [_load(name) for name in names - _NOT_CAUSES if not name.startswith("_")]
    return tuple(sorted(causes, key=lambda one: one.id))


def cause(id: str) -> Cause | None:
    """The cause of that id, None if there is none. Reads no other file than its own."""
    name = id.replace("-", "_")
    there = name.isidentifier() and not name.startswith("_") and name not in _NOT_CAUSES
    return _load(name) if there and os.path.exists(os.path.join(os.path.dirname(__file__), name + ".py")) else None


def _load(name: str) -> Cause:
    found: Cause = import_module(f"{__package__}.{name}").CAUSE
    if found.id != name.replace("_", "-"):
        raise ValueError(f"{name}.py defines the cause {found.id}")
    return found
