"""GPUs read from recorded outputs of tools, against what is known of those machines."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from firstlight.transcript.facts import facts_of
from firstlight.transcript.gpus import gpus
from tests.explain.asking import SHARED

TRUTHS = [path for path in sorted(SHARED.glob("fixtures/*/*/truth.json")) if '"text"' in path.read_text()]
SAYS_NOTHING = {"cpu-memory-results.yml"}
"""A file of a machine that does not speak of its GPU."""


def wanted(truth: dict[str, Any], name: str) -> list[tuple[str, str | None]] | None:
    own = (truth.get("per_file") or {}).get(name)
    listed = truth["gpus"][:own] if isinstance(own, int) else own if own is not None else truth["gpus"]
    return None if listed is None else [(one["vendor"], one["target"]) for one in listed]


def text_of(path: Path) -> str:
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return data.decode("utf-8", "replace")


@pytest.mark.skipif(not TRUTHS, reason="the shared fixtures are not beside the project")
@pytest.mark.parametrize("path", TRUTHS, ids=lambda path: f"{path.parents[1].name}/{path.parent.name}")
def test_count_vendor_and_target(path: Path) -> None:
    truth = json.loads(path.read_text())
    for name in truth["files"]:
        want = wanted(truth, name)
        if want is not None and name not in SAYS_NOTHING:
            assert [(one.vendor, one.target) for one in gpus(text_of(path.parent / name))] == want, name


def test_an_empty_text_states_nothing() -> None:
    facts = facts_of("")
    assert facts.gpus == []
    assert not isinstance(facts.kernel.release, str)


@pytest.mark.parametrize(
    ("text", "vendor", "target"),
    [
        ("  Device 0: AMD Radeon RX 7800 XT, gfx1101 (0x1101), VMM: no, Wave Size: 32\n", "amd", "gfx1101"),
        ("GPU 0: NVIDIA A100-SXM4-80GB (UUID: GPU-00000000-0000-0000-0000-000000000000)\n", "nvidia", "sm_80"),
        ("web_1  |   Name:                    gfx1151\n", "amd", "gfx1151"),
        ("01:00.0 VGA compatible controller [0300]: NVIDIA Corporation GA102 [GeForce RTX 3090] [10de:2204] (rev a1)\n",
         "nvidia", "sm_86"),
        ("GPU models and configuration: AMD Radeon RX 7900 XTX (gfx1100)\n", "amd", "gfx1100"),
    ],
)  # fmt: skip
def test_one_line(text: str, vendor: str, target: str) -> None:
    assert [(one.vendor, one.target) for one in gpus(text)] == [(vendor, target)]
