"""The keyrings that apt takes keys for a source from (apt-secure(8), sources.list(5) Signed-By)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from ...facts.model import Repository
from ...facts.repositories import stanza_at
from ...host.model import Host, HostKind, Kind, Missing, Unread
from ...words import Words
from .openpgp import Certificates, certificates
from .packets import BINARY_KEY, PACKETS_AT_MOST, MalformedError, dearmored

PARTS, LEGACY = "/etc/apt/trusted.gpg.d", "/etc/apt/trusted.gpg"
LARGEST = 4 << 20
"""Bytes of one keyring. The one of all keys that Debian ever retired has 72 KiB."""
FILES_AT_MOST = 200
ALL_PACKETS = 2 * PACKETS_AT_MOST
"""Of all keyrings of a machine."""
_OTHERS_READ = 0o004


class Ring(msgspec.Struct, frozen=True, kw_only=True):
    """What one file gave."""

    path: str
    certificates: Certificates
    unread: str = ""
    """Why it could not be read (`absent`, `denied`, `not-captured` ...); empty: it was read."""
    unusable: str = ""
    """Why apt passes over it although it is there; empty: it does not. In English, short."""
    unusable_zh: str = ""


class Keyrings(msgspec.Struct, frozen=True, kw_only=True):
    """All that counts for one source."""

    rings: tuple[Ring, ...]
    fingerprints: tuple[str, ...] = ()
    """Only these keys count; empty: all do."""
    pinned: bool
    """Signed-By names files, or holds the key itself."""

    @property
    def certificates(self) -> Certificates:
        """Of all files."""
        found = Certificates()
        for ring in self.rings:
            found += ring.certificates
        return found

    @property
    def lacks(self) -> tuple[tuple[str, str], ...]:
        """(path, why) of files whose content is not known. A file that is known not to be there is none of them."""
        return tuple((ring.path, ring.unread) for ring in self.rings if ring.unread not in ("", "absent"))


class KeyringReader:
    """Reads each file once, as one verifier takes it. What is said of it here was tried with apt 2.6 and 3.0."""

    def __init__(self, host: Host, verifier: Literal["gpgv", "sqv"] = "gpgv", *, strict: bool = False) -> None:
        """`strict`: apt before 2.9, which reads armor with a script: it knows no line ends of Windows."""
        self._host = host
        self._sqv = verifier == "sqv"
        self._strict = strict
        self._read: dict[str, Ring] = {}
        self._left = ALL_PACKETS

    def of(self, repository: Repository) -> Keyrings:
        """For a source. sqv falls back on trusted.gpg also where Signed-By names files."""
        if repository.signed_by == "inline":
            return Keyrings(rings=(self._inline(repository),), pinned=True)
        words = (repository.signed_by or "").replace(",", " ").split()
        paths = [word for word in words if word.startswith("/")]
        prints = tuple(word.rstrip("!").upper() for word in words if not word.startswith("/"))
        pinned = bool(paths)
        rings = _together(self.each(paths) if pinned else self._trusted(), pinned=pinned, sqv=self._sqv)
        if not pinned or self._sqv:
            rings.append(self._legacy())
        return Keyrings(rings=tuple(rings), fingerprints=prints, pinned=pinned)

    def each(self, paths: Sequence[str]) -> list[Ring]:
        """Every file by itself."""
        return [self._ring(path) for path in paths]

    def _trusted(self) -> list[Ring]:
        names = self._host.names(PARTS)
        if isinstance(names, Unread):
            return [Ring(path=PARTS, certificates=Certificates(), unread=names.reason.value)]
        good = [name for name in names if name.endswith((".gpg", ".asc"))]
        return [self._ring(f"{PARTS}/{name}") for name in good[:FILES_AT_MOST]]

    def _legacy(self) -> Ring:
        """A tree that has the folder has the file as well, if there is one."""
        ring = self._ring(LEGACY)
        known = not isinstance(self._host.names(PARTS), Unread)
        return msgspec.structs.replace(ring, unread="absent") if ring.unread == "not-captured" and known else ring

    def _inline(self, repository: Repository) -> Ring:
        text = stanza_at(self._host, repository.file, repository.line).get("signed-by", "")
        lines = ("" if line.strip() == "." else line for line in text.split("\n"))
        return self._parsed(repository.file, "\n".join(lines).encode(), armored=True)

    def _ring(self, path: str) -> Ring:
        if path not in self._read:
            self._read[path] = self._ring_of(path)
        return self._read[path]

    def _ring_of(self, path: str) -> Ring:
        data = self._host.read(path, LARGEST)
        if isinstance(data, Unread):
            return Ring(path=path, certificates=Certificates(), unread=self._why_unread(path, data))
        if not data:
            return Ring(path=path, certificates=Certificates())
        if self._is_hidden(path):
            return _unusable(path, _HIDDEN)
        return self._parsed(path, data, armored=self._is_armored(path, data))

    def _is_armored(self, path: str, data: bytes) -> bool:
        """sqv looks into it; apt before goes by the name, and into it only where the name says neither."""
        if self._sqv and path.rpartition("/")[0] != PARTS:
            return data[0] not in BINARY_KEY
        first = data.partition(b"\n")[0].rstrip()
        return path.endswith(".asc") or (not path.endswith(".gpg") and first == b"-----BEGIN PGP PUBLIC KEY BLOCK-----")

    def _parsed(self, path: str, data: bytes, *, armored: bool) -> Ring:
        if not armored and data[0] not in BINARY_KEY:
            return _unusable(path, _ARMORED if data.lstrip().startswith(b"-----BEGIN PGP") else _NO_KEYRING)
        if armored and self._strict and b"\r\n" in data:
            return _unusable(path, _WINDOWS)
        try:
            binary = dearmored(data, "PUBLIC KEY BLOCK") if armored else data
            found = certificates(binary, min(PACKETS_AT_MOST, self._left))
            self._left -= found.packets
        except MalformedError as error:
            return _unusable(path, Words(f"it is damaged: {error}", f"已损坏：{error}"))
        if found.damage and self._sqv:
            return _unusable(path, Words(f"it is damaged: {found.damage}", f"已损坏：{found.damage}"))
        return Ring(path=path, certificates=found)

    def _why_unread(self, path: str, unread: Unread) -> str:
        """In a bare tree a file that its folder does not list is not there."""
        names = self._host.names(path.rpartition("/")[0] or "/")
        listed = isinstance(names, Unread) or path.rpartition("/")[2] in names
        return unread.reason.value if listed or unread.reason is not Missing.NOT_CAPTURED else "absent"

    def _is_hidden(self, path: str) -> bool:
        """Whether only root may read it: apt verifies as the user _apt. Owners in a bare tree are those of its copy."""
        if self._host.kind is HostKind.TREE:
            return False
        real = self._host.resolve(path)
        found = self._host.info(real if isinstance(real, str) else path)
        if isinstance(found, Unread) or found.kind is not Kind.FILE:
            return False
        return not found.mode & _OTHERS_READ and found.uid == 0 and found.gid == 0


def _unusable(path: str, why: Words) -> Ring:
    return Ring(path=path, certificates=Certificates(), unusable=why.en, unusable_zh=why.zh)


def _together(rings: list[Ring], *, pinned: bool, sqv: bool) -> list[Ring]:
    """sqv gives up if one of the files that it was given is not there or damaged. apt before joins them to one keyring:
    what follows a damaged one is lost, and all if one that Signed-By names is not there. Of trusted.gpg.d it leaves out
    what does not even begin as a keyring."""
    bad = [_spoils(ring, pinned=pinned) for ring in rings]
    absent = pinned and any(ring.unread == "absent" for ring in rings)
    first = 0 if absent or (sqv and any(bad)) else bad.index(True) + 1 if any(bad) else len(rings)
    return [*rings[:first], *(msgspec.structs.replace(ring, certificates=Certificates()) for ring in rings[first:])]


def _spoils(ring: Ring, *, pinned: bool) -> bool:
    left_out = not pinned and ring.unusable in (_ARMORED.en, _NO_KEYRING.en)
    return bool(ring.certificates.damage) or (bool(ring.unusable) and not left_out)


_ARMORED = Words(
    "it is armored text, which apt reads only from a name that ends in .asc",
    "内容是文本格式（armor），apt 只从以 .asc 结尾的文件读取这种格式",
)
_HIDDEN = Words("apt's own user (_apt) may not read it", "apt 自己的用户（_apt）无权读取")
_NO_KEYRING = Words("it is no binary OpenPGP keyring", "不是二进制 OpenPGP 密钥环")
_WINDOWS = Words("its lines end as on Windows (CRLF)", "其行尾为 Windows 格式（CRLF）")
