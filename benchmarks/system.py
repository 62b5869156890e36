"""Questions about system packages beside `apt-get -s install` and `apt-cache gencaches`, by turns, over the same index.

    python -m benchmarks.system FOLDER [--suite trixie]

FOLDER keeps the index that apt-get fetches from this machine's own mirror. The bounds: a question inside the process at
least 20 times faster than `apt-get -s`, the whole process 5 times; a cold suite (unpacked, parsed, encoded, kept) at
most 4 times `apt-cache gencaches`. The index lies unpacked for both.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import lz4.frame
from tests.oracles.apt.comparing import solver
from tests.oracles.apt.roots import options, with_suites

from firstlight.routes.system.model import Request

FIRSTLIGHT = os.path.join(os.path.dirname(sys.executable), "firstlight")
QUESTIONS = (("rocminfo",), ("hipcc", "python3-venv"), ("librocblas-dev",), ("clang", "libc++-dev"))


def main() -> None:
    """Print ratios. Ends with 1 if a bound is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--suite", default="trixie")
    parser.add_argument("--runs", type=int, default=5)
    options_ = parser.parse_args()
    root = _plain(with_suites(options_.folder / f"bench-{options_.suite}", (options_.suite,), options_.folder))
    cold, gencaches = _turns(lambda: _cold(root), lambda: _gencaches(root), options_.runs)
    ours = solver(root, root / "cache")
    apt, inside, whole = [], [], []
    for wanted in QUESTIONS * options_.runs:
        apt.append(_timed(["apt-get", *options(root), "-s", "install", *wanted]))
        whole.append(_timed([FIRSTLIGHT, "plan", "--json", "--host", str(root), "--packages", *wanted]))
        began = time.perf_counter()
        ours.ask(Request(wanted=wanted))
        inside.append(time.perf_counter() - began)
    row = {
        "suite": options_.suite,
        "apt_get_s": round(statistics.median(apt), 3),
        "inside_ms": round(1000 * statistics.median(inside), 1),
        "inside_times_faster": round(statistics.median(apt) / statistics.median(inside)),
        "whole_s": round(statistics.median(whole), 3),
        "whole_times_faster": round(statistics.median(apt) / statistics.median(whole), 1),
        "gencaches_s": round(gencaches, 2),
        "cold_s": round(cold, 2),
        "cold_of_gencaches": round(cold / gencaches, 2),
        "peak_mb": round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000),
    }
    row["within"] = bool(
        row["inside_times_faster"] >= 20 and row["whole_times_faster"] >= 5 and row["cold_of_gencaches"] <= 4
    )
    print(json.dumps(row, indent=1))
    if not row["within"]:
        raise SystemExit(1)


def _plain(root: Path) -> Path:
    """apt may keep lists packed; then each of its answers would unpack them anew."""
    for path in (root / "var/lib/apt/lists").glob("*.lz4"):
        path.with_suffix("").write_bytes(lz4.frame.decompress(path.read_bytes()))
        path.unlink()
    return root


def _turns(ours: Callable[[], float], theirs: Callable[[], float], runs: int) -> tuple[float, float]:
    """Medians of both, by turns, so that both meet the same noise. The first turn reads from disk: not counted."""
    pairs = [(ours(), theirs()) for _ in range(runs + 1)][1:]
    return statistics.median(one for one, _ in pairs), statistics.median(other for _, other in pairs)


def _cold(root: Path) -> float:
    """A process that only makes the cache, less one that finds it made: starting Python is not what is measured."""
    shutil.rmtree(root / "cache", ignore_errors=True)
    argv = [sys.executable, "-m", "benchmarks.system_load", str(root)]
    return _timed(argv) - _timed(argv)


def _gencaches(root: Path) -> float:
    for path in (root / "var/cache/apt").glob("*.bin"):
        path.unlink()
    return _timed(["apt-cache", *options(root), "gencaches"])


def _timed(argv: Sequence[str]) -> float:
    began = time.perf_counter()
    subprocess.run(argv, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
