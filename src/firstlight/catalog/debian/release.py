"""The body of a Release or InRelease file."""

from __future__ import annotations

from .clearsigned import is_clearsigned, split
from .control import DamagedError, stanzas
from .model import ReleaseInfo
from .packets import MalformedError

LARGEST = 32 << 20
"""Bytes; Debian's have 200 KiB."""
_FIELDS = frozenset({
    "origin", "label", "suite", "codename", "version", "components", "architectures", "date", "valid-until",
    "notautomatic", "butautomaticupgrades", "acquire-by-hash", "sha256",
    "no-support-for-architecture-all",
})  # fmt: skip


def body(data: bytes) -> bytes:
    """The signed text of an InRelease, as apt splits it; of a Release all of it. That it is signed, and by whom, is
    judged elsewhere. Raises DamagedError."""
    if not is_clearsigned(data):
        return data
    try:
        return split(data)[0]
    except MalformedError as error:
        raise DamagedError(str(error)) from error


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
