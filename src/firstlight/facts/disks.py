"""Room where things will be written."""

from __future__ import annotations

from collections.abc import Mapping

from ..host.model import Host, Unread
from .model import Disk


def disks(host: Host, project: str | None) -> list[Disk]:
    """Of the project, of temporary files and of the user's cache; those that the host can tell."""
    answer = host.environment()
    environment: Mapping[str, str] = {} if isinstance(answer, Unread) else answer
    wanted = (("project", project), ("tmp", environment.get("TMPDIR") or "/tmp"), ("cache", _cache(environment)))  # noqa: S108
    found = [_disk(host, role, path) for role, path in wanted if path and path.startswith("/")]
    return [disk for disk in found if disk]


def _cache(environment: Mapping[str, str]) -> str | None:
    """XDG base directory specification: a relative path is to be ignored."""
    told = environment.get("XDG_CACHE_HOME", "")
    home = environment.get("HOME", "")
    return told if told.startswith("/") else f"{home.rstrip('/')}/.cache" if home else None


def _disk(host: Host, role: str, path: str) -> Disk | None:
    room = host.space(path)
    if isinstance(room, Unread):
        return None
    return Disk(path=path, role=role, total_bytes=room.total, free_bytes=room.free)
