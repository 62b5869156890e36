"""Whether bytes are those that an index names."""

from __future__ import annotations

from ..words import Words
from .trouble import Failed


def check_hash(data: bytes, sha256: str | None) -> None:
    """Raises Failed (wrong-hash); where nothing is stated, all is right."""
    from hashlib import sha256 as digest_of

    if sha256 is not None:
        compare(digest_of(data).hexdigest(), sha256)


def compare(found: str, stated: str) -> None:
    """Raises Failed (wrong-hash)."""
    if found != stated:
        raise Failed("wrong-hash", Words(f"sha256 {found}, not {stated}", f"sha256 为 {found}，而非 {stated}"))
