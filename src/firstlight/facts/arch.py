"""The machine's architecture, in uname's words."""

from __future__ import annotations

from ..host.model import Host, Unread
from .nvidia_driver import VERSION as NVIDIA_VERSION
from .processor import Processor
from .reading import is_folder, string
from .value import Fact, Unknown, unknown

ELF_MACHINES = {62: "x86_64", 183: "aarch64", 21: "ppc64le", 243: "riscv64", 22: "s390x", 258: "loongarch64"}
"""e_machine of 64-bit little-endian files (and s390x), from elf.h."""
PROGRAMS = ("/usr/bin/env", "/bin/true", "/usr/bin/true", "/bin/sh", "/sbin/init")
LOADERS = (("/lib64/ld-linux-x86-64.so.2", "x86_64"), ("/lib/ld-linux-aarch64.so.1", "aarch64"))
FOLDERS = (("/usr/lib/x86_64-linux-gnu", "x86_64"), ("/usr/lib/aarch64-linux-gnu", "aarch64"))
RELEASE_ENDS = {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64", "ppc64le": "ppc64le"}


def arch(host: Host, processor: Processor, release: Fact[str]) -> Fact[str]:
    """What the host says; of a bare tree, what its programs, its processor's entry, its kernel's name or its library
    folders prove. Where these contradict each other (a chroot of another architecture), the surer comes first."""
    said = host.machine()
    if not isinstance(said, Unread):
        return said
    return (
        _of_programs(host)
        or processor.arch
        or _of_release(release)
        or _of_nvidia(host)
        or _of_folders(host)
        or unknown(said)
    )


def elf_machine(header: bytes) -> str | None:
    """Architecture of a 64-bit ELF file by its first 20 bytes."""
    if len(header) < 20 or header[:5] != b"\x7fELF\x02":
        return None
    order = "little" if header[5] == 1 else "big"
    return ELF_MACHINES.get(int.from_bytes(header[18:20], "little" if order == "little" else "big"))


def _of_programs(host: Host) -> str | None:
    for path in PROGRAMS:
        data = host.read(path, 4 << 20)
        found = None if isinstance(data, Unread) else elf_machine(data[:20])
        if found:
            return found
    return next((name for path, name in LOADERS if not isinstance(host.info(path), Unread)), None)


def _of_release(release: Fact[str]) -> str | None:
    """`4.18.0-425.el8.x86_64`, `6.1.0-18-amd64`, `6.12.30+rpt-rpi-arm64-16k`."""
    if isinstance(release, Unknown):
        return None
    words = release.replace(".", "-").replace("_64", "@").split("-")
    return next(
        (RELEASE_ENDS[w] for w in (word.replace("@", "_64") for word in reversed(words)) if w in RELEASE_ENDS), None
    )


def _of_nvidia(host: Host) -> str | None:
    banner = string(host, NVIDIA_VERSION)
    line = "" if isinstance(banner, Unknown) else banner.partition("\n")[0]
    return next((word for word in ("x86_64", "aarch64") if word in line.split()), None)


def _of_folders(host: Host) -> str | None:
    """Only where one of them is there: with multiarch there can be several."""
    found = [name for path, name in FOLDERS if is_folder(host, path)]
    return found[0] if len(found) == 1 else None
