"""Every reader under structure-aware mutation, and cut at every edge: records, faults, bounded time and memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from firstlight.binaries.model import Piece
from firstlight.binaries.reading import read
from firstlight.binaries.report import inspect
from firstlight.binaries.source import Held
from firstlight.binaries.streaming import read_stream

from .fuzz_readers import chunks, tight
from .layers import sound
from .seeds import CONTAINERS, SEEDS, Seed

ROOT = Path(__file__).resolve().parents[2]
READERS = (
    "aotriton",
    "aotriton_zip",
    "archive",
    "bundle",
    "chains",
    "code_object",
    "code_object_metadata",
    "compressed",
    "cubin",
    "directory",
    "elf",
    "fatbin",
    "forward",
    "kept",
    "kpack",
    "kpack_frames",
    "kpack_table",
    "miopen",
    "msgpack",
    "named",
    "needs",
    "offload_binary",
    "ptx",
    "reading",
    "streaming",
    "tensile",
    "unpacking",
    "wheel",
    "deb",
    "tar",
)
LEAST = 90
"""Per cent of branches."""


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed[0])
def test_a_sound_file_is_read_alike_at_any_place_and_passing_by(seed: Seed) -> None:
    path, make, targets = seed
    data = make(sound).data
    piece = read(Held(data), path)
    assert targets_of(piece) == targets
    assert piece is None or not piece.faults
    for many in (nullcontext(), tight()):
        with many:
            passed = read_stream(lambda: chunks(data), len(data), path)
        assert passed and piece if targets else passed == piece
        assert targets_of(passed) == targets


@pytest.mark.parametrize("seed", CONTAINERS, ids=lambda seed: seed[0])
def test_a_sound_container_is_read(seed: Seed, tmp_path: Path) -> None:
    name, make, targets = seed
    (tmp_path / name).write_bytes(make(sound).data)
    report = inspect(str(tmp_path / name))
    assert {one.target for piece in report.pieces for one in piece.code} == targets
    assert not report.faults


def targets_of(piece: Piece | None) -> set[str]:
    """All targets of a file."""
    return {one.target for one in piece.code} if piece else set()


def test_spoiled_files_are_read_as_far_as_they_go(tmp_path: Path) -> None:
    (tmp_path / "rc").write_text("")  # the project's own settings would measure the whole program
    rc, data = f"--rcfile={tmp_path / 'rc'}", f"--data-file={tmp_path / 'data'}"
    include = ",".join(f"*/firstlight/binaries/{name}.py" for name in READERS)
    run = [
        sys.executable,
        "-m",
        "coverage",
        "run",
        "--branch",
        f"--include={include}",
        rc,
        data,
        "-m",
        "tests.binaries.fuzz_readers",
        "60",
    ]
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", "")])
    answer = subprocess.run(
        run, capture_output=True, text=True, check=False, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}
    )
    assert answer.returncode == 0, answer.stderr[-3000:]
    clean, faulty = map(int, answer.stdout.split())
    assert clean > 300
    assert faulty > 1000
    report = [sys.executable, "-m", "coverage", "json", rc, data, "-o", str(tmp_path / "report.json"), "-q"]
    subprocess.run(report, check=True)
    files = json.loads((tmp_path / "report.json").read_text())["files"]
    covered = {Path(name).stem: round(file["summary"]["percent_covered"]) for name, file in files.items()}
    assert set(covered) == set(READERS)
    assert not {name: share for name, share in covered.items() if share < LEAST}
