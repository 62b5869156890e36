"""Where things lie in a project's `.firstlight`."""

from __future__ import annotations

import os
import re
import stat

from ..errors import NoError
from ..host.durable import sync_folder
from ..project.model import Project
from ..routes.pylock import LOCAL_FOLDER
from ..words import Words
from .marker import read_marker

_OURS = re.compile(r"(?:cpu|cuda|rocm)-[0-9a-f]{16}\.[0-9]+")
"""Names that environments get: nothing else in their folder is ever removed."""
LISTS = ("pylock.", "build.")
"""How the names of the lists begin that runs of uv are given."""


class Places:
    """Paths in one project; absolute."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.own = os.path.join(root, ".firstlight")
        self.wheels = os.path.join(root, *LOCAL_FOLDER.split("/"))
        self.environments = os.path.join(self.own, "envs")
        self.active = os.path.join(self.own, "env")
        self.journal = os.path.join(self.own, "journal")
        self.held: tuple[int, ...] = ()
        """Handles of the lock, once it is ours: what we start holds it too, until it ends."""

    def make(self) -> None:
        """Make the folders. Raises NoError."""
        try:
            made = [_made(one) for one in (self.own, self.wheels, self.environments, self.journal)]
            if self._ignore() or any(made):
                sync_folder(self.own)
                sync_folder(self.root)
        except OSError as error:
            raise cannot_write(error, self.own) from error

    def _ignore(self) -> bool:
        """Nothing in it is to be committed. Whether that had to be said; a killed run may leave an empty file."""
        path = os.path.join(self.own, ".gitignore")
        if os.path.lexists(path) and os.lstat(path).st_size:
            return False
        with open(path, "w", encoding="utf-8") as file:
            file.write("*\n")
        return True

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

    def leftovers(self) -> list[str]:
        """Paths of what serves one run, and stays only where that run was killed."""
        return [
            *_named(self.journal, LISTS),
            *_named(self.journal, ("sync.jsonl.tmp",)),
            *_named(self.wheels, (), ".tmp"),
            *_named(self.own, ("env.tmp",)),
        ]

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


def _made(folder: str) -> bool:
    """Whether it had to be made."""
    try:
        os.mkdir(folder)
    except FileExistsError:
        _ours(folder)
        return False
    return True


def _named(folder: str, starts: tuple[str, ...], end: str = "") -> list[str]:
    """Paths of the folder's entries with such names."""
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return [os.path.join(folder, name) for name in names if name.startswith(starts or "") and name.endswith(end)]


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
