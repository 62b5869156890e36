"""One change of the machine at a time."""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import time
from collections.abc import Iterator

from ...errors import ConsentNeeded, NoError
from ...progress import Reporter
from ...words import Words
from .files import raised
from .ground import Ground

WAIT_SECONDS = 1800.0


@contextlib.contextmanager
def alone(ground: Ground, reporter: Reporter, wait: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold the machine's lock. What we start holds it too: an apt-get that outlives a killed run is waited for. Raises
    ConsentNeeded where root is needed, NoError where the lock is not to be had."""
    if os.geteuid() != 0:
        raise ConsentNeeded(
            Words("changing the machine takes root", "更改系统需要 root 权限"),
            next=Words(
                "run it as root, or where sudo can ask for your password",
                "请以 root 运行，或在 sudo 能询问密码的地方运行",
            ),
        )
    _own_folders(ground)
    path = os.path.join(ground.state, "lock")
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        _take(handle, ground.inside(path), reporter, wait)
        ground.held = (handle,)
        yield
    finally:
        ground.held = ()
        os.close(handle)


def _own_folders(ground: Ground) -> None:
    """/var/lib/firstlight and what is in it, root's own; others may read which changes were made. Raises NoError."""
    for folder in (ground.state, os.path.join(ground.state, "changes")):
        shown = ground.inside(folder)
        with raised(shown):
            os.makedirs(folder, mode=0o755, exist_ok=True)
            found = os.lstat(folder)
            if not stat.S_ISDIR(found.st_mode):
                raise _link(shown)
            if found.st_uid != 0 or found.st_mode & 0o777 != 0o755:
                os.chown(folder, 0, 0, follow_symlinks=False)
                os.chmod(folder, 0o755)  # noqa: S103 - the umask may have cut it


def _link(folder: str) -> NoError:
    return NoError(
        Words(f"{folder} is a link", f"{folder} 是链接"),
        next=Words("look at what it is; remove it, then run it again", "请查看它是什么；移除后重新运行"),
    )


def _take(handle: int, path: str, reporter: Reporter, wait: float) -> None:
    until, told = time.monotonic() + wait, False
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise NoError(
                    Words(f"another change of this machine holds {path}", f"另一个系统更改正占用 {path}"),
                    next=Words("wait for it, or end it, then run it again", "请等待或结束它，然后重新运行"),
                ) from None
        else:
            return
        if not told:
            reporter.detail("system", Words("waiting for another change of this machine to end",
                                            "正在等待另一个系统更改结束"))  # fmt: skip
            told = True
        time.sleep(0.05)
