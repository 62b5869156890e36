"""Which C library the system has, by its package or its files; nothing is run."""

from __future__ import annotations

from ..host.model import Host, Missing, Unread
from .packages import Packages
from .value import Fact, Unknown, unknown

FOLDERS = ("/lib/{arch}-linux-gnu", "/lib64", "/usr/lib64", "/usr/lib", "/lib")
BANNER = b"GNU C Library "
LIBRARY_AT_MOST = 8 << 20


def libc(host: Host, packages: Packages, arch: Fact[str]) -> Fact[str]:
    """`glibc 2.36` or `musl`. The package's version is asked first since the library itself is 2 MB to read."""
    packaged = packages.version("libc6", "glibc")
    if not isinstance(packaged, Unknown):
        version = _upstream(packaged)
        if version:
            return f"glibc {version}"
    return _by_files(host, arch)


def _upstream(packaged: str) -> str | None:
    """`2.36-9+deb12u14` -> `2.36`."""
    return _number(packaged.rpartition(":")[2])


def _number(word: str) -> str | None:
    major, _, rest = word.partition(".")
    digits = next((index for index, sign in enumerate(rest) if not sign.isdecimal()), len(rest))
    return f"{major}.{rest[:digits]}" if major.isdecimal() and 0 < digits <= 3 else None


def _by_files(host: Host, arch: Fact[str]) -> Fact[str]:
    failed: Unknown | None = None
    for folder in FOLDERS if isinstance(arch, str) else FOLDERS[1:]:
        path = folder.format(arch=arch) + "/libc.so.6"
        end = host.resolve(path)
        version = _of_name(end) if isinstance(end, str) else None
        if version:
            return f"glibc {version}"
        found = _of_banner(host, path)
        if not isinstance(found, Unknown):
            return found
        failed = failed or (found if found.unknown != "absent" else None)
    return _musl(host, arch) or failed or Unknown("absent", "libc.so.6")


def _of_name(path: str) -> str | None:
    """Before glibc 2.34 the soname was a link to `libc-2.31.so`."""
    name = path.rpartition("/")[2]
    return _number(name[5:]) if name.startswith("libc-") and name.endswith(".so") else None


def _of_banner(host: Host, path: str) -> Fact[str]:
    """The library carries its own banner: `GNU C Library (...) stable release version 2.36.`"""
    data = host.read(path, LIBRARY_AT_MOST)
    if isinstance(data, Unread):
        return unknown(data)
    at = data.find(BANNER)
    _, mark, rest = data[at : at + 200].partition(b"release version ")
    version = _number(rest[:12].decode("ascii", "replace")) if at >= 0 and mark else None
    return f"glibc {version}" if version else Unknown("malformed", path, "no banner")


def _musl(host: Host, arch: Fact[str]) -> str | None:
    names = host.names("/lib") if isinstance(arch, str) else Unread(Missing.NOT_CAPTURED, "/lib")
    return "musl" if not isinstance(names, Unread) and f"ld-musl-{arch}.so.1" in names else None
