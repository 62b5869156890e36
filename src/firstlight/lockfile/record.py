"""RECORD: which files a distribution installed, with their hashes (PyPA: recording installed projects)."""

from __future__ import annotations

import csv
import io
import posixpath
from collections.abc import Iterator
from typing import NamedTuple

LIMIT = 64 << 20
"""Bytes. torch's has 1.3 MB for 12,000 files."""
ROWS_AT_MOST = 500_000
DIGESTS = {"sha256": 43, "sha384": 64, "sha512": 86}
"""Signs of each digest in URL-safe base64 without padding. Weaker ones the standard forbids."""


class Claim(NamedTuple):
    """One row."""

    path: str
    """Relative to the environment."""
    hash: str
    """`sha256=<URL-safe base64>`; empty: none is told, as of RECORD itself."""
    size: int | None


class Record(NamedTuple):
    """The file, as far as it could be read."""

    claims: tuple[Claim, ...]
    outside: tuple[str, ...]
    """Paths that lead out of the environment, as written."""
    malformed: str | None
    """What could not be read."""


def parse(data: bytes, root: str, site: str) -> Record:
    """`root`: the environment, `site`: its folder of packages relative to it. Linear; never raises."""
    claims: list[Claim] = []
    outside: list[str] = []
    try:
        for row in _rows(data):
            path = _inside(row[0], root, site)
            if path is None:
                outside.append(row[0][:500])
            else:
                claims.append(Claim(path, _hash(row[1]), _size(row[2])))
    except (ValueError, csv.Error) as error:
        return Record(tuple(claims), tuple(outside), str(error)[:200])
    return Record(tuple(claims), tuple(outside), None)


def _rows(data: bytes) -> Iterator[list[str]]:
    if len(data) > LIMIT:
        raise ValueError(f"larger than {LIMIT} bytes")
    reader = csv.reader(io.StringIO(data.decode("utf-8"), newline=""), strict=True)
    for number, row in enumerate(reader):
        if not row:
            continue
        if number >= ROWS_AT_MOST:
            raise ValueError(f"more than {ROWS_AT_MOST} rows")
        if len(row) != 3 or not row[0] or "\0" in row[0]:
            raise ValueError(f"row {number + 1} is not `path,hash,size`")
        yield row


def _inside(path: str, root: str, site: str) -> str | None:
    """The path relative to the environment, by its letters alone; None if it leads out."""
    if path[0] not in "./" and "/." not in path and "//" not in path:
        return f"{site}/{path}"
    whole = posixpath.normpath(posixpath.join(root, site, path))
    inner = posixpath.relpath(whole, root) if whole.startswith("/") else ".."
    return None if inner in {".", ".."} or inner.startswith("../") else inner


def _hash(text: str) -> str:
    name, _, digest = text.partition("=")
    if text and DIGESTS.get(name) != len(digest.rstrip("=")):
        raise ValueError(f"hash `{text[:40]}`")
    return text.rstrip("=")


def _size(text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise ValueError(f"size `{text[:40]}`")
    return int(text)
