"""Packed bodies (Content-Encoding), unpacked piece by piece, so that a small body cannot fill the memory at once.

Not left to urllib3: before 2.6 it unpacks all that a piece holds at once (CVE-2025-66471)."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

from .trouble import Failed, damaged, quoted

PIECE = 1 << 18


def unpacked(pieces: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """The body itself. Raises Failed for an encoding that was not asked for, and a body that is not in it."""
    encoding = encoding.strip().lower()
    if encoding in ("", "identity"):
        return iter(pieces)
    if encoding not in ("gzip", "x-gzip"):
        what = quoted(encoding)
        raise damaged(f"its body is packed as {what}, which was not asked for", f"内容以未请求的 {what} 压缩")
    return _gunzipped(pieces)


def _gunzipped(pieces: Iterable[bytes]) -> Iterator[bytes]:
    machine = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        for piece in pieces:
            left = piece
            while left:
                yield machine.decompress(left, PIECE)
                left = machine.unconsumed_tail
        yield machine.flush()
    except zlib.error as error:
        raise _broken() from error
    if not machine.eof:
        raise _broken()


def _broken() -> Failed:
    return damaged("its body cannot be unpacked", "内容无法解压")
