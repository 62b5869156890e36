"""Stand-ins for what must not be shared: the same for the same, different for the different.

Each kind of dummy lies where no real value does (ranges kept free by standards), so that it is known again: what is
redacted already stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable


class Dummies:
    """Dummies of one kind, numbered from 1 in the order of first sight."""

    def __init__(self, form: Callable[[int], str], known: str, kept: frozenset[str] = frozenset()) -> None:
        self._form = form
        self._known = re.compile(known, re.IGNORECASE)
        self._kept = kept
        self._given: dict[str, str] = {}

    def of(self, real: str) -> str:
        """The dummy for `real`; case does not tell two values apart. Dummies, and values that many share, stay."""
        key = real.lower()
        if key in self._kept or self._known.fullmatch(real):
            return real
        if key not in self._given:
            self._given[key] = self._form(len(self._given) + 1)
        return self._given[key]


def secrets() -> Dummies:
    """Passwords, tokens."""
    return Dummies(lambda n: f"redacted-{n}", r"redacted-\d+")


def uuids() -> Dummies:
    """UUIDs (RFC 9562; the dummies are of version 4 with nothing random in them)."""
    public = (
        "00000000-0000-0000-0000-000000000000",
        "ffffffff-ffff-ffff-ffff-ffffffffffff",
        # Names of EFI variables that are the same everywhere: UEFI specification 3.3, 32.4.1; shim's MokList.
        "8be4df61-93ca-11d2-aa0d-00e098032b8c",
        "d719b2cb-3d3a-4596-a3bc-dad00e67656f",
        "605dab50-e046-4300-abb6-3dd810dd8b23",
    )
    known = r"00000000-0000-4000-8000-[0-9a-f]{12}"
    return Dummies(lambda n: f"00000000-0000-4000-8000-{n:012x}", known, frozenset(public))


def macs() -> Dummies:
    """Ethernet addresses, with colons (02: locally administered, IEEE 802)."""
    public = frozenset(("00:00:00:00:00:00", "ff:ff:ff:ff:ff:ff"))
    return Dummies(
        lambda n: f"02:00:00:{n >> 16 & 255:02x}:{n >> 8 & 255:02x}:{n & 255:02x}",
        r"02:00:00(?::[0-9a-f]{2}){3}",
        public,
    )


def ipv4() -> Dummies:
    """IPv4 addresses (RFC 2544 keeps 198.18.0.0/15 for benchmarks)."""
    known = r"198\.1[89]\.\d+\.\d+|127\.\d+\.\d+\.\d+"
    public = frozenset(("0.0.0.0", "255.255.255.255"))  # noqa: S104  nothing is bound to it
    return Dummies(lambda n: f"198.{18 + (n >> 16 & 1)}.{n >> 8 & 255}.{n & 255}", known, public)


def ipv6() -> Dummies:
    """IPv6 addresses (RFC 3849 keeps 2001:db8::/32 for documents)."""
    known = r"2001:db8::[0-9a-f:]*"
    return Dummies(lambda n: f"2001:db8::{n & 0xFFFF:x}", known, frozenset(("::", "::1")))


def serials() -> Dummies:
    """Serial numbers, and other words by which one device is known."""
    public = frozenset(
        ("0", "none", "n/a", "[n/a]", "unknown", "default string", "not specified", "to be filled by o.e.m.")
    )
    return Dummies(lambda n: f"SERIAL-{n}", r"SERIAL-\d+", public)


def numbers() -> Dummies:
    """64-bit ids as 16 hexadecimal digits, e.g. unique_id of a GPU; zero means that there is none."""
    return Dummies(lambda n: f"d00000000000{n & 0xFFFF:04x}", r"d00000000000[0-9a-f]{4}", frozenset(("0" * 16,)))


def partitions() -> Dummies:
    """Disk signatures of MBR partition tables, as in `root=PARTUUID=...-02`."""
    return Dummies(lambda n: f"d0{n & 0xFFFFFF:06x}", r"d0[0-9a-f]{6}")


def users() -> Dummies:
    """Names of people's accounts."""
    return Dummies(lambda n: f"user{n}", r"user\d*", GENERIC)


def hosts() -> Dummies:
    """Names of machines."""
    return Dummies(lambda n: f"host{n}", r"host\d*", GENERIC)


GENERIC = frozenset(
    (
        "admin", "alma", "almalinux", "amd", "amdgpu", "ami", "arch", "archlinux", "build", "builder", "centos",
        "container", "cuda", "data", "debian", "default", "dev", "docker", "dri", "fedora", "gpu", "halo", "home",
        "instinct", "kali", "kfd", "kvm", "lib", "linux", "live", "localhost", "localhost.localdomain", "lost+found",
        "machine", "manjaro", "mint", "nobody", "nvidia", "opensuse", "pi", "podman", "public", "radeon", "raspberrypi",
        "render", "rhel", "rocky", "rocm", "root", "runner", "server", "shared", "spark", "suse", "test", "torch",
        "ubuntu", "usr", "var", "video", "vagrant", "vm", "wsl", "workspace",
    )
)  # fmt: skip
"""Names of hosts and accounts that tell nothing of anybody, and that mean something else where they stand in a text."""
