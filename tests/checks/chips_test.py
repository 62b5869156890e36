"""The worker's rules are those of knowledge, which it cannot import."""

from __future__ import annotations

import itertools

import pytest

from firstlight.checks.ladder import generic_targets
from firstlight.checks.worker.chips import runs
from firstlight.knowledge.builds import runs_on

NUMBERS = (50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 101, 103, 110, 120, 121)
CODES = [f"{kind}_{n}{suffix}" for kind in ("sm", "compute") for n in NUMBERS for suffix in ("", "a", "f")]
AMD = ["gfx900", "gfx90a", "gfx90a:xnack-", "gfx90a:sramecc+:xnack-", "gfx90a:sramecc+:xnack+", "gfx942", "gfx1030",
       "gfx1100", "gfx1103", "gfx1151", "gfx1201", "gfx9-generic", "gfx9-4-generic", "gfx10-3-generic",
       "gfx11-generic", "gfx12-generic", "gfx90", "gfx"]  # fmt: skip


@pytest.mark.parametrize("cuda", [None, "12.8", "13.2"])
def test_nvidia_as_in_knowledge(cuda: str | None) -> None:
    for number, code in itertools.product(NUMBERS, [*CODES, "sm_", "sm_x", "gfx90a"]):
        device = f"sm_{number}"
        assert (runs(device, code, {}, cuda) or "no") == runs_on([code], device, backend_version=cuda), (device, code)


def test_amd_as_in_knowledge() -> None:
    generic = generic_targets()
    assert "gfx1151" in generic["gfx11-generic"]
    for device, code in itertools.product([name for name in AMD if "generic" not in name], [*AMD, "sm_90"]):
        assert (runs(device, code, generic) or "no") == runs_on([code], device), (device, code)
