"""Memory limits of control groups, version 2 and 1."""

from __future__ import annotations

from ..host.model import Host
from .reading import string
from .value import Fact, Unknown

ROOT = "/sys/fs/cgroup"
NO_LIMIT = 1 << 60
"""Version 1 has no word for "none": it shows the largest multiple of a page that a long holds."""
DEPTH_AT_MOST = 32


def memory_limit(host: Host) -> Fact[int]:
    """The least limit of this process's group and those above it, in bytes; Unknown(absent) where there is none."""
    groups = string(host, "/proc/self/cgroup")
    if isinstance(groups, Unknown):
        return groups
    limits: list[int] = []
    failed: Unknown | None = None
    for path in _files(groups):
        found = string(host, path, 4096)
        if isinstance(found, Unknown):
            failed = failed or (found if found.unknown != "absent" else None)
        elif found.isdecimal() and len(found) <= 20 and int(found) < NO_LIMIT:
            limits.append(int(found))
    return min(limits) if limits else failed or Unknown("absent", ROOT, "no limit")


def _files(groups: str) -> list[str]:
    """Lines of /proc/self/cgroup are ID:CONTROLLERS:PATH; version 2's is `0::PATH`."""
    files: list[str] = []
    for line in groups.splitlines():
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if line.startswith("0::"):
            files += [f"{ROOT}{group}/memory.max" for group in _upwards(path)]
        elif "memory" in controllers.split(","):
            files += [f"{ROOT}/memory{group}/memory.limit_in_bytes" for group in _upwards(path)]
    return files


def _upwards(path: str) -> list[str]:
    """`/a/b` -> `/a/b`, `/a`, and the root as an empty string."""
    parts = [part for part in path.split("/") if part not in ("", ".", "..")][:DEPTH_AT_MOST]
    return ["/" + "/".join(parts[:count]) for count in range(len(parts), 0, -1)] + [""]
