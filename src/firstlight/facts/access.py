"""Who may use the device nodes: this process's effective ids against the nodes' modes and numeric owners."""

from __future__ import annotations

from ..host.model import FileInfo, Host, Kind, Process, Unread
from .accounts import group_database, user_name
from .model import Access, Node
from .reading import names_in, present, string
from .value import Fact, Unknown, unknown

FIXED = ("/dev/kfd", "/dev/dxg", "/dev/nvidiactl", "/dev/nvidia-uvm")
WATCHED = ("/dev/kfd", "/dev/dri", "/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/dxg")
UNMAPPED = 65534
"""How an owner that has no number in this user namespace is shown (/proc/sys/kernel/overflowgid)."""
NODES_AT_MOST = 4096


def access(host: Host, *, rootless: Fact[bool]) -> Access:
    """Ids, nodes, groups. `rootless`: whether this user namespace is not the machine's own: root is not root there."""
    asking = host.process()
    nodes = [_node(host, path, info, asking, rootless) for path, info in _found(host)]
    return Access(
        uid=unknown(asking) if isinstance(asking, Unread) else asking.uid,
        gid=unknown(asking) if isinstance(asking, Unread) else asking.gid,
        groups=unknown(asking) if isinstance(asking, Unread) else list(asking.groups),
        user=unknown(asking) if isinstance(asking, Unread) else user_name(host, asking.uid),
        nodes=nodes,
        absent=[path for path in WATCHED if present(host, path) is False],
        group_database=group_database(host, {node.gid for node in nodes}),
        selinux=_selinux(host),
    )


def _found(host: Host) -> list[tuple[str, FileInfo]]:
    """Device nodes that are known to be there, sorted."""
    paths = set(FIXED)
    paths.update(f"/dev/{name}" for name in names_in(host, "/dev") if name.startswith("nvidia"))
    paths.update(f"/dev/dri/{name}" for name in names_in(host, "/dev/dri") if name.startswith(("render", "card")))
    paths.update(f"/dev/accel/{name}" for name in names_in(host, "/dev/accel"))
    infos = ((path, host.info(path)) for path in sorted(paths)[:NODES_AT_MOST])
    return [(path, info) for path, info in infos if not isinstance(info, Unread) and info.kind is Kind.CHAR]


def _node(host: Host, path: str, info: FileInfo, asking: Process | Unread, rootless: Fact[bool]) -> Node:
    acl = _acl(host, info)
    if isinstance(asking, Unread):
        can_open: Fact[bool] = unknown(asking)
    else:
        at_seat = _at_seat(host, asking) if acl is True else False
        can_open = _can_open(path, info, asking, rootless=rootless, at_seat=at_seat)
    return Node(
        path=path,
        kind=info.kind.value,
        mode=info.mode,
        uid=info.uid,
        gid=info.gid,
        rdev=list(info.rdev) if info.rdev else None,
        can_open=can_open,
        acl=acl,
    )


def _can_open(path: str, info: FileInfo, asking: Process, *, rootless: Fact[bool], at_seat: Fact[bool]) -> Fact[bool]:
    """As the kernel decides (path_resolution(7)), but for device cgroups and security modules, which no file tells."""
    if asking.uid == 0 and rootless is not True:
        return True if rootless is False else _by_mode(path, info, asking) is True or rootless
    verdict = _by_mode(path, info, asking)
    return at_seat if verdict is False else verdict


def _by_mode(path: str, info: FileInfo, asking: Process) -> Fact[bool]:
    if asking.uid == info.uid and info.uid != UNMAPPED:
        return info.mode & 0o600 == 0o600
    if info.gid == UNMAPPED and UNMAPPED in asking.groups and info.mode & 0o066 != 0o066:
        return Unknown("unreadable", path, "its group has no number in this user namespace")
    bits = info.mode >> 3 if info.gid in asking.groups else info.mode
    return bits & 0o6 == 0o6


def _acl(host: Host, info: FileInfo) -> Fact[bool]:
    """logind gives the user at the seat an ACL on nodes that udev tagged `uaccess`."""
    if info.rdev is None:
        return Unknown("not-captured", "/run/udev/tags/uaccess")
    return present(host, f"/run/udev/tags/uaccess/c{info.rdev[0]}:{info.rdev[1]}")


def _at_seat(host: Host, asking: Process) -> Fact[bool]:
    """The ACL is given to the user who is active at the seat, and taken away when another one is."""
    seat = string(host, "/run/systemd/seats/seat0")
    if isinstance(seat, Unknown):
        return False if seat.unknown == "absent" else seat
    return f"ACTIVE_UID={asking.uid}" in seat.splitlines()


def _selinux(host: Host) -> Fact[str]:
    found = string(host, "/sys/fs/selinux/enforce")
    if isinstance(found, Unknown):
        return "disabled" if found.unknown == "absent" else found
    states = {"1": "enforcing", "0": "permissive"}
    return states.get(found) or Unknown("malformed", "/sys/fs/selinux/enforce", found[:40])
