"""What the system's dynamic loader is told of ROCm and CUDA folders."""

from __future__ import annotations

from ..host.model import Host
from .reading import listing, string
from .value import Fact, Unknown

FOLDER = "/etc/ld.so.conf.d"
FILES_AT_MOST = 500


def loader_folders(host: Host) -> Fact[list[str]]:
    """Lines of ld.so.conf and ld.so.conf.d that name a ROCm or CUDA folder, without comments. Unknown only if none
    was found and something could not be read."""
    names = listing(host, FOLDER)
    failed = names if isinstance(names, Unknown) else None
    found: list[str] = []
    for path in ("/etc/ld.so.conf", *_files(names)):
        content = string(host, path)
        if isinstance(content, str):
            found += [line for line in map(_plain, content.splitlines()) if _matters(line)]
        elif content.unknown != "absent":
            failed = failed or content
    return found or failed or []


def _files(names: Fact[tuple[str, ...]]) -> list[str]:
    if isinstance(names, Unknown):
        return []
    return [f"{FOLDER}/{name}" for name in names[:FILES_AT_MOST] if name.endswith(".conf")]


def _plain(line: str) -> str:
    return line.partition("#")[0].strip()


def _matters(line: str) -> bool:
    lower = line.lower()
    return "rocm" in lower or "cuda" in lower
