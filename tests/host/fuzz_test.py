"""Readers of recordings under mutated input: no crash, and nearly every branch of them is reached."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROUNDS = 500
READERS = ("archive", "bundle", "folder", "manifest", "members", "recorded", "rooted")
FLOOR = 90.0


def test_mutated_recordings_give_an_error_or_a_host(tmp_path: Path) -> None:
    """In a process of its own, where the branch coverage of the readers is measured apart from everything else."""
    root = Path(__file__).resolve().parents[2]
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]);"
        "from tests.host import fuzz_readers;"
        f"print(*fuzz_readers.rounds(20261201, lambda count: count < {ROUNDS}))"
    )
    (tmp_path / "run.py").write_text(script)
    data, report = str(tmp_path / "coverage"), str(tmp_path / "report.json")
    base = [sys.executable, "-m", "coverage"]
    run = [*base, "run", "--branch", f"--data-file={data}", "--source=firstlight.host", "--rcfile=/dev/null"]
    ran = subprocess.run(
        [*run, str(tmp_path / "run.py"), str(root)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    done, taken = map(int, ran.stdout.split())
    assert done == ROUNDS
    assert ROUNDS * 0.1 < taken < ROUNDS * 0.9, "both outcomes must be well covered"
    subprocess.run(
        [*base, "json", f"--data-file={data}", "-o", report, "-q", "--rcfile=/dev/null"], check=True, cwd=tmp_path
    )
    files = json.loads(Path(report).read_text())["files"]
    shares = {Path(name).stem: found["summary"]["percent_covered"] for name, found in files.items()}
    low = {name: shares[name] for name in READERS if shares[name] < FLOOR}
    assert not low
