"""Platform tags of a machine that need not be this one."""

from __future__ import annotations

MANYLINUX_LEGACY = {(2, 17): "manylinux2014", (2, 12): "manylinux2010", (2, 5): "manylinux1"}
"""PEP 600's names for the older profiles."""

UV_NEWEST_GLIBC = 40
UV_GLIBC = (40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 28, 17)
"""Minor glibc versions that `uv --python-platform ARCH-manylinux_2_N` knows."""


def libc_version(libc: str) -> tuple[str, int, int] | None:
    """`glibc 2.36` -> ("glibc", 2, 36); None if it is not of that form."""
    name, _, version = libc.partition(" ")
    major, _, minor = version.partition(".")
    minor = minor.split(".")[0]
    if name not in ("glibc", "musl") or not (major.isdecimal() and minor.isdecimal() and len(major + minor) < 8):
        return None
    return name, int(major), int(minor)


def platforms(arch: str, libc: str) -> list[str]:
    """PEP 600 and PEP 656 platform tags, best first. A machine with an unknown C library gets the plain tag only. One
    with musl does not get it, though an installer would take it: what is published so was built for glibc."""
    known = libc_version(libc)
    plain = [f"linux_{arch}"]
    if known is None:
        return [] if libc == "musl" else plain
    name, major, minor = known
    if name == "musl":
        return [f"musllinux_{major}_{n}_{arch}" for n in range(min(minor, 99), -1, -1)]
    found = []
    oldest = 5 if arch in ("x86_64", "i686") else 17
    for n in range(min(minor, 99), oldest - 1, -1):
        found.append(f"manylinux_{major}_{n}_{arch}")
        if (major, n) in MANYLINUX_LEGACY:
            found.append(f"{MANYLINUX_LEGACY[(major, n)]}_{arch}")
    return found + plain


def uv_platform(arch: str, libc: str) -> str | None:
    """What to tell uv's `--python-platform` about a machine that is not this one; None if uv has no word for it."""
    known = libc_version(libc)
    if known is None or arch not in ("x86_64", "aarch64"):
        return None
    name, _, minor = known
    if name == "musl":
        return f"{arch}-unknown-linux-musl"
    fits = next((n for n in UV_GLIBC if n <= minor), None)
    return None if fits is None else f"{arch}-manylinux_2_{fits}"
