"""A host whose files lie in a dictionary: machines that nobody captured, and damaged ones."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from firstlight.host.model import FileInfo, HostKind, Kind, Missing, Unread
from firstlight.host.rooted import Rooted
from firstlight.host.tree import TreeHost

Content = bytes | str | Missing
"""Bytes of a file; `->TEXT` a link; a reason: what cannot be read."""


class MemoryStore:
    """Physical paths only; links are the host's business."""

    def __init__(self, files: dict[str, Content], absent: Missing) -> None:
        self.absent = absent
        self.files = files
        self.folders: dict[str, set[str]] = {"/": set()}
        for path in files:
            self._folders_of(path)

    def _folders_of(self, path: str) -> None:
        while path not in {"", "/"}:
            parent, _, name = path.rpartition("/")
            known = self.folders.setdefault(parent or "/", set())
            if name in known:
                return
            known.add(name)
            path = parent

    def look(self, path: str) -> FileInfo | Unread:
        found = self.files.get(path)
        if isinstance(found, Missing):
            return Unread(found, path)
        if found is None:
            return FileInfo(kind=Kind.DIR, mode=0o755, uid=0, gid=0) if path in self.folders else self._none(path)
        if isinstance(found, str) and found.startswith("->"):
            return FileInfo(kind=Kind.LINK, mode=0o777, uid=0, gid=0, link=found[2:])
        return FileInfo(kind=Kind.FILE, mode=0o444, uid=0, gid=0, size=len(found))

    def content(self, path: str, limit: int) -> bytes | Unread:
        found = self.files.get(path)
        if isinstance(found, Missing):
            return Unread(found, path)
        if found is None or (isinstance(found, str) and found.startswith("->")):
            return Unread(Missing.UNREADABLE, path) if found or path in self.folders else self._none(path)
        data = found.encode() if isinstance(found, str) else found
        return data if len(data) <= limit else Unread(Missing.TOO_LARGE, path)

    def part(self, path: str, offset: int, length: int) -> bytes | Unread:
        data = self.content(path, sys.maxsize)
        return data if isinstance(data, Unread) else data[offset : offset + length]

    def listing(self, path: str) -> tuple[str, ...] | Unread:
        found = self.files.get(path)
        if isinstance(found, Missing):
            return Unread(found, path)
        return tuple(sorted(self.folders[path])) if path in self.folders else self._none(path)

    def holds(self, path: str) -> bool:
        return path in self.files or path in self.folders

    def _none(self, path: str) -> Unread:
        return Unread(self.absent, path)


class MemoryHost(TreeHost):
    """A whole machine (what is not there is absent) unless told to be a bare tree. Counts the questions."""

    def __init__(self, files: dict[str, Content], kind: HostKind = HostKind.RECORDED) -> None:
        Rooted.__init__(self, MemoryStore(files, Missing.NOT_CAPTURED if kind is HostKind.TREE else Missing.ABSENT))
        self.kind = kind
        self.label = "memory"
        self.calls = 0

    def read(self, path: str, limit: int = 1 << 20) -> bytes | Unread:
        self.calls += 1
        return super().read(path, limit)

    def names(self, path: str) -> tuple[str, ...] | Unread:
        self.calls += 1
        return super().names(path)

    def info(self, path: str) -> FileInfo | Unread:
        self.calls += 1
        return super().info(path)

    def resolve(self, path: str) -> str | Unread:
        self.calls += 1
        return super().resolve(path)


def captured(root: Path, below: Iterable[str] = ("sys", "proc/driver")) -> dict[str, Content]:
    """Files and links of a captured tree."""
    found: dict[str, Content] = {}
    for part in below:
        for path in sorted((root / part).rglob("*")):
            name = "/" + path.relative_to(root).as_posix()
            if path.is_symlink():
                found[name] = f"->{path.readlink()}"
            elif path.is_file():
                found[name] = path.read_bytes()
    return found


def function(
    address: str,
    ids: str,
    *,
    driver: str | None,
    code: int = 0x30000,
    subsystem: str = "1043:0000",
    files: dict[str, str] | None = None,
) -> dict[str, Content]:
    """One PCI function as Linux shows it: a link on the bus, a folder below /sys/devices."""
    folder = f"/sys/devices/pci{address[:7]}/{address}"
    lines = [f"DRIVER={driver}"] if driver else []
    lines += [f"PCI_CLASS={code:X}", f"PCI_ID={ids.upper()}", f"PCI_SUBSYS_ID={subsystem.upper()}"]
    lines += [f"PCI_SLOT_NAME={address}", ""]
    found: dict[str, Content] = {
        f"/sys/bus/pci/devices/{address}": f"->../../..{folder.removeprefix('/sys')}",
        f"{folder}/uevent": "\n".join(lines),
    }
    if driver:
        found[f"{folder}/driver"] = f"->../../../bus/pci/drivers/{driver}"
    found.update({f"{folder}/{name}": content for name, content in (files or {}).items()})
    return found


def drm(address: str, card: int, render: int) -> dict[str, Content]:
    """DRM nodes of a PCI function."""
    folder = f"/sys/devices/pci{address[:7]}/{address}"
    found: dict[str, Content] = {}
    for name in (f"card{card}", f"renderD{render}"):
        found[f"/sys/class/drm/{name}"] = f"->../..{folder.removeprefix('/sys')}/drm/{name}"
        found[f"{folder}/drm/{name}/device"] = f"->../../../{address}"
        found[f"{folder}/drm/{name}/dev"] = "226:0"
    found[f"/sys/class/drm/card{card}-DP-1"] = f"->../..{folder.removeprefix('/sys')}/drm/card{card}"
    return found


def kfd_node(number: int, *, bank: int | None = None, **told: int) -> dict[str, Content]:
    """One node of the KFD topology; the CPU's without `simd_count`."""
    folder = f"/sys/class/kfd/kfd/topology/nodes/{number}"
    lines = {"cpu_cores_count": 0, "simd_count": 0, "simd_per_cu": 4, "vendor_id": 4098, "domain": 0} | told
    found: dict[str, Content] = {f"{folder}/properties": "".join(f"{name} {value}\n" for name, value in lines.items())}
    if bank is not None:
        found[f"{folder}/mem_banks/0/properties"] = f"heap_type 1\nsize_in_bytes {bank}\nflags 0\n"
    return found


def location(bus: int, device: int = 0, part: int = 0) -> int:
    """location_id of KFD."""
    return bus << 8 | device << 3 | part
