"""The readers of an environment under structure-aware mutation: differences, never a crash, never a file outside."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
READERS = ("env_tree", "record", "installed", "hashing", "drift_files", "drift_environment")


def test_mutated_environments_are_read(tmp_path: Path) -> None:
    include = ",".join(f"*/firstlight/lockfile/{name}.py" for name in READERS)
    (tmp_path / "rc").write_text("")  # the project's own settings would measure the whole program
    rc, data = f"--rcfile={tmp_path / 'rc'}", f"--data-file={tmp_path / 'data'}"
    run = [
        "coverage",
        "run",
        "--branch",
        f"--include={include}",
        rc,
        data,
        "-m",
        "tests.lockfile.fuzz_installed",
        "220",
    ]
    answer = subprocess.run([sys.executable, "-m", *run], capture_output=True, text=True, check=False, cwd=ROOT)
    assert answer.returncode == 0, answer.stderr[-2000:]
    same, differing = map(int, answer.stdout.split())
    assert same > 30
    assert differing > 100
    report = [sys.executable, "-m", "coverage", "json", rc, data, "-o", str(tmp_path / "report.json"), "-q"]
    subprocess.run(report, check=True)
    files = json.loads((tmp_path / "report.json").read_text())["files"]
    covered = {Path(name).stem: round(file["summary"]["percent_covered"]) for name, file in files.items()}
    assert set(covered) == set(READERS)
    assert min(covered.values()) >= 90, covered
