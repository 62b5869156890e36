"""The rung `code-for-chip` with what the environment's own files say."""

from __future__ import annotations

import sys
from pathlib import Path

from firstlight.checks.code_files import with_files
from firstlight.checks.model import Rung

from ..binaries.fat_torch import fill


def rung(*targets: str) -> Rung:
    evidence: dict[str, object] = {"targets": [{"target": one, "how": "native"} for one in targets]}
    return Rung(id="code-for-chip", verdict="pass", ms=1.0, evidence=evidence)


def environment(folder: Path) -> str:
    site = folder / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    fill(site, {"libtorch_cuda.so": ["sm_75", "sm_90"], "libtorch_cuda_linalg.so": ["sm_90"]})
    (folder / "bin").mkdir()
    (folder / "pyvenv.cfg").write_text("home = /usr/bin\n")
    python = folder / "bin" / "python"
    python.symlink_to(sys.executable)
    return str(python)


def test_libraries_without_code_are_named(tmp_path: Path) -> None:
    found = with_files(rung("sm_75", "sm_90"), environment(tmp_path / "env"))
    assert found.verdict == "pass"
    assert found.evidence["files"] == [
        {"target": "sm_75", "verdict": "no", "lacking": ["torch/lib/libtorch_cuda_linalg.so"]},
        {"target": "sm_90", "verdict": "native", "lacking": []},
    ]


def test_nothing_to_say_leaves_the_rung_as_it_is(tmp_path: Path) -> None:
    plain = Rung(id="code-for-chip", verdict="fail", ms=1.0, evidence={"targets": "odd"})
    assert with_files(plain, str(tmp_path / "bin" / "python")) is plain
    without_torch = rung("sm_90")
    assert with_files(without_torch, str(tmp_path / "bin" / "python")) is without_torch
