"""Which folder is the project, and what is wanted there."""

from __future__ import annotations

import os

from ..errors import UsageError
from ..project.model import Project
from ..project.root import find_root
from ..project.settings import Flags
from ..words import Words

_GONE = Words("the working folder is not there any more", "当前工作文件夹已不存在")
_GO = Words("change to a folder that is there, or say `--project DIR`", "请进入一个存在的文件夹，或用 `--project` 指定")
_NO_FOLDER = Words("`--project {folder}`: there is no such folder", "`--project {folder}`：没有这个文件夹")
_MAKE_IT = Words("make it, or name the folder of the project", "请先创建它，或指定项目所在的文件夹")


def root(folder: str | None) -> str:
    """Absolute path: of the folder that was named, else of the nearest one upwards that is a project. Raises UsageError
    where there is none."""
    if folder is not None and not os.path.isdir(folder):
        raise UsageError(_NO_FOLDER.fill(folder=folder or "''"), next=_MAKE_IT)
    if folder is None:
        return find_root(here())
    return os.path.normpath(folder if os.path.isabs(folder) else os.path.join(here(), folder))


def here() -> str:
    """The working folder. Raises UsageError where somebody removed it."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        raise UsageError(_GONE, next=_GO) from None


def wanted(folder: str | None, flags: Flags) -> Project:
    """The project with flags, variables and files weighed. Raises UnreadableInput for a bad setting."""
    from ..project.load import load

    return load(root(folder), flags)
