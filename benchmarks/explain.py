"""`firstlight explain` of a log of 100 MB beside `rg -c -f PATTERNS` with its own exported patterns, by turns.

    python -m benchmarks.explain [--megabytes 100]

The bounds: no slower than ripgrep, the same number of matching lines, and memory that does not grow with the log.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

FIRSTLIGHT = os.path.join(os.path.dirname(sys.executable), "firstlight")
CASES = Path(__file__).resolve().parents[1] / "tests" / "cases" / "explain"
ROUNDS = 3


class Run(NamedTuple):
    """One process."""

    wall: float
    peak_mb: float
    out: bytes


def run(argv: Sequence[str]) -> Run:
    """Wall time and peak memory of a process of its own; exit code 1 is an answer."""
    start = time.perf_counter()
    process = subprocess.Popen(argv, stdout=subprocess.PIPE)
    assert process.stdout
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        raise SystemExit(f"{argv[0]} failed")
    return Run(time.perf_counter() - start, usage.ru_maxrss / 1024, out)


def write_log(path: Path, size: int) -> None:
    """A healthy training log in which the program's cases are strewn, one about every 64 KiB."""
    rng = random.Random(7)
    cases = [case.read_bytes() for case in sorted(CASES.glob("*/*.txt"))]
    with path.open("wb") as file:
        written, due = 0, 0
        while written < size:
            step = rng.randrange(10**6)
            loss = f"loss {rng.random() * 4:.4f} lr 3e-04"
            data = f"2025-06-18 10:07:{step % 60:02d},123 [INFO] rank{step % 8}: step {step} {loss}\n".encode()
            if written >= due:
                data, due = data + rng.choice(cases), due + (64 << 10)
            written += file.write(data)


def main() -> int:
    """Print the medians; 1 if a bound is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--megabytes", type=int, default=100)
    size = parser.parse_args().megabytes * 10**6
    if not shutil.which("rg"):
        parser.error("ripgrep (rg) is not installed")
    with tempfile.TemporaryDirectory() as folder:
        log, small, patterns = (Path(folder) / name for name in ("log", "small", "patterns"))
        write_log(log, size)
        write_log(small, size // 10)
        patterns.write_bytes(run([FIRSTLIGHT, "causes", "--export", "patterns"]).out)
        pairs = [
            (run([FIRSTLIGHT, "explain", "--json", str(log)]), run(["rg", "-c", "-f", str(patterns), str(log)]))
            for _ in range(ROUNDS)
        ]
        tenth = run([FIRSTLIGHT, "explain", "--json", str(small)])
    ours, theirs = (statistics.median(one[at].wall for one in pairs) for at in (0, 1))
    counts = json.loads(pairs[0][0].out)["read"]["matched_lines"], int(pairs[0][1].out or 0)
    grown = pairs[0][0].peak_mb - tenth.peak_mb
    print(f"explain {ours:.2f} s, rg {theirs:.2f} s; matching lines {counts[0]} and {counts[1]}; "
          f"peak {pairs[0][0].peak_mb:.0f} MB, of a tenth {tenth.peak_mb:.0f} MB")  # fmt: skip
    return 0 if ours <= theirs and counts[0] == counts[1] and grown < 40 else 1


if __name__ == "__main__":
    sys.exit(main())
