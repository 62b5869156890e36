"""The files of an environment as they lie on disk. No link is followed, nothing is opened but what is asked for."""

from __future__ import annotations

import os
import stat
from typing import Literal, NamedTuple

ENTRIES_AT_MOST = 1_000_000
DEPTH_AT_MOST = 64
CACHE = "__pycache__"
"""Python writes there as it runs; what is in it is only used beside its source."""


class Seen(NamedTuple):
    """lstat of one path."""

    kind: Literal["file", "link", "other"]
    size: int
    mtime: float
    ctime: float
    """Seconds since the epoch. Nothing that writes to a file can hide it here, as it can in mtime."""
    names: int
    """Hard links, e.g. one here and one in uv's cache: what is written to one is written to all."""


class Tree(NamedTuple):
    """All below one folder, by path relative to it."""

    root: str
    files: dict[str, Seen]
    """Whatever is no folder; a link to a folder is one of them."""
    folders: dict[str, float]
    """Path -> when an entry last came or went, seconds since the epoch."""
    unread: dict[str, str]
    """Path -> why what is in it is not known."""


def walk(root: str) -> Tree:
    """Linear in what is there, which is bounded: what lies beyond is `unread`. Never raises."""
    tree = Tree(root, {}, {}, {})
    todo = [("", 0)]
    while todo:
        inner, depth = todo.pop()
        if depth > DEPTH_AT_MOST or len(tree.files) + len(tree.folders) > ENTRIES_AT_MOST:
            tree.unread[inner] = "too-large"
            continue
        try:
            with os.scandir(os.path.join(root, inner)) as entries:
                todo += [(path, depth + 1) for one in entries if (path := _enter(tree, inner, one))]
        except OSError as error:
            tree.unread[inner] = reason(error)
    return tree


def _enter(tree: Tree, inner: str, entry: os.DirEntry[str]) -> str | None:
    """Note one entry; the path of a folder that is to be looked into."""
    path = f"{inner}/{entry.name}" if inner else entry.name
    found = entry.stat(follow_symlinks=False)
    if stat.S_ISDIR(found.st_mode):
        tree.folders[path] = found.st_mtime
        return None if entry.name == CACHE else path
    tree.files[path] = Seen(_kind(found.st_mode), found.st_size, found.st_mtime, found.st_ctime, found.st_nlink)
    return None


def _kind(mode: int) -> Literal["file", "link", "other"]:
    return "file" if stat.S_ISREG(mode) else "link" if stat.S_ISLNK(mode) else "other"


def opened(path: str) -> int:
    """A handle of a regular file, for reading; of a pipe it would wait, of a link it might be anywhere. Raises
    OSError."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(0, "not a regular file")
    return handle


def head(path: str, limit: int) -> bytes:
    """The first `limit` bytes of a regular file. Raises OSError."""
    with open(opened(path), "rb") as file:
        return file.read(limit)


def reason(error: OSError) -> str:
    """In the words of `Unknown`."""
    if isinstance(error, PermissionError):
        return "denied"
    return "absent" if isinstance(error, (FileNotFoundError, NotADirectoryError)) else "unreadable"
