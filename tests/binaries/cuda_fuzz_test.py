"""The readers of CUDA files under structure-aware mutation: faults, never a crash, never long."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
READERS = ("fatbin", "cubin", "ptx")


def test_mutated_cuda_files_are_read(tmp_path: Path) -> None:
    include = ",".join(f"*/firstlight/binaries/{name}.py" for name in READERS)
    (tmp_path / "rc").write_text("")  # the project's own settings would measure the whole program
    rc, data = f"--rcfile={tmp_path / 'rc'}", f"--data-file={tmp_path / 'data'}"
    run = ["coverage", "run", "--branch", f"--include={include}", rc, data, "-m", "tests.binaries.fuzz_cuda", "1500"]
    answer = subprocess.run([sys.executable, "-m", *run], capture_output=True, text=True, check=False, cwd=ROOT)
    assert answer.returncode == 0, answer.stderr[-2000:]
    whole, faulty = map(int, answer.stdout.split())
    assert whole > 500
    assert faulty > 1000
    report = [sys.executable, "-m", "coverage", "json", rc, data, "-o", str(tmp_path / "report.json"), "-q"]
    subprocess.run(report, check=True)
    files = json.loads((tmp_path / "report.json").read_text())["files"]
    covered = {Path(name).stem: round(file["summary"]["percent_covered"]) for name, file in files.items()}
    assert set(covered) == set(READERS)
    assert min(covered.values()) >= 90, covered
