"""Files of lines that survive a kill: each line is on the disk before what it announces begins."""

from __future__ import annotations

import contextlib
import errno
import os

from ..host.durable import sync_folder

LIMIT = 4 << 20
"""Bytes that are read at most, from the end."""


def append(path: str, line: bytes, mode: int = 0o644) -> None:
    """Add a line (without its end) and wait until it is on the disk. Raises OSError."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, mode)
    try:
        began = os.fstat(handle).st_size == 0
        _append(handle, line + b"\n")
        os.fsync(handle)
    finally:
        os.close(handle)
    if began:
        sync_folder(os.path.dirname(path))


def _append(handle: int, line: bytes) -> None:
    """After a line that was cut off (a kill, a full disk) on a line of its own. A nearly full disk takes a part only:
    that is an error too."""
    size = os.fstat(handle).st_size
    if size and os.pread(handle, 1, size - 1) != b"\n":
        line = b"\n" + line
    if os.write(handle, line) != len(line):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def tail(path: str) -> bytes:
    """The last LIMIT bytes. What is no ordinary file is not waited for. Raises OSError."""
    with open(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK), "rb") as file:
        size = os.fstat(file.fileno()).st_size
        return os.pread(file.fileno(), LIMIT, max(0, size - LIMIT))


def trim(path: str, long: int, kept: int) -> None:
    """Cut a file of more than `long` bytes down to its last `kept` lines. The old one stays whole until the new one
    takes its place. Raises OSError."""
    if os.stat(path).st_size <= long:
        return
    lines = tail(path).splitlines(keepends=True)[-kept:]
    with contextlib.suppress(FileNotFoundError):
        os.unlink(f"{path}.tmp")
    with open(f"{path}.tmp", "xb") as file:
        file.writelines(lines)
        file.flush()
        os.fsync(file.fileno())
    os.replace(f"{path}.tmp", path)
