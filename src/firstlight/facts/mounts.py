"""What /proc/self/mountinfo tells of where this process lives (proc_pid_mountinfo(5))."""

from __future__ import annotations

from ..host.model import Host
from .reading import string
from .value import Record, Unknown

STORES = (("/docker/", "docker"), ("/containers/storage/", "podman"), ("containerd", "other"), ("/lxc/", "lxc"))
"""Parts of the layers' paths in the options of an overlay root."""


class Mount(Record, frozen=True, kw_only=True):
    """One mount."""

    root: str
    """The folder of the file system that is mounted."""
    point: str
    kind: str
    """Type of the file system."""
    source: str
    options: str


def mounts(host: Host) -> list[Mount]:
    """Those that can be read; lines of another form are passed over."""
    content = string(host, "/proc/self/mountinfo", 8 << 20)
    found = [] if isinstance(content, Unknown) else [_mount(line) for line in content.splitlines()]
    return [mount for mount in found if mount]


def container_by_mounts(found: list[Mount]) -> str | None:
    """Engine that made this root, by its layers; LXC also by lxcfs, which it lays over files of /proc."""
    for mount in found:
        if mount.kind == "fuse.lxcfs" and mount.point.startswith("/proc/"):
            return "lxc"
        if mount.point == "/" and "overlay" in mount.kind:
            return next((engine for word, engine in STORES if word in mount.options), None)
    return None


def starts_from_a_disk(found: list[Mount]) -> bool:
    """Whether the root is a whole file system of a disk: no engine of Docker's kind makes such a one."""
    return any(mount.point == "/" and mount.root == "/" and mount.source.startswith("/dev/") for mount in found)


def _mount(line: str) -> Mount | None:
    """`27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw`."""
    before, dash, after = line.partition(" - ")
    fields, rest = before.split(" "), after.split(" ")
    if not dash or len(fields) < 6 or len(rest) < 3:
        return None
    return Mount(root=fields[3], point=fields[4], kind=rest[0], source=rest[1], options=rest[2])
