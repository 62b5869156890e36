"""Wrong numbers in an operation fail the rung of that operation."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from firstlight.checks import ladder

HERE = Path(__file__).resolve().parent
WORKER = Path(ladder.__file__).parent / "worker"


@pytest.mark.ladder
def test_each_planted_error_is_seen(torch_python: str) -> None:
    done = subprocess.run(
        [torch_python, "-W", "ignore", str(HERE / "wrong_ops.py"), str(WORKER)],
        capture_output=True, text=True, check=False, timeout=200,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
    assert len(told) >= 30
    missed = [each for each in told if each[2:4] != ["fail", "wrong-numbers"]]
    assert missed == []
    assert all(text for *_, text in told)
