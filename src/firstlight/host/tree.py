"""A bare root without host.json: a chroot, a private apt root, a captured /sys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .folder import FolderStore
from .model import HostKind, Missing, Outcome, Process, Space, Unread, text
from .rooted import Rooted


class TreeHost(Rooted):
    """What is not in the tree was not captured; that says nothing about the machine."""

    kind = HostKind.TREE

    def __init__(self, root: str, label: str | None = None) -> None:
        super().__init__(FolderStore(root))
        self.label = label or root

    def process(self) -> Process | Unread:
        """From /proc/self/status, if the tree has it (proc(5): real, effective, saved, file system ids)."""
        status = text(self, "/proc/self/status")
        if isinstance(status, Unread):
            return Unread(status.reason, "process", status.detail)
        fields = dict(line.partition(":")[::2] for line in status.splitlines())
        uid, gid, groups = (_numbers(fields.get(name, "")) for name in ("Uid", "Gid", "Groups"))
        if len(uid) < 2 or len(gid) < 2:
            return Unread(Missing.UNREADABLE, "process", "/proc/self/status")
        return Process(uid=uid[1], gid=gid[1], groups=tuple(sorted({gid[1], *groups})))

    def environment(self) -> Mapping[str, str] | Unread:
        """From /proc/self/environ, if the tree has it."""
        data = self.read("/proc/self/environ")
        if isinstance(data, Unread):
            return Unread(data.reason, "environment", data.detail)
        pairs = (item.decode("utf-8", "backslashreplace").partition("=") for item in data.split(b"\0") if b"=" in item)
        return {name: value for name, _, value in pairs}

    def machine(self) -> str | Unread:
        """From /proc/sys/kernel/arch (Linux 6.1 and later), if the tree has it."""
        word = text(self, "/proc/sys/kernel/arch")
        if isinstance(word, Unread) or not word:
            return Unread(Missing.NOT_CAPTURED, "machine")
        return word

    def now(self) -> float | Unread:
        """A tree has no clock."""
        return Unread(Missing.NOT_CAPTURED, "now")

    def space(self, path: str) -> Space | Unread:
        """A tree knows no file systems."""
        return Unread(Missing.NOT_CAPTURED, path)

    def ask(self, argv: Sequence[str], *, timeout: float = 10.0) -> Outcome | Unread:  # noqa: ARG002  the protocol's
        """A tree runs nothing."""
        return Unread(Missing.NOT_CAPTURED, " ".join(argv))


def _numbers(field: str) -> list[int]:
    return [int(word) for word in field.split() if word.isascii() and word.isdigit() and len(word) < 11]
