"""Versions of a few installed system packages, without reading a whole package database."""

from __future__ import annotations

from ..host.model import Host, Missing, Unread
from .value import Fact, Unknown, unknown

DPKG = "/var/lib/dpkg/status"
PACMAN = "/var/lib/pacman/local"
DATABASE_AT_MOST = 64 << 20
STANZAS_AT_MOST = 8
STANZA_AT_MOST = 100_000


class Packages:
    """Answers for single packages, from dpkg's status file (deb-status is deb822) or pacman's folder. A search for one
    name costs one scan of the bytes; nothing else of the file is parsed."""

    def __init__(self, status: bytes | Unread, folders: tuple[str, ...] | Unread) -> None:
        self._status = status
        self._folders = folders

    def version(self, *names: str) -> Fact[str]:
        """Version of the first of `names` that is installed; Unknown(absent) if none is."""
        for name in names:
            found = self._dpkg(name) or self._pacman(name)
            if found:
                return found
        unread = self._status if isinstance(self._status, Unread) else None
        if isinstance(unread, Unread) and unread.reason is Missing.ABSENT and isinstance(self._folders, Unread):
            unread = self._folders if self._folders.reason is not Missing.ABSENT else unread
        return unknown(unread) if unread else Unknown("absent", DPKG, names[0])

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
    """Reads the status file once; pacman's folder only where there is no dpkg."""
    status = host.read(DPKG, DATABASE_AT_MOST)
    if isinstance(status, Unread):
        return Packages(status, host.names(PACMAN))
    return Packages(b"\n" + status, Unread(Missing.ABSENT, PACMAN))


def _installed_version(stanza: bytes) -> str | None:
    lines = stanza.split(b"\n")
    status = next((line for line in lines if line.startswith(b"Status: ")), b"")
    version = next((line[9:] for line in lines if line.startswith(b"Version: ")), b"")
    if not status.split() or status.split()[-1] != b"installed":
        return None
    return version.decode("utf-8", "replace").strip()[:200] or None
