"""The user and group databases, as files. What LDAP or systemd add is not in them."""

from __future__ import annotations

from ..host.model import Host
from .model import Group
from .reading import string
from .value import Fact, Unknown

USERS = "/etc/passwd"
GROUP = "/etc/group"
DATABASE_AT_MOST = 4 << 20


def user_name(host: Host, uid: int) -> Fact[str]:
    """Name of the uid in /etc/passwd."""
    content = string(host, USERS, DATABASE_AT_MOST)
    if isinstance(content, Unknown):
        return content
    for line in content.splitlines():
        fields = line.split(":")
        if len(fields) >= 3 and fields[2] == str(uid):
            return fields[0]
    return Unknown("absent", USERS, str(uid))


def group_database(host: Host, owners: set[int]) -> Fact[list[Group]]:
    """render, video, and the groups of `owners`, from /etc/group. Lines that are no entry are passed over."""
    content = string(host, GROUP, DATABASE_AT_MOST)
    if isinstance(content, Unknown):
        return content
    groups = [group for group in map(_group, content.splitlines()) if group]
    return [group for group in groups if group.name in ("render", "video") or group.gid in owners]


def _group(line: str) -> Group | None:
    fields = line.split(":")
    if len(fields) != 4 or not fields[2].isdecimal() or not fields[2].isascii() or len(fields[2]) > 10:
        return None
    members = [name for name in (part.strip() for part in fields[3].split(",")) if name]
    return Group(name=fields[0], gid=int(fields[2]), members=members)
