"""Versions of a few installed system packages, without reading a whole package database."""

from __future__ import annotations

from ..host.model import Host, Missing, Unread
from .value import Fact, Unknown, unknown

DPKG = "/var/lib/dpkg/status"
PACMAN = "/var/lib/pacman/local"
RPM = ("/usr/lib/sysimage/rpm", "/var/lib/rpm")
"""Where RPM keeps its database (Fedora 36 and later, SUSE; before). It is in SQLite, NDB or BDB, and not read here."""
DATABASE_AT_MOST = 64 << 20
STANZAS_AT_MOST = 8
STANZA_AT_MOST = 100_000
HOLD = b"\nStatus: hold "
HELD_AT_MOST = 1000


class Packages:
    """Answers for single packages, from dpkg's status file (deb-status is deb822) or pacman's folder. A search for one
    name costs one scan of the bytes; nothing else of the file is parsed."""

    def __init__(
        self, status: bytes | Unread, folders: tuple[str, ...] | Unread, unreadable: Unknown | None = None
    ) -> None:
        self._status = status
        self._folders = folders
        self._unreadable = unreadable

    def version(self, *names: str) -> Fact[str]:
        """Version of the first of `names` that is installed; Unknown(absent) if none is, Unknown(unreadable) where the
        packages are RPM's."""
        for name in names:
            found = self._dpkg(name) or self._pacman(name)
            if found:
                return found
        if self._unreadable:
            return self._unreadable
        unread = self._status if isinstance(self._status, Unread) else None
        if isinstance(unread, Unread) and unread.reason is Missing.ABSENT and isinstance(self._folders, Unread):
            unread = self._folders if self._folders.reason is not Missing.ABSENT else unread
        return unknown(unread) if unread else Unknown("absent", DPKG, names[0])

    def stanzas(self, beginning: str) -> list[dict[str, str]]:
        """Fields, by lower-case name, of at most eight packages whose names begin so and that dpkg has unpacked. Lines
        that continue a field are left out."""
        found: list[dict[str, str]] = []
        if isinstance(self._status, Unread):
            return found
        at = self._status.find(b"\nPackage: " + beginning.encode()) + 1
        while at and len(found) < STANZAS_AT_MOST:
            stanza = self._status[at : at + STANZA_AT_MOST].partition(b"\n\n")[0]
            lines = (one.partition(":") for one in stanza.decode("utf-8", "replace").split("\n") if one[:1] != " ")
            fields = {name.lower(): value.strip() for name, colon, value in lines if colon}
            state = fields.get("status", "").split()[-1:]
            if state and state[0] not in ("not-installed", "config-files"):
                found.append(fields)
            at = self._status.find(b"\nPackage: " + beginning.encode(), at) + 1
        return found

    def held(self) -> Fact[list[str]]:
        """Names on hold, from dpkg alone; each once."""
        if isinstance(self._status, Unread):
            return unknown(self._status)
        found: list[str] = []
        at = self._status.find(HOLD)
        while at >= 0 and len(found) < HELD_AT_MOST:
            start = self._status.rfind(b"\nPackage: ", max(0, at - STANZA_AT_MOST), at)
            stanza = self._status[start + 1 : at] if start >= 0 else b"\n\n"
            if b"\n\n" not in stanza:
                found.append(stanza.split(b"\n")[0][9:].decode("utf-8", "replace").strip()[:200])
            at = self._status.find(HOLD, at + 1)
        return list(dict.fromkeys(found))

    def _dpkg(self, name: str) -> str | None:
        if isinstance(self._status, Unread):
            return None
        at = 0
        for _ in range(STANZAS_AT_MOST):  # one for each architecture
            at = self._status.find(b"\nPackage: " + name.encode() + b"\n", at) + 1
            if not at:
                return None
            stanza = self._status[at : at + STANZA_AT_MOST].partition(b"\n\n")[0]
            if version := _installed_version(stanza):
                return version
        return None

    def _pacman(self, name: str) -> str | None:
        """Folders are NAME-VERSION-RELEASE; the version holds no hyphen."""
        if isinstance(self._folders, Unread):
            return None
        for folder in self._folders:
            parts = folder.rsplit("-", 2)
            if len(parts) == 3 and parts[0] == name:
                return f"{parts[1]}-{parts[2]}"
        return None


def packages(host: Host) -> Packages:
    """Reads the status file once; pacman's folder only where there is no dpkg, RPM's only where there is neither."""
    status = host.read(DPKG, DATABASE_AT_MOST)
    if isinstance(status, Unread):
        folders = host.names(PACMAN)
        return Packages(status, folders, _rpm(host) if isinstance(folders, Unread) else None)
    return Packages(b"\n" + status, Unread(Missing.ABSENT, PACMAN))


def _rpm(host: Host) -> Unknown | None:
    """That there is a database of RPM's, which this program cannot tell versions from."""
    found = next((folder for folder in RPM if not isinstance(host.info(folder), Unread)), None)
    return Unknown("unreadable", found, "the database of rpm is not read") if found else None


def _installed_version(stanza: bytes) -> str | None:
    lines = stanza.split(b"\n")
    status = next((line for line in lines if line.startswith(b"Status: ")), b"")
    version = next((line[9:] for line in lines if line.startswith(b"Version: ")), b"")
    if not status.split() or status.split()[-1] != b"installed":
        return None
    return version.decode("utf-8", "replace").strip()[:200] or None
