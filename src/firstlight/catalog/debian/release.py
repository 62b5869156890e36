"""The body of a Release or InRelease file."""

from __future__ import annotations

from .control import stanzas
from .model import ReleaseInfo

LARGEST = 32 << 20
"""Bytes; Debian's have 200 KiB."""
BEGIN, SIGNATURE = b"-----BEGIN PGP SIGNED MESSAGE-----", b"-----BEGIN PGP SIGNATURE-----"
_FIELDS = frozenset({
    "origin", "label", "suite", "codename", "version", "components", "architectures", "date", "valid-until",
    "notautomatic", "butautomaticupgrades", "acquire-by-hash", "sha256",
    "no-support-for-architecture-all",
})  # fmt: skip


def body(data: bytes) -> bytes:
    """The signed text of an InRelease, dash-escapes undone (RFC 9580, 7); of a Release all of it. That it is signed,
    and by whom, is judged elsewhere."""
    text = data.replace(b"\r\n", b"\n")
    if not text.startswith(BEGIN):
        return text
    start = text.find(b"\n\n")
    end = text.find(b"\n" + SIGNATURE)
    signed = text[start + 2 : end if end >= 0 else len(text)] if start >= 0 else b""
    return b"\n".join(line[2:] if line.startswith(b"- ") else line for line in signed.split(b"\n"))


def read_release(data: bytes) -> ReleaseInfo:
    """Its fields; what is not there is empty. Raises DamagedError."""
    fields = next(stanzas(body(data), _FIELDS), {})
    return ReleaseInfo(
        origin=fields.get("origin", ""),
        label=fields.get("label", ""),
        suite=fields.get("suite", ""),
        codename=fields.get("codename", ""),
        version=fields.get("version", ""),
        components=tuple(fields.get("components", "").split()),
        architectures=tuple(fields.get("architectures", "").split()),
        date=fields.get("date", ""),
        valid_until=fields.get("valid-until", ""),
        not_automatic=_yes(fields.get("notautomatic", "")),
        but_automatic_upgrades=_yes(fields.get("butautomaticupgrades", "")),
        all_apart="all" in fields.get("architectures", "").split()
        and "Packages" not in fields.get("no-support-for-architecture-all", "").split(),
        by_hash=_yes(fields.get("acquire-by-hash", "")),
        hashes=_hashes(fields.get("sha256", "")),
    )


def _yes(value: str) -> bool:
    return value.lower() in ("yes", "true", "1", "with", "on", "enable")


def _hashes(value: str) -> dict[str, tuple[str, int]]:
    """`HASH SIZE PATH` line by line, which `stanzas` has joined by blanks."""
    words = value.split()
    rows = zip(words[0::3], words[1::3], words[2::3], strict=False)
    return {path: (digest.lower(), int(size)) for digest, size, path in rows if _sound(digest, size)}


def _sound(digest: str, size: str) -> bool:
    return len(digest) == 64 and size.isascii() and size.isdigit() and len(size) < 16
