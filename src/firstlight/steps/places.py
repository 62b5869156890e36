"""Where things lie in a project's `.firstlight`."""

from __future__ import annotations

import os
import re
import stat

from ..errors import NoError
from ..project.model import Project
from ..routes.pylock import LOCAL_FOLDER
from ..words import Words
from .marker import read_marker

_OURS = re.compile(r"(?:cpu|cuda|rocm)-[0-9a-f]{16}\.[0-9]+")
"""Names that environments get: nothing else in their folder is ever removed."""


class Places:
    """Paths in one project; absolute."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.own = os.path.join(root, ".firstlight")
        self.wheels = os.path.join(root, *LOCAL_FOLDER.split("/"))
        self.environments = os.path.join(self.own, "envs")
        self.active = os.path.join(self.own, "env")
        self.journal = os.path.join(self.own, "journal")

    def make(self) -> None:
        """Make the folders. Raises NoError."""
        try:
            for folder in (self.own, self.wheels, self.environments, self.journal):
                os.makedirs(folder, exist_ok=True)
                _ours(folder)
            ignore = os.path.join(self.own, ".gitignore")
            if not os.path.exists(ignore):
                with open(ignore, "w", encoding="utf-8") as file:
                    file.write("*\n")
        except OSError as error:
            raise cannot_write(error, self.own) from error

    def folder(self, name: str) -> str:
        """Of an environment."""
        return os.path.join(self.environments, name)

    def names(self) -> list[str]:
        """Of all environments, finished or not; what else lies there is not ours."""
        try:
            with os.scandir(self.environments) as entries:
                return [one.name for one in entries if _OURS.fullmatch(one.name) and one.is_dir(follow_symlinks=False)]
        except OSError:
            return []

    def lists(self) -> list[str]:
        """Paths of the lists that runs of uv were given. Each serves one run."""
        try:
            names = os.listdir(self.journal)
        except OSError:
            return []
        return [os.path.join(self.journal, name) for name in names if name.startswith("pylock.")]

    def active_name(self) -> str | None:
        """Name of the environment that is in use, by its link."""
        try:
            target = os.readlink(self.active)
        except OSError:
            return None
        folder, name = os.path.split(target)
        return name if folder == "envs" and name not in ("", ".", "..") else None


def env_python(project: Project) -> str | None:
    """The interpreter of the project's environment; None if there is none that was made here and can be run."""
    places = Places(project.root)
    name = places.active_name()
    path = os.path.join(places.active, "bin", "python")
    made_here = name is not None and read_marker(places.folder(name)) is not None
    return path if made_here and os.path.isfile(path) and os.access(path, os.X_OK) else None


def _ours(folder: str) -> None:
    """A checkout may come with links in place of our folders: what is written or removed there would be elsewhere.
    Raises NoError."""
    found = os.lstat(folder)
    if stat.S_ISDIR(found.st_mode) and found.st_uid in (os.geteuid(), 0):
        return
    raise NoError(
        Words(f"{folder} is a link, or belongs to another user", f"{folder} 是链接，或属于其他用户"),
        why=Words("firstlight writes and removes only in folders of its own", "firstlight 只在自己的目录中写入和删除"),
        next=Words("look at what it is; remove it, then sync again", "请查看它是什么；移除后重新执行 sync"),
    )


def cannot_write(error: OSError, path: str) -> NoError:
    """A full disk, a missing permission: what the system says, and that nothing was lost."""
    said = error.strerror or str(error)
    return NoError(
        Words(f"cannot write {error.filename or path}: {said}", f"无法写入 {error.filename or path}：{said}"),
        why=Words("the environment that was in use before is untouched", "之前使用的环境未受影响"),
        next=Words("make room or permission there, then sync again", "请腾出空间或修正权限后重新执行 sync"),
    )
