"""One request, asked of both."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from firstlight.catalog.debian.catalogue import read_catalogue
from firstlight.facts import collect
from firstlight.facts.value import Unknown
from firstlight.host import open_host
from firstlight.routes.system.ask import Solver
from firstlight.routes.system.model import Change, Request, Solved

from .roots import options


class Compared(NamedTuple):
    """Both answers."""

    request: tuple[str, ...]
    ours: bool
    theirs: bool
    right: bool
    why: str


def solver(root: Path, cache: Path) -> Solver:
    """Ours, on the root as `--host` gives it."""
    host = open_host(str(root))
    facts = collect(host)
    repositories = [] if isinstance(facts.repositories, Unknown) else facts.repositories
    return Solver(read_catalogue(host, repositories, facts.apt, native="amd64"), host, str(cache))


def apt(root: Path, wanted: Sequence[str]) -> tuple[bool, str]:
    """Theirs, with the last lines of what it says."""
    done = subprocess.run(
        ["apt-get", *options(root), "-s", "install", *wanted], capture_output=True, text=True, timeout=300,
        check=False, stdin=subprocess.DEVNULL, env={**os.environ, "LC_ALL": "C"},
    )  # fmt: skip
    return done.returncode == 0, (done.stderr or done.stdout)[-1500:]


def compare(root: Path, ours: Solver, wanted: tuple[str, ...]) -> Compared:
    """A yes of ours where apt says no is right only if apt accepts our exact versions."""
    answer = ours.ask(Request(wanted=wanted))
    yes, said = apt(root, wanted)
    if answer.possible == yes:
        return Compared(wanted, answer.possible, yes, right=True, why="")
    if answer.possible:
        accepted, again = apt(root, exactly(answer))
        return Compared(
            wanted, ours=True, theirs=False, right=accepted, why="" if accepted else f"{said}\n---\n{again}"
        )
    return Compared(wanted, ours=False, theirs=True, right=False, why=str(answer.problems)[:1500])


def exactly(answer: Solved) -> list[str]:
    """The changes as apt-get is told them."""
    return [_word(change) for change in answer.changes]


def _word(change: Change) -> str:
    name = f"{change.name}:{change.architecture}" if change.architecture not in ("amd64", "all") else change.name
    return f"{name}={change.after}" if change.after else f"{name}-"
