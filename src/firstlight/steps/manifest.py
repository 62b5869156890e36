"""MANIFEST of an exported folder, as `sha256sum -c` reads it."""

from __future__ import annotations

from collections.abc import Mapping

NAME = "MANIFEST"
LIMIT = 1 << 20
"""Bytes; a line has about 150."""
LINES_AT_MOST = 10_000


def manifest_text(digests: Mapping[str, str]) -> str:
    """`digests`: path in the folder -> sha256. The same files give the same bytes."""
    return "".join(f"{digest}  {path}\n" for path, digest in sorted(digests.items()))


def parse_manifest(data: bytes) -> dict[str, str]:
    """Path in the folder -> sha256; lines that are not of that form, and paths that lead elsewhere, are left out."""
    found: dict[str, str] = {}
    for line in data[:LIMIT].decode("utf-8", "replace").split("\n")[:LINES_AT_MOST]:
        digest, _, path = line.partition("  ")
        if _is_digest(digest) and _is_inside(path):
            found[path] = digest
    return found


def _is_digest(text: str) -> bool:
    return len(text) == 64 and all(sign in "0123456789abcdef" for sign in text)


def _is_inside(path: str) -> bool:
    parts = path.split("/")
    plain = path.isprintable() and "\\" not in path
    return plain and len(parts) <= 2 and all(part not in ("", ".", "..") for part in parts)
