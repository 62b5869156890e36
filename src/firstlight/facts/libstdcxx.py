"""Which version of libstdc++ the system has, by its file's name."""

from __future__ import annotations

from ..host.model import Host, Unread
from .value import Fact, Unknown, unknown

FOLDERS = ("/usr/lib/{arch}-linux-gnu", "/usr/lib64", "/usr/lib")
NAME = "libstdc++.so.6"


def libstdcxx(host: Host, arch: Fact[str]) -> Fact[str]:
    """Newest GLIBCXX_ version that it offers: `3.4.30` of libstdc++.so.6.0.30 (GCC manual, "ABI Policy and Guidelines":
    the two end in the same number)."""
    failed: Unknown | None = None
    for folder in FOLDERS if isinstance(arch, str) else FOLDERS[1:]:
        end = host.resolve(folder.format(arch=arch) + f"/{NAME}")
        if isinstance(end, Unread):
            failed = failed or unknown(end)
            continue
        number = end.rpartition(f"{NAME}.0.")[2]
        if number.isascii() and number.isdecimal() and len(number) < 6:
            return f"3.4.{number}"
    return failed or Unknown("absent", NAME)
