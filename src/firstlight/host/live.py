"""The machine that this process runs on."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence

from . import files
from .model import READ_LIMIT, FileInfo, HostKind, Missing, Outcome, Process, Space, Unread


class LiveHost:
    """Answers with the running kernel's own words. Nothing is cached: the machine changes."""

    kind = HostKind.LIVE
    label = "live"

    def read(self, path: str, limit: int = READ_LIMIT) -> bytes | Unread:
        """Content of a regular file, links followed."""
        return _relative(path) or files.content(_plain(path), path, limit, follow=True)

    def part(self, path: str, offset: int, length: int) -> bytes | Unread:
        """Some bytes of a regular file, links followed."""
        return _relative(path) or files.part(_plain(path), path, offset, length, follow=True)

    def names(self, path: str) -> tuple[str, ...] | Unread:
        """Sorted names in a folder."""
        return _relative(path) or files.listing(_plain(path), path)

    def info(self, path: str) -> FileInfo | Unread:
        """lstat."""
        return _relative(path) or files.look(_plain(path), path)

    def resolve(self, path: str) -> str | Unread:
        """Absolute path with every link followed."""
        wrong = _relative(path)
        if wrong:
            return wrong
        try:
            return files.printable(os.path.realpath(_plain(path), strict=True))
        except (OSError, ValueError) as error:
            return files.unread(error, path)

    def process(self) -> Process | Unread:
        """Effective ids, from the kernel."""
        gid = os.getegid()
        return Process(uid=os.geteuid(), gid=gid, groups=tuple(sorted({gid, *os.getgroups()})))

    def environment(self) -> Mapping[str, str] | Unread:
        """This process's variables."""
        return {files.printable(name): files.printable(value) for name, value in os.environ.items()}

    def machine(self) -> str | Unread:
        """uname -m."""
        return os.uname().machine

    def now(self) -> float | Unread:
        """Seconds since the epoch."""
        return time.time()

    def space(self, path: str) -> Space | Unread:
        """statvfs of `path`, or of its nearest ancestor that exists."""
        wrong = _relative(path)
        if wrong:
            return wrong
        here, found = path, _room(path)
        while isinstance(found, Unread) and found.reason is Missing.ABSENT and here != "/":
            here = os.path.dirname(here.rstrip("/")) or "/"
            found = _room(here)
        return Unread(found.reason, path, found.detail) if isinstance(found, Unread) else found

    def ask(self, argv: Sequence[str], *, timeout: float = 10.0) -> Outcome | Unread:
        """Run it, with a clean environment and no input."""
        from .command import run

        return run(argv, timeout=timeout)


def _relative(path: str) -> Unread | None:
    return None if path.startswith("/") else Unread(Missing.UNREADABLE, path, "not an absolute path")


def _plain(path: str) -> str:
    """Without a closing slash, which would make the kernel follow a link, and refuse a file: all hosts pass over it."""
    return path.rstrip("/") or "/"


def _room(path: str) -> Space | Unread:
    try:
        found = os.statvfs(path)
    except (OSError, ValueError) as error:
        return files.unread(error, path)
    return Space(total=found.f_blocks * found.f_frsize, free=found.f_bavail * found.f_frsize)
