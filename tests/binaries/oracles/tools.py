"""Finds the vendors' tools and runs them: bounded in time, in a scratch folder, never through a shell."""

from __future__ import annotations

import functools
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

LLVM = ("clang-offload-bundler", "llvm-objdump", "llvm-readelf", "llvm-ar", "clang", "clang++", "lld", "llc")
CUDA = ("cuobjdump", "nvdisasm", "nvcc", "ptxas", "fatbinary")
NOT_BROUGHT = ("nvcc", "ptxas", "fatbinary")
"""CUDA's compiler, some 130 MB: `.ci/run` brings all tools but these, which a machine may have."""
LIMIT_S = 900.0


class ToolFailed(Exception):
    """A tool said no, or ran too long."""


@functools.cache
def installed(name: str) -> tuple[str, ...]:
    """Paths: first those in FIRSTLIGHT_ORACLES (a list as PATH is), then LLVM's by version, then in PATH, then those in
    NVIDIA's packages."""
    told, usual = os.environ.get("FIRSTLIGHT_ORACLES", "").split(os.pathsep), os.get_exec_path()
    paths = [os.path.join(folder, name) for folder in told if folder]
    paths += _versioned(name) if name in LLVM else []
    paths += [os.path.join(folder, name) for folder in usual] + _packaged(name)
    return tuple(dict.fromkeys(path for path in paths if os.access(path, os.X_OK) and os.path.isfile(path)))


def found(name: str) -> str | None:
    """The first installed one."""
    return next(iter(installed(name)), None)


def missing(*names: str) -> tuple[str, ...]:
    """Those that are not installed here."""
    return tuple(name for name in names if found(name) is None)


def require(*names: str) -> None:
    """For a test: skips it where one is not installed; on CI that is a failure unless CI cannot have it."""
    import pytest

    lacking = missing(*names)
    told = f"not installed: {', '.join(lacking)}"
    if os.environ.get("CI") and set(lacking) - set(NOT_BROUGHT):
        pytest.fail(f"{told}; .ci/run should have brought it")
    if lacking:
        pytest.skip(told)


def run(name: str, arguments: Sequence[str | Path], folder: Path | None = None, accept: Sequence[int] = (0,)) -> str:
    """What it printed on stdout. Where one version fails (CUDA 13's dislikes some objects of CUDA 12.1), the next is
    asked. Raises ToolFailed."""
    failed = ToolFailed(f"{name} is not installed")
    for path in installed(name):
        told = _tried(name, path, arguments, folder, accept)
        if isinstance(told, str):
            return told
        failed = told
    raise failed


def run_one(path: str, arguments: Sequence[str | Path]) -> str:
    """What one tool, by its path, printed on both streams: compilers list what they know on either."""
    ended = subprocess.run([path, *map(str, arguments)], capture_output=True, timeout=LIMIT_S, check=False)
    if ended.returncode:
        raise ToolFailed(f"{path} ended with {ended.returncode}")
    return (ended.stdout + ended.stderr).decode("utf-8", "replace")


def _tried(
    name: str, path: str, arguments: Sequence[str | Path], folder: Path | None, accept: Sequence[int]
) -> str | ToolFailed:
    argv = [path, *(str(one) for one in arguments)]
    try:
        ended = subprocess.run(
            argv, cwd=folder, capture_output=True, timeout=LIMIT_S, check=False, env=_environment(path)
        )
    except subprocess.TimeoutExpired:
        return ToolFailed(f"{name} ran longer than {LIMIT_S:.0f} s")
    if ended.returncode not in accept:
        return ToolFailed(f"{name} ended with {ended.returncode}: {ended.stderr.decode('utf-8', 'replace')[-400:]}")
    return ended.stdout.decode("utf-8", "replace")


def _versioned(name: str) -> list[str]:
    numbered = [(re.fullmatch(r"llvm-(\d+)", path.parent.name), path) for path in Path("/usr/lib").glob("llvm-*/bin")]
    newest = sorted(((int(number[1]), path) for number, path in numbered if number), reverse=True)
    return [str(path / name) for _, path in newest]


def _packaged(name: str) -> list[str]:
    return [
        str(path)
        for entry in sys.path
        for path in sorted(Path(entry or ".").glob(f"nvidia/cu*/bin/{name}"), reverse=True)
    ]


def _environment(path: str) -> dict[str, str]:
    """Their siblings (`cuobjdump` starts `nvdisasm`) are found beside them."""
    return {**os.environ, "LC_ALL": "C", "PATH": f"{Path(path).parent}:{os.environ.get('PATH', '')}"}
