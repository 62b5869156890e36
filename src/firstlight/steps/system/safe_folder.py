"""Folders in which root may write: every one on the way is root's alone, so that nobody can lead us elsewhere."""

from __future__ import annotations

import os
import stat

from ...errors import NoError
from ...words import Words
from .ground import Ground

HOPS = 40
"""Links followed at most: Linux's own bound."""
_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def open_folder(ground: Ground, path: str, *, make: bool = False) -> int:
    """Handle of a folder, walked name by name from the root. A link on the way counts only in a folder that is root's
    alone, and never leads out of the root. `make`: folders that are missing are made. Raises OSError, NoError."""
    todo, hops = [part for part in path.split("/") if part][::-1], 0
    here = [os.open(ground.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)]
    try:
        while todo:
            name = todo.pop()
            if name == "..":
                os.close(here.pop()) if len(here) > 1 else None
                continue
            link = _link(here[-1], name)
            if link is None:
                here.append(_down(here[-1], name, path, make=make))
                continue
            hops += 1
            if hops > HOPS:
                raise OSError(40, os.strerror(40), path)
            if link.startswith("/"):
                while len(here) > 1:
                    os.close(here.pop())
            todo += [part for part in link.split("/") if part not in ("", ".")][::-1]
        return here.pop()
    finally:
        for handle in here:
            os.close(handle)


def _link(folder: int, name: str) -> str | None:
    try:
        return os.readlink(name, dir_fd=folder)
    except OSError:
        return None


def _down(folder: int, name: str, path: str, *, make: bool) -> int:
    try:
        handle = os.open(name, _FLAGS, dir_fd=folder)
    except FileNotFoundError:
        if not make:
            raise
        os.mkdir(name, 0o755, dir_fd=folder)
        os.chmod(name, 0o755, dir_fd=folder)  # noqa: S103 - the umask may have cut it
        os.fsync(folder)
        handle = os.open(name, _FLAGS, dir_fd=folder)
    found = os.fstat(handle)
    shared = found.st_mode & stat.S_IWOTH or (found.st_mode & stat.S_IWGRP and found.st_gid != 0)
    if shared or found.st_uid not in (0, os.geteuid()):
        os.close(handle)
        raise _not_ours(name, path)
    return handle


def _not_ours(name: str, path: str) -> NoError:
    return NoError(
        Words(f"{path} is not written to: others may write in the folder `{name}` on the way",
              f"没有写入 {path}：路径上的目录 `{name}` 其他用户也可写"),
        why=Words("somebody could put a link there that leads root elsewhere",
                  "有人可能在那里放置链接，把 root 引向别处"),
        next=Words("make it root's alone (chown root, chmod go-w), then run it again",
                   "请让该目录只归 root 所有（chown root、chmod go-w），然后重新运行"),
    )  # fmt: skip
