"""Loads the catalogue of a private apt root: a process of its own for `benchmarks.system`."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.oracles.apt.comparing import solver

if __name__ == "__main__":
    solver(Path(sys.argv[1]), Path(sys.argv[1]) / "cache")
