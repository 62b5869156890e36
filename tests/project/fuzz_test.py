"""The readers of settings under structure-aware mutation: a value or a clear error, never a crash."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
READERS = ("pip_config", "uv_config", "settings", "toml_file", "routes")


def test_mutated_settings_are_taken_or_refused(tmp_path: Path) -> None:
    include = ",".join(f"*/firstlight/project/{name}.py" for name in READERS)
    (tmp_path / "rc").write_text("")  # the project's own settings would measure the whole program
    rc = f"--rcfile={tmp_path / 'rc'}"
    data = f"--data-file={tmp_path / 'data'}"
    run = [
        sys.executable,
        "-m",
        "coverage",
        "run",
        "--branch",
        f"--include={include}",
        rc,
        data,
        str(HERE / "fuzz_readers.py"),
        "900",
    ]
    answer = subprocess.run(run, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr[-2000:]
    taken, refused = map(int, answer.stdout.split())
    assert taken > 100
    assert refused > 100
    report = [sys.executable, "-m", "coverage", "json", rc, data, "-o", str(tmp_path / "report.json"), "-q"]
    subprocess.run(report, check=True)
    files = json.loads((tmp_path / "report.json").read_text())["files"]
    covered = {Path(name).stem: round(file["summary"]["percent_covered"]) for name, file in files.items()}
    assert set(covered) == set(READERS)
    assert min(covered.values()) >= 90, covered
