"""The rungs where there are several devices: each is tried, and the one at fault is named."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from firstlight.checks import ladder

HERE = Path(__file__).resolve().parent
WORKER = Path(ladder.__file__).parent / "worker"
GIB = 1 << 30

EXPECTED = {
    "kernels": ("pass", None),
    "no code on the second": ("fail", "no-code"),
    "invalid image": ("fail", "no-code"),
    "memory taken": ("fail", "out-of-memory"),
    "products": ("pass", None),
    "bf16 refused": ("pass", None),
    "fp16 refused": ("fail", "exception"),
    "training": ("pass", None),
    "host pages": ("pass", None),
    "own pages": ("pass", None),
    "nothing free": ("skip", "too-little-free"),
    "refused": ("fail", "out-of-memory"),
    "taken": ("skip", "taken-meanwhile"),
}


Told = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def findings(torch_python: str) -> tuple[Told, str]:
    """Each finding by the name of its case, and what was printed beside them."""
    done = subprocess.run(
        [torch_python, "-W", "ignore", str(HERE / "several_devices.py"), str(WORKER)],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return dict(json.loads(line) for line in done.stdout.splitlines()), done.stderr


@pytest.mark.ladder
def test_each_case(findings: tuple[Told, str]) -> None:
    told, printed = findings
    assert {name: (each["verdict"], each["reason"]) for name, each in told.items()} == EXPECTED
    evidence = {name: each["evidence"] for name, each in told.items()}
    assert evidence["kernels"]["devices"] == ["cuda:0", "cuda:1", "cuda:2"]
    assert evidence["no code on the second"]["failed_devices"] == ["cuda:1"]
    assert told["no code on the second"]["text"].startswith("cuda:1: RuntimeError: CUDA error: no kernel image")
    assert evidence["products"]["cases"] > 3 * 96
    assert evidence["bf16 refused"]["types"]["cuda:2 bf16"] == "not-supported"
    assert evidence["training"]["devices"] == ["cuda:0", "cuda:1", "cuda:2"]
    assert "on cuda:2" in printed


@pytest.mark.ladder
def test_the_host_keeps_half_of_its_memory(findings: tuple[Told, str]) -> None:
    host, own = (findings[0][name]["evidence"] for name in ("host pages", "own pages"))
    assert host["ended_by"] == "host-memory"
    assert 13 * GIB <= host["allocated_bytes"] <= 16 * GIB
    assert "ended_by" not in own
    assert own["allocated_bytes"] > 54 * GIB
    assert findings[0]["taken"]["evidence"]["left_bytes"] == 3 * GIB
