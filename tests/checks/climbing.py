"""Climb the real ladder in a real environment, with faults planted in it."""

from __future__ import annotations

import os
from pathlib import Path

from firstlight.checks.ladder import climb
from firstlight.checks.limits import Limits
from firstlight.checks.model import Rung
from firstlight.progress import Silent

PLANT = """
import importlib.util, sys

class AfterTorch:
    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        load = spec.loader.exec_module
        def exec_module(module):
            load(module)
            exec(CODE, {"torch": module})
        spec.loader.exec_module = exec_module
        return spec

sys.meta_path.insert(0, AfterTorch())
"""


def plant(folder: Path, code: str) -> dict[str, str]:
    """Variables under which `code` runs in each Python as soon as torch was imported."""
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text(f"CODE = {code!r}\n{PLANT}", encoding="utf-8")
    return {"PYTHONPATH": str(folder)}


def cpu(
    python: str,
    *only: str,
    variables: dict[str, str] | None = None,
    command: tuple[str, ...] = (),
    limits: Limits | None = None,
    cwd: Path | None = None,
    collectives_on_cpu: int = 0,
) -> dict[str, Rung]:
    """The rungs by id."""
    ladder = climb(
        python=python,
        backend="cpu",
        facts=None,
        command=command,
        cwd=str(cwd or os.getcwd()),
        variables=variables or {},
        reporter=Silent(),
        limits=limits,
        only=only,
        collectives_on_cpu=collectives_on_cpu,
    )
    return {rung.id: rung for rung in ladder.rungs}
