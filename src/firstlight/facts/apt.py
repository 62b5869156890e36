"""What apt and dpkg are told on this machine that is no source: pins (apt_preferences(5)), holds; and the versions of
the packages that a distribution and a vendor both offer."""

from __future__ import annotations

from collections.abc import Iterator

from ..host.model import Host, Missing, Unread
from .model import Apt, Pin, Unmet
from .packages import Packages
from .reading import string
from .value import Fact, Unknown, unknown

MAIN = "/etc/apt/preferences"
PARTS = "/etc/apt/preferences.d"
FILES_AT_MOST = 200
PINS_AT_MOST = 2000
SHARED = ("rocminfo", "hipcc", "rocm-cmake", "rocm-device-libs", "rocm-core", "rocm-llvm", "rocm-smi-lib", "libc++-dev",
          "clang")  # fmt: skip
"""Packages of which a distribution and AMD have different ones under one name, and the tool chain's own."""
COMPILERS = ("rocm-llvm", "amdrocm-llvm", "openmp-extras", "hipcc")
"""Beginnings of the names of the packages that stand on a tool chain of the distribution."""
TOOL_CHAIN = ("libc++", "libstdc++-", "libgcc-", "clang", "llvm", "gcc-", "g++-", "lld")
"""Beginnings of the names of its packages."""


def apt(host: Host, packages: Packages) -> Apt:
    """Reads preferences; of dpkg's status what `packages` holds already."""
    return Apt(
        pins=pins(host), held=packages.held(), installed=_installed(packages), unmet=unmet(packages),
        libc=packages.version("libc6", "libc6.1"),
    )  # fmt: skip


def _installed(packages: Packages) -> dict[str, str]:
    versions = ((name, packages.version(name)) for name in SHARED)
    return {name: version for name, version in versions if isinstance(version, str)}


def unmet(packages: Packages) -> list[Unmet]:
    """What the vendors' compilers want of the tool chain (C++ libraries, LLVM, GCC) and dpkg does not have: no
    alternative is installed, or none in the one version that is named."""
    found = []
    for stanza in (one for beginning in COMPILERS for one in packages.stanzas(beginning)):
        for relation in stanza.get("depends", "").split(",")[:100]:
            names = [_named(part) for part in relation.split("|")]
            if not all(name.startswith(TOOL_CHAIN) and (exact or _numbered(name)) for name, exact in names):
                continue
            there = {name: version for name, _ in names if isinstance(version := packages.version(name), str)}
            if not any(name in there and exact in ("", there[name]) for name, exact in names):
                found.append(
                    Unmet(package=stanza["package"], version=stanza.get("version", ""), relation=relation.strip(),
                          there=there)
                )  # fmt: skip
    return found


def _numbered(name: str) -> bool:
    """A name that stands for one version is a package of its own; others may be provided by any."""
    return any(sign.isdigit() for sign in name)


def _named(text: str) -> tuple[str, str]:
    """A name, and the version if just that one will do."""
    name, _, rest = text.strip().partition("(")
    version = rest.strip(" )").removeprefix("=").strip() if rest.strip().startswith("=") else ""
    return name.strip().partition(":")[0], version


def pins(host: Host) -> Fact[list[Pin]]:
    """Of every file that apt would read, in its order. Unknown only if none was found and a file could not be read."""
    found: list[Pin] = []
    failed: Unknown | None = None
    files, parts_failed = _files(host)
    for path in files:
        content = string(host, path)
        if isinstance(content, str):
            found += preferences(content, path)
        elif content.unknown != "absent":
            failed = failed or content
    folder = host.info("/etc/apt")
    return found[:PINS_AT_MOST] or failed or parts_failed or (unknown(folder) if isinstance(folder, Unread) else [])


def _files(host: Host) -> tuple[list[str], Unknown | None]:
    names = host.names(PARTS)
    if isinstance(names, Unread):
        return [MAIN], None if names.reason is Missing.ABSENT else unknown(names)
    return [MAIN, *(f"{PARTS}/{name}" for name in names[:FILES_AT_MOST] if _is_read_by_apt(name))], None


def _is_read_by_apt(name: str) -> bool:
    """apt passes over other endings than none or `.pref`, and names with other signs than letters, digits, `_-.`."""
    plain = name.replace("_", "").replace("-", "").replace(".", "")
    return plain.isalnum() and plain.isascii() and ("." not in name or name.endswith(".pref"))


def preferences(content: str, path: str) -> Iterator[Pin]:
    """The stanzas that pin something. One without a number as priority is passed over, as by apt."""
    for stanza in content.replace("\r\n", "\n").split("\n\n"):
        fields = dict(_fields(stanza))
        names, pin, priority = (fields.get(one, "") for one in ("package", "pin", "pin-priority"))
        number = priority.split()[0] if priority.split() else ""
        if names and pin and number.lstrip("+-").isdigit() and len(number) < 12:
            yield Pin(packages=names.split(), pin=" ".join(pin.split()), priority=int(number), file=path)


def _fields(stanza: str) -> Iterator[tuple[str, str]]:
    name, value = "", ""
    for line in (*stanza.splitlines(), ""):
        if line[:1] in (" ", "\t") and name:
            value += f" {line.strip()}"
            continue
        if name:
            yield name, value.strip()
        name, _, value = ("", "", "") if line.startswith("#") else line.partition(":")
        name = name.strip().lower()
