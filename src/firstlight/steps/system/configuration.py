"""A configuration file below /etc, written or removed as a whole."""

from __future__ import annotations

from ...causes.changes import RemoveFile, WriteFile
from ...errors import NoError
from ...progress import Reporter
from ...words import Words
from .file_step import FileStep
from .files import look, remove
from .ground import Ground
from .names import path_below, refused

FOLDERS = (
    "/etc/apt", "/etc/modprobe.d", "/etc/udev/rules.d", "/etc/default", "/etc/ld.so.conf.d", "/etc/dracut.conf.d",
    "/etc/initramfs-tools", "/etc/modules-load.d", "/etc/environment.d", "/etc/systemd/system", "/etc/lxc",
    "/etc/containers", "/etc/cdi", "/etc/docker",
)  # fmt: skip
"""What remedies have any business with: never accounts, passwords, sudoers, cron."""
LARGEST = 4 << 20
PUBLIC = (0o644, 0o640, 0o600, 0o755)


def step(ground: Ground, change: WriteFile) -> FileStep:
    """Raises UnreadableInput."""
    path = path_below(change.path, FOLDERS, "path")
    if change.mode not in PUBLIC or len(change.content) > LARGEST:
        raise refused("path", path)
    return FileStep(ground, "write-file", path, change.content.encode(), mode=change.mode, replaces=change.replaces)


class Removal(FileStep):
    """The file goes."""

    def __init__(self, ground: Ground, change: RemoveFile) -> None:
        path = path_below(change.path, FOLDERS, "path")
        super().__init__(ground, "remove-file", path, b"", replaces=change.replaces)

    def commands(self) -> tuple[tuple[str, ...], ...]:
        """Of a person."""
        return (("rm", self.path),)

    def check(self) -> bool:
        """Whether it is gone."""
        return look(self.ground, self.path).kind == "absent"

    def do(self, tell: Reporter) -> None:  # noqa: ARG002
        """Raises NoError."""
        if not remove(self.ground, self.path):
            raise NoError(Words(f"{self.path} could not be removed", f"无法移除 {self.path}"))
