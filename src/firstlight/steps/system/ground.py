"""The machine that is changed: its root folder, and the door to its programs."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence

from ...host.model import Outcome
from ...host.state import machine_state

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
"""Of root; the asking user's own PATH has no say in what root runs."""
QUIET = {
    "DEBIAN_FRONTEND": "noninteractive", "DEBIAN_PRIORITY": "critical", "APT_LISTCHANGES_FRONTEND": "none",
    "NEEDRESTART_SUSPEND": "1", "UCF_FORCE_CONFFOLD": "1", "LC_ALL": "C.UTF-8", "HOME": "/root",
}  # fmt: skip
"""No package asks anything; a configuration file that somebody changed stays."""
_KEPT = ("http_proxy", "https_proxy", "ftp_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "TMPDIR")


class Ground:
    """A root file system: the live machine's, or one made for a trial, whose programs run through chroot(8)."""

    def __init__(self, root: str = "/") -> None:
        self.root = os.path.realpath(root)
        self.held: tuple[int, ...] = ()
        """Handles of the lock, once it is ours: what we start holds it too, until it ends."""

    @property
    def state(self) -> str:
        """Our own folder, as this process sees it."""
        return self.at(machine_state())

    def at(self, path: str) -> str:
        """An absolute path of the machine, as this process sees it."""
        return os.path.join(self.root, path.lstrip("/"))

    def inside(self, path: str) -> str:
        """The other way round."""
        return "/" + os.path.relpath(path, self.root) if self.root != "/" else path

    def run(
        self, argv: Sequence[str], *, timeout: float | None = None, folder: str | None = None, also: Sequence[int] = (),
        hold: bool = True,
    ) -> Outcome:  # fmt: skip
        """Run a program of the machine to its end, with root's PATH. `folder`: on the machine, to run it in; `also`:
        handles that it gets. `hold`: it holds our lock as long as it runs; not for what may start services, which
        would hold it for ever."""
        from ...host.command import run

        command = ("env", "-C", folder, *argv) if folder else tuple(argv)
        if self.root != "/":
            command = ("chroot", self.root, *command)
        return run(command, timeout=timeout, env=self.variables(), pass_fds=(*(self.held if hold else ()), *also))

    def variables(self) -> dict[str, str]:
        """The whole environment of what runs as root."""
        return {**{name: os.environ[name] for name in _KEPT if name in os.environ}, "PATH": PATH, **QUIET}

    def find(self, program: str) -> str | None:
        """Path of a program of the machine."""
        paths = (f"{folder}/{program}" for folder in PATH.split(":"))
        return next((path for path in paths if self._runs(path)), None)

    def _runs(self, path: str) -> bool:
        try:
            found = os.stat(self.at(path))
        except OSError:
            return False
        return stat.S_ISREG(found.st_mode) and bool(found.st_mode & 0o111)

    def read(self, path: str, limit: int = 4 << 20) -> bytes | None:
        """Content of a regular file, links followed; None where there is none, or it is larger."""
        try:
            with open(os.open(self.at(path), os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK), "rb") as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    return None
                data = file.read(limit + 1)
        except OSError:
            return None
        return data if len(data) <= limit else None

    def text(self, path: str) -> str:
        """The same as text; empty where there is none."""
        return (self.read(path) or b"").decode("utf-8", "replace")

    def names(self, path: str) -> list[str]:
        """Sorted names in a folder; none where there is no folder."""
        try:
            return sorted(os.listdir(self.at(path)))
        except OSError:
            return []

    def exists(self, path: str) -> bool:
        """Whether the path is there, a link not followed."""
        return os.path.lexists(self.at(path))
