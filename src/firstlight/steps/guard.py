"""One sync at a time in a project."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator

from ..errors import NoError
from ..progress import Reporter
from ..words import Words
from .places import cannot_write

WAIT_SECONDS = 1800.0


@contextlib.contextmanager
def only_one(folder: str, reporter: Reporter, wait: float = WAIT_SECONDS) -> Iterator[int]:
    """Hold the project's lock; its handle. The kernel drops it when this process ends, however it ends, and with it
    each process that was given the handle (flock(2)): a uv that outlives a killed sync is waited for, since it still
    writes. Raises NoError if another sync still holds it after `wait` seconds."""
    path = os.path.join(folder, "lock")
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
    except OSError as error:
        raise cannot_write(error, path) from error
    try:
        _take(handle, path, reporter, wait)
        try:
            yield handle
        finally:
            fcntl.flock(handle, fcntl.LOCK_UN)
    finally:
        os.close(handle)


def _take(handle: int, path: str, reporter: Reporter, wait: float) -> None:
    until = time.monotonic() + wait
    told = False
    while True:
        if _free(handle):
            return
        if time.monotonic() > until:
            raise NoError(
                Words(f"another sync holds {path}", f"另一个 sync 正占用 {path}"),
                next=Words("wait for it, or end it, then sync again", "请等待或结束它，然后重新执行 sync"),
            )
        if not told:
            reporter.detail("sync", Words("waiting for another sync to end", "正在等待另一个 sync 结束"))
            told = True
        time.sleep(0.05)


def _free(handle: int) -> bool:
    """Whether the lock was free, and is now ours."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
