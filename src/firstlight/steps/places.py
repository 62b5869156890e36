"""Where things lie in a project's `.firstlight`."""

from __future__ import annotations

import os

from ..errors import NoError
from ..project.model import Project
from ..routes.pylock import LOCAL_FOLDER
from ..words import Words

MARKER = "firstlight.json"
"""In an environment's folder: written last, so that one without it was never finished."""


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
            for folder in (self.wheels, self.environments, self.journal):
                os.makedirs(folder, exist_ok=True)
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
        """Of all environments, finished or not."""
        try:
            return os.listdir(self.environments)
        except OSError:
            return []

    def active_name(self) -> str | None:
        """Name of the environment that is in use, by its link."""
        try:
            target = os.readlink(self.active)
        except OSError:
            return None
        folder, name = os.path.split(target)
        return name if folder == "envs" and name not in ("", ".", "..") else None


def env_python(project: Project) -> str | None:
    """The interpreter of the project's environment; None if there is none that can be run."""
    path = os.path.join(Places(project.root).active, "bin", "python")
    return path if os.path.isfile(path) and os.access(path, os.X_OK) else None


def cannot_write(error: OSError, path: str) -> NoError:
    """A full disk, a missing permission: what the system says, and that nothing was lost."""
    said = error.strerror or str(error)
    return NoError(
        Words(f"cannot write {error.filename or path}: {said}", f"无法写入 {error.filename or path}：{said}"),
        why=Words("the environment that was in use before is untouched", "之前使用的环境未受影响"),
        next=Words("make room or permission there, then sync again", "请腾出空间或修正权限后重新执行 sync"),
    )
