"""The readers of an installed distribution and of a MANIFEST under structure-aware mutation."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
READERS = ("adopt_reading", "adopt_compare", "manifest")


def test_mutated_records_are_taken_or_called_malformed(tmp_path: Path) -> None:
    include = ",".join(f"*/firstlight/*/{name}.py" for name in READERS)
    (tmp_path / "rc").write_text("")  # the project's own settings would measure the whole program
    files = [f"--rcfile={tmp_path / 'rc'}", f"--data-file={tmp_path / 'data'}"]
    run = [sys.executable, "-m", "coverage", "run", "--branch", f"--include={include}", *files]
    environ = {**os.environ, "PYTHONPATH": str(HERE.parents[1])}
    answer = subprocess.run(
        [*run, str(HERE / "fuzz_readers.py"), "350"], capture_output=True, text=True, check=False, env=environ
    )
    assert answer.returncode == 0, answer.stderr[-2000:]
    taken, refused = map(int, answer.stdout.split())
    assert taken > 300
    assert refused > 100
    report = [sys.executable, "-m", "coverage", "json", *files, "-o", str(tmp_path / "report.json"), "-q"]
    subprocess.run(report, check=True)
    read = json.loads((tmp_path / "report.json").read_text())["files"]
    covered = {Path(name).stem: round(file["summary"]["percent_covered"]) for name, file in read.items()}
    assert set(covered) == set(READERS)
    assert min(covered.values()) >= 90, covered
