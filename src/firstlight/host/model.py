"""A machine as something that can be read and commanded; what every kind of host answers."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec

READ_LIMIT = 1 << 20
"""Bytes that `read` returns at most unless told otherwise; a larger file is TOO_LARGE."""


class Missing(enum.Enum):
    """Why something could not be read."""

    ABSENT = "absent"  # the machine has no such thing
    DENIED = "denied"  # there, but not for this process
    TOO_LARGE = "too-large"
    NOT_CAPTURED = "not-captured"  # a recorded host that does not know; says nothing about the machine
    UNREADABLE = "unreadable"  # an I/O error, a wrong kind of file, a loop of links


class Unread(msgspec.Struct, frozen=True):
    """The answer to a question that could not be answered, and why."""

    reason: Missing
    path: str
    """What was asked for: an absolute path, or a word such as `environment`."""
    detail: str = ""


class Kind(enum.Enum):
    """What a path is."""

    FILE = "file"
    DIR = "dir"
    LINK = "link"
    CHAR = "char"
    BLOCK = "block"
    FIFO = "fifo"
    SOCKET = "socket"


class FileInfo(msgspec.Struct, frozen=True, kw_only=True):
    """lstat of one path."""

    kind: Kind
    mode: int
    """Permission bits only, e.g. 0o660."""
    uid: int
    gid: int
    size: int = 0
    rdev: tuple[int, int] | None = None
    """Major and minor number of a device node."""
    link: str | None = None
    """Text of a symbolic link, as stored."""
    mtime: float | None = None
    """Seconds since the epoch."""


class Process(msgspec.Struct, frozen=True, kw_only=True):
    """Effective ids of the process that asks (not what the group database would give it)."""

    uid: int
    gid: int
    groups: tuple[int, ...]
    """Supplementary groups, with the effective gid."""


class Space(msgspec.Struct, frozen=True):
    """Room on the file system that holds a path, in bytes."""

    total: int
    free: int
    """What an unprivileged process may still write."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What a command did."""

    argv: tuple[str, ...]
    code: int
    """Exit status; negative: killed by that signal; 127: not found."""
    stdout: str
    stderr: str
    seconds: float = 0.0
    timed_out: bool = False


class HostKind(enum.Enum):
    """Where answers come from."""

    LIVE = "live"
    RECORDED = "recorded"  # with host.json: a path that is not listed was not there, where the recorder looked
    TREE = "tree"  # a bare root: a path that is not there is NOT_CAPTURED
    OVERLAY = "overlay"


class Host(Protocol):
    """A machine, live or recorded. Paths are absolute, as the machine sees them. Nothing here raises for
    what the machine is like: a question without an answer is `Unread` with its reason."""

    kind: HostKind
    label: str
    """How the user named it: `live`, or the path of the recording."""

    def read(self, path: str, limit: int = READ_LIMIT) -> bytes | Unread:
        """Content of a regular file (links are followed, inside the host's root)."""

    def part(self, path: str, offset: int, length: int) -> bytes | Unread:
        """`length` bytes of a regular file from `offset` on, fewer only at its end: of files too large for `read`."""

    def names(self, path: str) -> tuple[str, ...] | Unread:
        """Sorted names in a folder."""

    def info(self, path: str) -> FileInfo | Unread:
        """lstat: a link is not followed."""

    def resolve(self, path: str) -> str | Unread:
        """Absolute path with every link followed, inside the host's root."""

    def process(self) -> Process | Unread:
        """Effective ids of the asking process."""

    def environment(self) -> Mapping[str, str] | Unread:
        """The process's environment variables (of a recorded host: those that were recorded, redacted)."""

    def machine(self) -> str | Unread:
        """uname -m, e.g. `x86_64`, `aarch64`."""

    def now(self) -> float | Unread:
        """Seconds since the epoch on the host's clock (of a recorded host: when it was captured)."""

    def space(self, path: str) -> Space | Unread:
        """Room where `path` is, or would be made (its nearest ancestor that exists)."""

    def ask(self, argv: Sequence[str], *, timeout: float = 10.0) -> Outcome | Unread:
        """Run a command that only reads. Recorded hosts answer from what was recorded."""


def text(host: Host, path: str, limit: int = READ_LIMIT) -> str | Unread:
    """Content of a text file, stripped; NUL bytes (sysfs captures are padded with them) left out."""
    data = host.read(path, limit)
    if isinstance(data, Unread):
        return data
    return data.replace(b"\0", b"").decode("utf-8", "replace").strip()


def exists(host: Host, path: str) -> bool | Unread:
    """Whether the path is there; Unread where that is not known (DENIED, NOT_CAPTURED ...)."""
    found = host.info(path)
    if not isinstance(found, Unread):
        return True
    return False if found.reason is Missing.ABSENT else found
