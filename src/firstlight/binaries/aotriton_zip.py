"""The zip files of AOTriton's images: entries that are only stored, as its own reader takes them (v3src/lszip.cc).

Layout: PKWARE APPNOTE 4.3; all numbers little endian. Neither zip64 nor any compression.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

import msgspec

from .forward import Forward
from .source import Source

LARGEST_DIRECTORY = 16 << 20
_END = struct.Struct("<4sHHHHIIH")
_ENTRY = struct.Struct("<4sHHHHHHIIIHHHHHII")
_LOCAL = struct.Struct("<4s22xHH")
_PASSING = struct.Struct("<4s2xHH8xI4xHH")
LARGEST_ENTRY = 48 << 20


class EntryError(Exception):
    """The zip cannot be read on."""


class Entry(msgspec.Struct, frozen=True):
    """One file in it."""

    name: str
    offset: int
    size: int


def entries(source: Source) -> Iterator[Entry]:
    """All files. Raises EntryError where there are no more that can be read."""
    count, size, start = _end(source)
    if size > LARGEST_DIRECTORY or start + size > source.size:
        raise EntryError("its directory is not in the file, or too large")
    data, at = source.read(start, size), 0
    for _ in range(count):
        if at + _ENTRY.size > len(data):
            raise EntryError("its directory is cut off")
        magic, _, _, flags, method, _, _, _, packed, _, length, extra, comment, _, _, _, offset = _ENTRY.unpack_from(
            data, at
        )
        if magic != b"PK\1\2":
            raise EntryError("its directory is damaged")
        name = data[at + _ENTRY.size : at + _ENTRY.size + length].decode("utf-8", "replace")
        if method or flags & 1:
            raise EntryError(f"{name[:160]} is packed or encrypted, which AOTriton does not read")
        yield Entry(name, _content(source, offset, packed), packed)
        at += _ENTRY.size + length + extra + comment


def passing(forward: Forward) -> Iterator[tuple[str, bytes]]:
    """All files with their bytes, by what stands before each of them. Raises EntryError as `entries` does."""
    while (head := forward.read(_PASSING.size))[:4] == b"PK\3\4":
        if len(head) < _PASSING.size:
            raise EntryError("an entry is cut off")
        _, flags, method, packed, length, extra = _PASSING.unpack(head)
        name = forward.read(length).decode("utf-8", "replace")
        forward.skip(extra)
        if method or flags & 9:
            raise EntryError(f"{name[:160]} is packed or encrypted, or its size stands behind it")
        data = forward.read(packed) if packed <= LARGEST_ENTRY else b""
        if len(data) < packed:
            raise EntryError(f"{name[:160]} is cut off, or too large")
        yield name, data
    if head[:4] not in (b"PK\1\2", b"PK\5\6"):
        raise EntryError("no zip file, or cut off")


def _end(source: Source) -> tuple[int, int, int]:
    """Number of entries, size and offset of the directory."""
    tail = source.read(max(0, source.size - _END.size - 0xFFFF), _END.size + 0xFFFF)
    at = tail.rfind(b"PK\5\6", 0, max(0, len(tail) - _END.size + 4))
    if at < 0:
        raise EntryError("no zip file, or cut off")
    _, _, _, _, count, size, start, _ = _END.unpack_from(tail, at)
    return count, size, start


def _content(source: Source, offset: int, size: int) -> int:
    """Where the bytes of an entry begin: names may be longer there than in the directory."""
    head = source.read(offset, _LOCAL.size)
    if len(head) < _LOCAL.size or head[:4] != b"PK\3\4":
        raise EntryError("an entry is not where the directory has it")
    _, name, extra = _LOCAL.unpack(head)
    start = offset + _LOCAL.size + int(name) + int(extra)
    if start + size > source.size:
        raise EntryError("an entry is cut off")
    return start
