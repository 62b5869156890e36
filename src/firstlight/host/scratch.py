"""Temporary folders that are cleared away even if their owner was killed: by the next run."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

_NAME = re.compile(r"firstlight-([0-9]+)-([0-9]+)-([0-9]+)-\w+")
"""Namespace of process ids, process id, when that process began: who owns it, told from its name alone."""


@contextmanager
def scratch() -> Iterator[str]:
    """A folder for this run alone, gone afterwards. Raises OSError."""
    _sweep(tempfile.gettempdir(), os.getpid())
    with tempfile.TemporaryDirectory(prefix=f"firstlight-{_owner(os.getpid())}-") as folder:
        yield folder


@cache
def _sweep(folder: str, _: int) -> None:
    """Once a process: clear away what is ours and whose owner is gone."""
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for name in names:
        found = _NAME.fullmatch(name)
        if found and _is_lost(os.path.join(folder, name), *found.groups()):
            shutil.rmtree(os.path.join(folder, name), ignore_errors=True)


def _is_lost(path: str, space: str, process: str, began: str) -> bool:
    """Of another namespace nothing can be told: a folder may be shared between containers."""
    if space == "0" or space != _space() or _began(process) == began:
        return False
    try:
        return os.lstat(path).st_uid == os.geteuid()
    except OSError:
        return False


def _owner(process: int) -> str:
    return f"{_space()}-{process}-{_began(str(process))}"


def _space() -> str:
    """Number of the namespace of process ids (namespaces(7)); 0: it cannot be told, then nothing is cleared away."""
    try:
        return str(os.stat("/proc/self/ns/pid").st_ino)
    except OSError:
        return "0"


def _began(process: str) -> str:
    """Clock ticks between the boot and the start of a process (proc(5): stat, field 22); 0: there is none."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return "0"
