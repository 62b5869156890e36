"""The running kernel."""

from __future__ import annotations

from ..host.model import Host, Unread
from .command_line import command_line
from .dates import kernel_date
from .model import Kernel
from .reading import leads_somewhere, listing, present, string
from .value import Fact, Unknown, unknown

SECURE_BOOT = "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
"""The variable under EFI_GLOBAL_VARIABLE's GUID (UEFI specification, 3.3)."""


def kernel(host: Host) -> Kernel:
    """Release, build date, command line, headers, firmware mode, lockdown."""
    banner = string(host, "/proc/version")
    running = release(host)
    efi = present(host, "/sys/firmware/efi")
    groups = listing(host, "/sys/kernel/iommu_groups")
    return Kernel(
        release=running,
        built=_built(banner),
        cmdline=command_line(host),
        headers=running if isinstance(running, Unknown) else leads_somewhere(host, f"/lib/modules/{running}/build"),
        secure_boot=_secure_boot(host, efi),
        efi=efi,
        lockdown=_lockdown(host),
        iommu_groups=groups if isinstance(groups, Unknown) else len(groups),
    )


def release(host: Host) -> Fact[str]:
    """uname -r: /proc/sys/kernel/osrelease, or the third word of /proc/version."""
    found = string(host, "/proc/sys/kernel/osrelease")
    if not isinstance(found, Unknown):
        return _safe(found, "/proc/sys/kernel/osrelease")
    banner = string(host, "/proc/version")
    words = [] if isinstance(banner, Unknown) else banner.split(maxsplit=3)
    return _safe(words[2], "/proc/version") if len(words) > 2 and words[:2] == ["Linux", "version"] else found


def _safe(word: str, path: str) -> Fact[str]:
    """A release becomes part of paths: it must be one plain name."""
    good = word and len(word) <= 64 and "/" not in word and word.isprintable() and not word.startswith(".")
    return word if good else Unknown("malformed", path, word[:40])


def _built(banner: Fact[str]) -> Fact[float]:
    if isinstance(banner, Unknown):
        return banner
    when = kernel_date(banner[-200:])
    return Unknown("malformed", "/proc/version", "no build date") if when is None else when


def _secure_boot(host: Host, efi: Fact[bool]) -> Fact[bool]:
    """Four bytes of attributes, then the value. A machine started without EFI has no Secure Boot."""
    if isinstance(efi, Unknown) or not efi:
        return efi
    data = host.read(SECURE_BOOT)
    if isinstance(data, Unread):
        return unknown(data)
    return data[4] == 1 if len(data) == 5 else Unknown("malformed", SECURE_BOOT, f"{len(data)} bytes")


def _lockdown(host: Host) -> Fact[str]:
    """The word in brackets: `none [integrity] confidentiality`."""
    found = string(host, "/sys/kernel/security/lockdown")
    if isinstance(found, Unknown):
        return found
    word = found.partition("[")[2].partition("]")[0]
    return word or Unknown("malformed", "/sys/kernel/security/lockdown", found[:40])
