"""Which folder is the project. Imports nothing: every verb asks this first."""

from __future__ import annotations

import os

MARKS = ("firstlight.toml", "firstlight.lock", ".firstlight")


def find_root(start: str) -> str:
    """The nearest folder, from `start` upwards, that is a project of ours; `start` itself if none is."""
    here = os.path.abspath(start)
    folder = here
    while True:
        if any(os.path.lexists(os.path.join(folder, mark)) for mark in MARKS) or _has_table(folder):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return here
        folder = parent


def _has_table(folder: str) -> bool:
    path = os.path.join(folder, "pyproject.toml")
    if not os.path.exists(path):
        return False
    from .settings import tool_table

    return bool(tool_table(path))
