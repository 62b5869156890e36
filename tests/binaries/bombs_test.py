"""Small files that unpack to very much: read in bounded time and memory, whatever lies inside whatever."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .bombs import BOMBS, made

ROOT = Path(__file__).resolve().parents[2]
LONGEST_S, MOST_MIB = 10.0, 300
"""On a machine of two busy cores; what is let through at most takes some seconds."""


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_takes_little_time_and_memory(name: str, tmp_path: Path) -> None:
    made(name, tmp_path)
    run = [sys.executable, "-m", "tests.binaries.bombs", name, str(tmp_path)]
    answer = subprocess.run(run, capture_output=True, text=True, check=False, cwd=ROOT, timeout=6 * LONGEST_S)
    assert answer.returncode == 0, answer.stderr[-2000:]
    took, peak = (float(word) for word in answer.stdout.split()[:2])
    assert took < LONGEST_S, answer.stdout
    assert peak < MOST_MIB, answer.stdout
