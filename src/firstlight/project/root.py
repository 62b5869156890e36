"""Which folder is the project. Imports nothing: every verb asks this first."""

from __future__ import annotations

import os

MARKS = ("firstlight.toml", "firstlight.lock", ".firstlight")


def find_root(start: str) -> str:
    """The nearest folder, from `start` upwards, that is a project of ours; `start` itself if none is. A folder above
    that somebody else could have prepared (owned by neither this user nor root) does not count."""
    here = os.path.abspath(start)
    folder = here
    while True:
        if any(_trusted(os.path.join(folder, mark), here) for mark in MARKS) or _has_table(folder, here):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return here
        folder = parent


def _trusted(path: str, here: str) -> bool:
    """Whether it is there and ours to follow; in the very folder where we were called, whatever is there is meant."""
    try:
        owners = {os.lstat(path).st_uid, os.lstat(os.path.dirname(path)).st_uid}
    except OSError:
        return False
    return os.path.dirname(path) == here or owners <= {os.geteuid(), 0}


def _has_table(folder: str, here: str) -> bool:
    path = os.path.join(folder, "pyproject.toml")
    if not _trusted(path, here):
        return False
    from ..errors import UnreadableInput
    from .settings import tool_table

    try:
        return bool(tool_table(path))
    except UnreadableInput:
        # another project's damaged file is no matter of ours; our own is read again, and complained of, by `load`
        return False
