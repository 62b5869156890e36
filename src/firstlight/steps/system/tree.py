"""Which files there are in the parts of the system that packages fill, so that what an installation leaves behind
can be told from what was there."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from .ground import Ground

Mark = tuple[str, int, int]
"""`file`, `link`, `folder` or `other`; size in bytes; time of last change in nanoseconds (0 for a folder)."""
TOPS = ("/usr", "/opt", "/boot", "/var/lib")
INSIDE = ("/usr", "/opt", "/boot", "/boot/efi", "/var", "/var/lib", "/usr/local")
"""Where another file system still belongs to the system; others are left alone."""
NEVER = frozenset({
    "/var/lib/firstlight", "/var/lib/dpkg", "/var/lib/apt", "/var/lib/docker", "/var/lib/containers",
    "/var/lib/containerd", "/var/lib/lxc", "/var/lib/lxd", "/var/lib/machines", "/var/lib/libvirt", "/var/lib/snapd",
    "/var/lib/flatpak", "/var/lib/kubelet", "/var/lib/rancher", "/var/lib/mysql", "/var/lib/postgresql",
    "/var/lib/mongodb", "/var/lib/redis", "/var/lib/influxdb", "/var/lib/prometheus", "/var/lib/systemd/coredump",
    "/usr/local",
})  # fmt: skip
"""Not ours to judge: what services and users keep there changes all the time."""


def walk(ground: Ground) -> Iterator[tuple[str, Mark]]:
    """Every path below TOPS. What cannot be read is passed over. About a second for 200,000 paths."""
    todo = [top for top in TOPS if os.path.isdir(ground.at(top)) and not os.path.islink(ground.at(top))]
    device = {os.stat(ground.at(top)).st_dev for top in ("/", *INSIDE) if ground.exists(top)}
    while todo:
        folder = todo.pop()
        try:
            entries = list(os.scandir(ground.at(folder)))
        except OSError:
            continue
        for entry in entries:
            path = f"{folder}/{entry.name}"
            try:
                found = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            is_folder = entry.is_dir(follow_symlinks=False)
            if is_folder and (path in NEVER or found.st_dev not in device):
                continue
            yield path, _mark(entry, found, is_folder=is_folder)
            if is_folder:
                todo.append(path)


def _mark(entry: os.DirEntry[str], found: os.stat_result, *, is_folder: bool) -> Mark:
    if is_folder:
        return "folder", 0, 0
    kind = "link" if entry.is_symlink() else "file" if entry.is_file(follow_symlinks=False) else "other"
    return kind, found.st_size, found.st_mtime_ns


def save(paths: Iterable[str], file: str) -> None:
    """Paths alone, compressed. Raises OSError."""
    from zstandard import ZstdCompressor

    data = "\0".join(paths).encode("utf-8", "surrogateescape")
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600), "wb") as out:
        out.write(ZstdCompressor(level=1).compress(data))


def load(file: str) -> set[str]:
    """What `save` wrote; empty where it is not there."""
    from zstandard import ZstdDecompressor, ZstdError

    try:
        with open(file, "rb") as source, ZstdDecompressor().stream_reader(source) as reader:
            return set(reader.read().decode("utf-8", "surrogateescape").split("\0"))
    except (OSError, ZstdError):
        return set()


def owned(ground: Ground, names: Iterable[str]) -> set[str]:
    """Paths that dpkg says belong to these files of its database (`NAME.list`), by where they really lie."""
    merged = [top for top in ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32") if os.path.islink(ground.at(top))]
    found: set[str] = set()
    for name in names:
        for path in ground.text(f"/var/lib/dpkg/info/{name}").splitlines():
            real = f"/usr{path}" if any(path == top or path.startswith(f"{top}/") for top in merged) else path
            found.add(real)
    return found
