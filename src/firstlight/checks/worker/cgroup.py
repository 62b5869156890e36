"""What this process's control group says of memory; version 2, and version 1 where that is mounted."""

from __future__ import annotations

import os


def oom_kills() -> int | None:
    """Processes that the kernel killed for memory in our group so far; None: not known."""
    for folder, controller in folders():
        name = "memory.events" if controller == "" else "memory.oom_control"
        for line in read(os.path.join(folder, name)).splitlines():
            key, _, value = line.partition(" ")
            if key == "oom_kill" and value.strip().isdigit():
                return int(value)
    return None


def room() -> int | None:
    """Bytes that our group may still take; None: no limit, or not known."""
    found = []
    for folder, controller in folders():
        version2 = controller == ""
        limit = read(os.path.join(folder, "memory.max" if version2 else "memory.limit_in_bytes"))
        used = read(os.path.join(folder, "memory.current" if version2 else "memory.usage_in_bytes"))
        if limit.strip().isdigit() and used.strip().isdigit() and int(limit) < 1 << 60:
            cache = inactive(folder, "inactive_file" if version2 else "total_inactive_file")
            found.append(int(limit) - int(used) + min(cache, int(used)))
    return min(found, default=None)


def inactive(folder: str, name: str) -> int:
    """Bytes of file cache that the kernel gives up before it kills."""
    for line in read(os.path.join(folder, "memory.stat")).splitlines():
        key, _, value = line.partition(" ")
        if key == name and value.isdigit():
            return int(value)
    return 0


def folders() -> list[tuple[str, str]]:
    """Folders of our memory group and its parents, nearest first, each with `memory` or (version 2) the empty word."""
    found = []
    for line in read("/proc/self/cgroup").splitlines():
        parts = line.split(":", 2)
        if len(parts) != 3 or (parts[1] and "memory" not in parts[1].split(",")):
            continue
        root = "/sys/fs/cgroup/memory" if parts[1] else "/sys/fs/cgroup"
        controller = "memory" if parts[1] else ""
        path = parts[2].strip("/")
        while path:
            found.append((os.path.join(root, path), controller))
            path = os.path.dirname(path)
        found.append((root, controller))
    return found


def read(path: str) -> str:
    """Content of a small file; empty if it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(1 << 16)
    except OSError:
        return ""
