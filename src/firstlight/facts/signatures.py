"""Whether a kernel module file is signed."""

from __future__ import annotations

from ..host.model import Host, Unread
from .value import Fact, Unknown, unknown

MARK = b"~Module signature appended~\n"
"""MODULE_SIG_STRING, include/linux/module_signature.h."""

READ_AT_MOST = 1 << 20
UNPACK_AT_MOST = 16 << 20


def signed(host: Host, path: str) -> Fact[bool]:
    """Whether the file ends with the kernel's signature mark; `.zst`, `.xz` and `.gz` are unpacked, within bounds.
    A file over 1 MiB is too large: another module of the same build tells the same."""
    data = host.read(path, READ_AT_MOST)
    if isinstance(data, Unread):
        return unknown(data)
    try:
        plain = _unpacked(data, path)
    except (ValueError, OSError, EOFError) as error:
        return Unknown("malformed", path, str(error)[:80])
    return Unknown("too-large", path, "unpacked") if plain is None else plain.endswith(MARK)


def _unpacked(data: bytes, path: str) -> bytes | None:
    """None if it is larger than the bound. Raises ValueError for a file that is no such archive."""
    if path.endswith(".zst"):
        return _zstd(data)
    if path.endswith(".xz"):
        return _xz(data)
    return _gzip(data) if path.endswith(".gz") else data


def _zstd(data: bytes) -> bytes | None:
    import zstandard

    try:
        with zstandard.ZstdDecompressor(max_window_size=UNPACK_AT_MOST).stream_reader(data) as stream:
            plain = stream.read(UNPACK_AT_MOST + 1)
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from None
    return None if len(plain) > UNPACK_AT_MOST else plain


def _xz(data: bytes) -> bytes | None:
    import lzma

    decoder = lzma.LZMADecompressor(memlimit=128 << 20)
    try:
        plain = decoder.decompress(data, UNPACK_AT_MOST + 1)
    except lzma.LZMAError as error:
        raise ValueError(str(error)) from None
    return _whole(plain, ended=decoder.eof)


def _gzip(data: bytes) -> bytes | None:
    import zlib

    decoder = zlib.decompressobj(wbits=31)
    try:
        plain = decoder.decompress(data, UNPACK_AT_MOST + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    return _whole(plain, ended=decoder.eof)


def _whole(plain: bytes, *, ended: bool) -> bytes | None:
    if len(plain) > UNPACK_AT_MOST:
        return None
    if not ended:
        raise ValueError("cut short")
    return plain
