"""Indices as they lie on disk: plain, or packed in any way that apt knows (apt.conf(5), Acquire::CompressionTypes)."""

from __future__ import annotations

import zlib
from collections.abc import Callable

MOST = 512 << 20
"""Bytes of an unpacked index. Debian's largest has 60 MiB."""
_FED = 1024
SUFFIXES = ("", ".gz", ".xz", ".bz2", ".zst", ".lz4", ".lzma")


class UnpackError(ValueError):
    """Damaged, or larger than is read."""


def unpacked(data: bytes, path: str, most: int = MOST) -> bytes:
    """The content of a file called `path`, by its suffix. Raises UnpackError."""
    suffix = path[path.rfind(".") :] if path.endswith(SUFFIXES[1:]) else ""
    try:
        return _READERS[suffix](data, most)
    except UnpackError:
        raise
    except (ValueError, OSError, EOFError, RuntimeError, zlib.error) as error:
        raise UnpackError(str(error)[:120]) from error


def _plain(data: bytes, most: int) -> bytes:
    if len(data) > most:
        raise UnpackError(f"more than {most} bytes")
    return data


def _gzip(data: bytes, most: int) -> bytes:
    parts: list[bytes] = []
    left = most
    while data:  # several members may follow one another
        engine = zlib.decompressobj(wbits=31)
        parts.append(engine.decompress(data, left + 1))
        left -= len(parts[-1])
        _check(left, ended=engine.eof)
        data = engine.unused_data.lstrip(b"\0")
    return b"".join(parts)


def _xz(data: bytes, most: int) -> bytes:
    import lzma

    try:
        engine = lzma.LZMADecompressor(memlimit=256 << 20)
        plain = engine.decompress(data, most + 1)
    except lzma.LZMAError as error:
        raise UnpackError(str(error)) from error
    _check(most - len(plain), ended=engine.eof)
    return plain


def _bzip2(data: bytes, most: int) -> bytes:
    import bz2

    engine = bz2.BZ2Decompressor()
    plain = engine.decompress(data, most + 1)
    _check(most - len(plain), ended=engine.eof)
    return plain


def _zstd(data: bytes, most: int) -> bytes:
    """Fed a little at a time: a block of four bytes may stand for 128 KiB (RFC 8878, 3.1.1.2)."""
    import zstandard

    engine = zstandard.ZstdDecompressor(max_window_size=128 << 20).decompressobj()
    parts: list[bytes] = []
    left = most
    try:
        for at in range(0, len(data), _FED):
            parts.append(engine.decompress(data[at : at + _FED]))
            left -= len(parts[-1])
            _check(left, ended=True)
            if engine.eof:
                break
    except zstandard.ZstdError as error:
        raise UnpackError(str(error)) from error
    _check(left, ended=engine.eof)
    return b"".join(parts)


def _lz4(data: bytes, most: int) -> bytes:
    import lz4.frame

    engine = lz4.frame.LZ4FrameDecompressor()
    plain: bytes = engine.decompress(data, most + 1)
    _check(most - len(plain), ended=engine.eof)
    return plain


def _check(left: int, *, ended: bool) -> None:
    if left < 0:
        raise UnpackError("it unpacks to more than is read")
    if not ended:
        raise UnpackError("it is cut short")


_READERS: dict[str, Callable[[bytes, int], bytes]] = {
    "": _plain, ".gz": _gzip, ".xz": _xz, ".lzma": _xz, ".bz2": _bzip2, ".zst": _zstd, ".lz4": _lz4,
}  # fmt: skip
