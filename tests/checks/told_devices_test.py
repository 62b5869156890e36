"""How devices are judged that torch tells of: the rules alone, since there is no GPU here."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from firstlight.checks import ladder

HERE = Path(__file__).resolve().parent
WORKER = Path(ladder.__file__).parent / "worker"

EXPECTED = {
    "seen": ("pass", None),
    "fewer": ("fail", "fewer-devices"),
    "mig": ("pass", None),
    "hidden": ("pass", None),
    "deferred": ("fail", "no-device"),
    "none": ("fail", "no-device"),
    "native": ("pass", None),
    "xnack": ("fail", "no-code"),
    "generic": ("pass", None),
    "lacking": ("fail", "no-code"),
    "second": ("pass", None),
    "mixed": ("pass", None),
    "wheel of gfx115x": ("pass", None),
    "wheel of gfx1100": ("fail", "no-code"),
    "untold": ("unknown", "no-arch-list"),
    "jit": ("pass", None),
    "minor": ("pass", None),
    "newer": ("fail", "no-code"),
}


@pytest.mark.ladder
def test_each_case(torch_python: str) -> None:
    done = subprocess.run(
        [torch_python, "-W", "ignore", str(HERE / "told_devices.py"), str(WORKER)],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = dict(json.loads(line) for line in done.stdout.splitlines())
    assert {name: (each["verdict"], each["reason"]) for name, each in told.items()} == EXPECTED
    assert told["seen"]["evidence"]["devices"][0]["target"] == "gfx1151"
    assert told["second"]["evidence"]["served"] == [0]
    assert told["second"]["evidence"]["lacking"] == ["gfx1036"]
    mixed = told["mixed"]["evidence"]
    assert (mixed["served"], mixed["kinds"], mixed["together"]) == ([0, 1, 2, 3], [0, 1, 3], [0, 2, 3])
    assert told["wheel of gfx115x"]["evidence"]["targets"] == [{"target": "gfx1151", "how": "device-wheel"}]
    assert told["generic"]["evidence"]["targets"] == [{"target": "gfx1151", "how": "generic"}]
