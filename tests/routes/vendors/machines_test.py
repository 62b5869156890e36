"""`firstlight facts` says of each recorded machine exactly what it was made to be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firstlight.cli.main import main

from .machines import MACHINES

INTENDED: dict[str, tuple[list[str], str | None, str, str, list[str]]] = {
    "gfx1151": (["gfx1151"], None, "x86_64", "glibc 2.39", ["3.12"]),
    "gfx1151-hwe": (["gfx1151"], None, "x86_64", "glibc 2.39", ["3.12"]),
    "gfx1151-old-kernel": (["gfx1151"], None, "x86_64", "glibc 2.39", ["3.12"]),
    "gfx1151-python-3.14": (["gfx1151"], None, "x86_64", "glibc 2.39", ["3.14"]),
    "gfx1100-igpu": (["gfx1100", "gfx1036"], None, "x86_64", "glibc 2.39", ["3.12"]),
    "igpu-gfx1100": (["gfx1036", "gfx1100"], None, "x86_64", "glibc 2.39", ["3.12"]),
    "gfx906": (["gfx906"], None, "x86_64", "glibc 2.39", ["3.12"]),
    "gfx1152": (["gfx1152"], None, "x86_64", "glibc 2.39", ["3.12"]),
    "gfx942": (["gfx942"], None, "x86_64", "glibc 2.39", ["3.12"]),
    "sm_121-aarch64": (["sm_121"], "580.95.05", "aarch64", "glibc 2.39", ["3.12"]),
    "sm_90-driver-535": (["sm_90"], "535.161.08", "x86_64", "glibc 2.35", ["3.10"]),
    "sm_90-python-3.9": (["sm_90"], "580.105.08", "x86_64", "glibc 2.34", ["3.9"]),
    "sm_70": (["sm_70"], "580.105.08", "x86_64", "glibc 2.39", ["3.12"]),
    "sm_70-glibc-2.17": (["sm_70"], "580.105.08", "x86_64", "glibc 2.17", ["3.11"]),
    "cpu": ([], None, "x86_64", "glibc 2.39", ["3.12"]),
}
"""Targets, NVIDIA driver, machine, C library, Pythons."""


@pytest.mark.parametrize("name", MACHINES)
def test_the_recorded_machine_is_read_as_it_was_made(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = MACHINES[name](tmp_path / "machine").save()
    assert main(["facts", "--host", str(folder), "--project", str(tmp_path), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    driver = facts["driver"]["nvidia"]["version"]
    found = (
        [gpu["target"] for gpu in facts["gpus"]],
        driver if isinstance(driver, str) else None,
        facts["arch"],
        facts["os"]["libc"],
        [one["version"] for one in facts["python"]["interpreters"]],
    )
    assert found == INTENDED[name]
    assert all(gpu["usable"] is True for gpu in facts["gpus"])
    assert [gpu["apu"] for gpu in facts["gpus"] if gpu["target"] == "gfx1036"] in ([], [True])


def test_every_machine_is_intended_to_be_something() -> None:
    assert set(INTENDED) == set(MACHINES)
