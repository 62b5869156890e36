"""Running a command for its time."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple


class Cost(NamedTuple):
    """Medians over all runs, in seconds."""

    wall: float
    cpu: float


def cost(argv: Sequence[str], *, runs: int = 7, env: Mapping[str, str] | None = None) -> Cost:
    """Median wall and CPU time (user + system, children included) of a command; one run before is not counted."""
    once(argv, env)
    costs = [once(argv, env) for _ in range(runs)]
    return Cost(statistics.median(c.wall for c in costs), statistics.median(c.cpu for c in costs))


def once(argv: Sequence[str], env: Mapping[str, str] | None = None, *, check: bool = False) -> Cost:
    """Cost of one run. With `check`, a failing command ends the benchmark."""
    before, start = os.times(), time.perf_counter()
    done = subprocess.run(argv, capture_output=True, check=False, env=env)
    wall, after = time.perf_counter() - start, os.times()
    if check and done.returncode:
        raise SystemExit(f"{' '.join(argv)} failed:\n{done.stderr.decode(errors='replace')}")
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Cost(wall, cpu)


def seconds(work: Callable[[], object]) -> float:
    """Wall time of a call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
