"""Which folder is the project, and what is wanted there."""

from __future__ import annotations

import os

from ..project.model import Project
from ..project.root import find_root
from ..project.settings import Flags


def root(folder: str | None) -> str:
    """Absolute path: of the folder that was named, else of the nearest one upwards that is a project."""
    return os.path.abspath(folder) if folder else find_root(os.getcwd())


def wanted(folder: str | None, flags: Flags) -> Project:
    """The project with flags, variables and files weighed. Raises UnreadableInput for a bad setting."""
    from ..project.load import load

    return load(root(folder), flags)
