"""The readers of AMD's archives and libraries of kernels under structure-aware mutation: a value or a fault, never a
crash."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
READERS = (
    "kpack",
    "kpack_table",
    "kpack_frames",
    "msgpack",
    "named",
    "tensile",
    "miopen",
    "aotriton",
    "aotriton_zip",
)


def test_mutated_archives_are_read(tmp_path: Path) -> None:
    (tmp_path / "rc").write_text("")  # the project's own settings would measure the whole program
    rc, data = f"--rcfile={tmp_path / 'rc'}", f"--data-file={tmp_path / 'data'}"
    include = ",".join(f"*/firstlight/binaries/{name}.py" for name in READERS)
    run = [sys.executable, "-m", "coverage", "run", "--branch", f"--include={include}", rc, data, "-m",
           "tests.binaries.fuzz_archives", "4000"]  # fmt: skip
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", "")])
    answer = subprocess.run(
        run, capture_output=True, text=True, check=False, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}
    )
    assert answer.returncode == 0, answer.stderr[-3000:]
    sound, faulty = map(int, answer.stdout.split())
    assert sound > 800
    assert faulty > 800
    report = [sys.executable, "-m", "coverage", "json", rc, data, "-o", str(tmp_path / "report.json"), "-q"]
    subprocess.run(report, check=True)
    files = json.loads((tmp_path / "report.json").read_text())["files"]
    covered = {Path(name).stem: round(file["summary"]["percent_covered"]) for name, file in files.items()}
    assert set(covered) == set(READERS)
    assert min(covered.values()) >= 90, covered
