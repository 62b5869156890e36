"""Host memory and the kernel's limit on what GPUs may take of it."""

from __future__ import annotations

from ..host.model import Host
from .model import Memory
from .reading import integer, present, string, whole
from .value import Fact, Unknown

MEMINFO = "/proc/meminfo"
HUGE_TO_PAGE = {2048: 4096, 32768: 16384, 524288: 65536}
"""Size of a huge page (kB) -> of a page (bytes): a huge page is one table of 8-byte entries, page * page / 8."""


def memory(host: Host) -> Memory:
    """/proc/meminfo and the parameters of TTM."""
    content = string(host, MEMINFO)
    module = _ttm(host)
    folder = f"/sys/module/{module if isinstance(module, str) else 'ttm'}/parameters"
    return Memory(
        total_bytes=_field(content, "MemTotal"),
        available_bytes=_field(content, "MemAvailable"),
        page_bytes=_page(content),
        ttm_module=module,
        ttm_pages_limit=integer(host, f"{folder}/pages_limit"),
        ttm_page_pool_size=integer(host, f"{folder}/page_pool_size"),
    )


def _field(content: Fact[str], name: str) -> Fact[int]:
    """`MemTotal:       65536000 kB`, in bytes. The kernel always writes kB; some captures converted it and left the
    unit out."""
    if isinstance(content, Unknown):
        return content
    for line in content.splitlines():
        key, colon, rest = line.partition(":")
        if colon and key == name:
            number, _, unit = rest.strip().partition(" ")
            size = whole(number, MEMINFO) if unit in ("kB", "") else Unknown("malformed", MEMINFO, rest[:40])
            return size if isinstance(size, Unknown) or not unit else size * 1024
    return Unknown("absent", MEMINFO, name)


def _page(content: Fact[str]) -> int:
    """4096 unless the default size of huge pages tells otherwise."""
    size = _field(content, "Hugepagesize")
    return 4096 if isinstance(size, Unknown) else HUGE_TO_PAGE.get(size // 1024, 4096)


def _ttm(host: Host) -> Fact[str]:
    """amdgpu-dkms brings its own copy under another name, which is then the one that counts."""
    verdicts = {name: present(host, f"/sys/module/{name}") for name in ("amdttm", "ttm")}
    found = next((name for name, there in verdicts.items() if there is True), None)
    if found:
        return found
    failed = next((there for there in verdicts.values() if isinstance(there, Unknown)), None)
    return failed or Unknown("absent", "/sys/module/ttm")
