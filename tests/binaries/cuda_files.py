"""Fat binaries and cubins as NVIDIA's tools lay them out, of any content."""

from __future__ import annotations

import struct

PTX, ELF, LTO, INDEX, RELOCATABLE_PTX, TILE, CONCATENATED = 1, 2, 8, 32, 64, 128, 256
LINUX_64, PACKED, SPECIFIC, FAMILY = 0x11, 0x8000, 1 << 20, 1 << 21

Entry = tuple[bytes, bytes]
"""Header and payload."""


def header(
    kind: int, number: int, flags: int = LINUX_64, *, length: int, size: int, version: tuple[int, int] = (9, 5)
) -> bytes:
    """The first 64 bytes of an entry, of one without name and options."""
    major, minor = version
    return struct.pack("<HHIQIIHHIIIQQQ", kind, 0x101, length, size, 0, 0, minor, major, number, 0, 0, flags, 0, 0)


def entry(
    kind: int, number: int, flags: int = LINUX_64, *, size: int = 96, name: str = "", options: str | None = None
) -> Entry:
    """An entry with the strings in its header."""
    strings, places = b"", {}
    if name:
        places[32] = struct.pack("<II", 64, len(name))
        strings += _padded(name)
    if options is not None:
        places[20] = struct.pack("<I", 64 + len(strings))
        strings += struct.pack("<II", 64 + len(strings) + 8, len(options)) + _padded(options)
    head = bytearray(header(kind, number, flags, length=64 + len(strings), size=size))
    for place, value in places.items():
        head[place : place + len(value)] = value
    return bytes(head) + strings, bytes(size)


def concatenated(*entries: Entry, count: int | None = None, size: int = 40) -> Entry:
    """Headers of several in the header of one; their payloads packed together."""
    rows = b"".join(head for head, _ in entries)
    table = struct.pack("<II", len(entries) if count is None else count, len(rows) + 8) + rows
    head = bytearray(header(CONCATENATED, 0, LINUX_64 | PACKED, length=64 + len(table), size=size, version=(0, 1)))
    head[20:24] = struct.pack("<I", 64)
    return bytes(head) + table, bytes(size)


def container(*entries: Entry, size: int | None = None, version: int = 1) -> bytes:
    """A fat binary; `size`: what its header says instead of the truth."""
    body = b"".join(head + payload for head, payload in entries)
    return struct.pack("<IHHQ", 0xBA55ED50, version, 16, len(body) if size is None else size) + body


def attribute(number: int, value: bytes) -> bytes:
    """Of `.nv.info` or `.nv.compat`: two bytes stand in the head, more behind it."""
    if len(value) == 2:
        return struct.pack("<BB", 3, number) + value
    return struct.pack("<BBH", 4, number, len(value)) + value


def cubin(flags: int, abi: int, sections: dict[str, bytes | int] | None = None, machine: int = 190) -> bytes:
    """An ELF file with sections; a number is the size of one without bytes (NOBITS)."""
    sections = {"": b"", **(sections or {}), ".shstrtab": b""}
    names = b"\0".join(name.encode() for name in sections) + b"\0"
    sections[".shstrtab"] = names
    rows, body = [], b""
    for name, content in sections.items():
        place = names.index(name.encode() + b"\0") if name else 0
        length = content if isinstance(content, int) else len(content)
        kind = 0 if not name else 8 if isinstance(content, int) else 1
        rows.append(struct.pack("<IIQQQQIIQQ", place, kind, 0, 0, 64 + len(body), length, 0, 0, 1, 0))
        body += b"" if isinstance(content, int) else content
    ident = b"\x7fELF\2\1\1" + bytes([0x41 if abi >= 8 else 0x33, abi]) + bytes(7)
    start = 64 + len(body)
    head = struct.pack("<HHIQQQIHHHHHH", 2, machine, 1, 0, 0, start, flags, 64, 56, 0, 64, len(rows), len(rows) - 1)
    return ident + head + body + b"".join(rows)


def _padded(text: str) -> bytes:
    data = text.encode() + b"\0"
    return data + bytes(-len(data) % 8)
