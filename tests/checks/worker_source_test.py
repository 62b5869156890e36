"""The worker runs in the target Python: the standard library and torch, from Python 3.10 on."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from firstlight.checks import ladder

WORKER = Path(ladder.__file__).parent / "worker"
FILES = sorted(WORKER.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_source_is_for_every_python_that_we_support(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 10))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            depth = len(path.relative_to(WORKER).parts)
            assert node.level <= depth, "leaves the worker's folder"
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            names.append(node.module or "")
        for name in names:
            assert name.partition(".")[0] in {*sys.stdlib_module_names, "torch"}
