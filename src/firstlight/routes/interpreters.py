"""Pythons that an environment could be made with, and which wheels each can install."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from functools import lru_cache

import msgspec

from ..facts.model import Facts, Unknown
from ..host.model import HostKind
from ..project.model import Goal
from .platforms import platforms

OLDEST = (3, 9)
"""Older Pythons are not offered: no torch of the last years has wheels for them."""


class Interpreter(msgspec.Struct, frozen=True, kw_only=True):
    """One Python."""

    path: str | None
    """None: a version that was asked for, of which no interpreter is known."""
    version: str
    """`3.11`"""

    @property
    def numbers(self) -> tuple[int, int]:
        """(3, 11)"""
        major, _, minor = self.version.partition(".")
        return int(major), int(minor)


def offered(goal: Goal, facts: Facts) -> tuple[Interpreter, ...]:
    """In order of preference: the one that was asked for and no other; else the running one, then the newest."""
    here = known(facts)
    if goal.python is None:
        return here
    if os.sep in goal.python:
        return _at(goal.python, here, live=is_live(facts))
    wanted = _minor(goal.python)
    found = tuple(one for one in here if one.version == wanted)
    return found or ((Interpreter(path=None, version=wanted),) if wanted else ())


def is_live(facts: Facts) -> bool:
    """Whether the Pythons of these facts can be run here."""
    return facts.origin.kind in (HostKind.LIVE, HostKind.OVERLAY)


def known(facts: Facts) -> tuple[Interpreter, ...]:
    """All that the machine has, in order of preference; of each version one."""
    listed = (
        Interpreter(path=one.path, version=version)
        for one in facts.python.interpreters
        if (version := _minor("" if isinstance(one.version, Unknown) else one.version))
    )
    newest = sorted(listed, key=lambda one: one.numbers, reverse=True)
    unique = _unique([*_running(facts), *newest])
    return tuple(one for one in unique if one.numbers >= OLDEST)


def _running(facts: Facts) -> list[Interpreter]:
    """The Python under this program (its base, so that an environment outlives ours), on the live machine."""
    path = getattr(sys, "_base_executable", None) or sys.executable
    if not is_live(facts) or not path:
        return []
    return [Interpreter(path=os.path.realpath(path), version=f"{sys.version_info[0]}.{sys.version_info[1]}")]


def _unique(pythons: Iterable[Interpreter]) -> list[Interpreter]:
    """The first of each version: another of the same one would give the same environment."""
    found: dict[str, Interpreter] = {}
    for one in pythons:
        found.setdefault(one.version, one)
    return list(found.values())


def _at(path: str, here: Sequence[Interpreter], *, live: bool) -> tuple[Interpreter, ...]:
    path = os.path.abspath(os.path.expanduser(path))
    same = next((one for one in here if one.path == path), None)
    if same is not None:
        return (same,)
    version = python_version(path) if live else None
    return (Interpreter(path=path, version=version),) if version else ()


def python_version(path: str) -> str | None:
    """`3.11` of an interpreter that can be run here; None if it does not answer."""
    from ..host.command import run

    outcome = run([path, "-I", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"], timeout=20.0)
    answer = outcome.stdout.strip()
    return answer if outcome.code == 0 and answer.replace(".", "").isdecimal() else None


def _minor(text: str) -> str:
    """`3.11.7` -> `3.11`; empty if it is no version."""
    parts = text.strip().split(".")
    plain = len(parts) >= 2 and all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts[:2])
    return f"{int(parts[0])}.{int(parts[1])}" if plain else ""


@lru_cache(maxsize=64)
def tags(version: str, arch: str, libc: str) -> frozenset[str]:
    """Every tag that a CPython of this version installs on a machine with this architecture and C library."""
    from packaging.tags import compatible_tags, cpython_tags

    major, _, minor = version.partition(".")
    numbers = (int(major), int(minor))
    name = f"cp{major}{minor}"
    places = platforms(arch, libc)
    native = cpython_tags(python_version=numbers, abis=[name], platforms=places)
    pure = compatible_tags(python_version=numbers, interpreter=name, platforms=places)
    return frozenset(str(tag) for each in (native, pure) for tag in each)
