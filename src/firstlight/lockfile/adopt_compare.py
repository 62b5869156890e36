"""Whether an installed distribution is a given wheel's content, told by hashes that were recorded when it was
installed."""

from __future__ import annotations

import base64
import hashlib
import os
import zlib
from collections.abc import Callable, Mapping
from typing import IO

from .adopt_reading import Installed
from .env_tree import head, opened
from .record import LIMIT, Claim, parse

LATER_SECONDS = 2.0
"""Some file systems keep no finer time than this (FAT: 2 s)."""
_OF_THE_INSTALLER = ("INSTALLER", "REQUESTED", "RECORD", "RECORD.jws", "RECORD.p7s", "direct_url.json", "uv_cache.json",
                     "uv_build.json")  # fmt: skip
"""Files of a metadata folder that whoever installs writes himself."""

Claims = Mapping[str, Claim]


def recorded(one: Installed) -> Claims | None:
    """Its RECORD by absolute path; None if there is none that can be read whole."""
    try:
        data = head(os.path.join(one.site, one.folder, "RECORD"), LIMIT + 1)
    except OSError:
        return None
    return _claims(data, one)


def _claims(data: bytes, one: Installed) -> Claims | None:
    found = parse(data, "/", one.site.strip("/"))
    return None if found.malformed else {f"/{claim.path}": claim for claim in found.claims}


def is_changed(one: Installed, claims: Claims) -> bool:
    """Whether a file in the folder of packages is gone or is not what was installed. Its size is compared; what was
    written after RECORD is hashed too. An installer writes RECORD last."""
    try:
        until = os.stat(os.path.join(one.site, one.folder, "RECORD")).st_mtime + LATER_SECONDS
        here = (path for path in claims if path.startswith(f"{one.site}/") and not _is_note(path, one))
        return any(_differs(path, claims[path], until) for path in here)
    except OSError:
        return True


def _differs(path: str, claim: Claim, until: float) -> bool:
    if not claim.hash or path.endswith(".pyc"):
        return False
    seen = os.stat(path)
    if claim.size is not None and seen.st_size != claim.size:
        return True
    return seen.st_mtime > until and _digest(path, claim.hash) != claim.hash


def _digest(path: str, like: str) -> str:
    """Of the file, with the algorithm that `like` was made with. Raises OSError."""
    algorithm = like.partition("=")[0]
    total = hashlib.new(algorithm)
    with open(opened(path), "rb") as file:
        _feed(file, total.update)
    return f"{algorithm}={base64.urlsafe_b64encode(total.digest()).rstrip(b'=').decode()}"


def _feed(file: IO[bytes], take: Callable[[bytes], object]) -> None:
    while block := file.read(1 << 20):
        take(block)


def is_this(wheel: str, one: Installed, claims: Claims | None) -> bool | None:
    """Whether `one` was installed from the wheel at this path: each file of the wheel is recorded with the same hash.
    None: that cannot be told."""
    theirs = _of_wheel(wheel, one)
    if claims is None or theirs is None:
        return None
    compared = {
        path: claim.hash for path, claim in theirs.items()
        if claim.hash and ".data/" not in path and not _is_note(path, one)
    }  # fmt: skip
    if not compared:
        return None
    return all(path in claims and _agree(claims[path].hash, digest) for path, digest in compared.items())


def _is_note(path: str, one: Installed) -> bool:
    """Whether an installer wrote it for itself."""
    folder, _, name = path.rpartition("/")
    return name in _OF_THE_INSTALLER and folder == f"{one.site}/{one.folder}"


def _agree(one: str, other: str) -> bool:
    """Digests of different algorithms say nothing of each other."""
    return one == other or one.partition("=")[0] != other.partition("=")[0]


def _of_wheel(path: str, one: Installed) -> Claims | None:
    """The wheel's own RECORD. A wheel's metadata folder may be spelt otherwise than the installed one, never is in
    practice; then nothing can be told."""
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(path) as archive, archive.open(f"{one.folder}/RECORD") as file:
            return _claims(file.read(LIMIT + 1), one)
    except (OSError, BadZipFile, KeyError, ValueError, NotImplementedError, RuntimeError, EOFError, zlib.error):
        return None


def metadata_sha256(one: Installed) -> str | None:
    """Of its METADATA, hexadecimal: what an index that serves it apart says of it (PEP 658)."""
    try:
        with open(opened(os.path.join(one.site, one.folder, "METADATA")), "rb") as file:
            return hashlib.sha256(file.read(LIMIT)).hexdigest()
    except OSError:
        return None
