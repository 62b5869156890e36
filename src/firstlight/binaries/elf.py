"""ELF files: header, segments, sections. Both classes, both byte orders.

Layout: System V ABI, chapter 4 (Elf32_Ehdr ... Elf64_Shdr). Nothing of a file is trusted: every table must lie in it.
"""

from __future__ import annotations

import struct
from typing import Literal

import msgspec

from .model import Fault
from .source import Source

MAGIC = b"\x7fELF"

MOST_SEGMENTS = 4096
MOST_SECTIONS = 1 << 17
LONGEST_NAME = 256
"""Longer section names (of C++ functions) are cut: no name that matters is that long."""
MOST_NAMES = 16 << 20
"""Bytes of a name table that is read at once; of a larger one each name is read by itself."""

NOTE = 7
NOBITS = 8
"""Kinds of sections (sh_type)."""
LOAD = 1
DYNAMIC = 2
NOTES = 4
"""Kinds of segments (p_type)."""

_MACHINES = {
    3: "i386", 8: "mips", 20: "ppc", 21: "ppc64", 22: "s390x", 40: "arm", 62: "x86_64", 183: "aarch64", 190: "cuda",
    224: "amdgpu", 243: "riscv", 258: "loongarch",
}  # fmt: skip
_KINDS: dict[int, Kind] = {1: "rel", 2: "exec", 3: "dyn", 4: "core"}

Kind = Literal["rel", "exec", "dyn", "core", "other"]


class Segment(msgspec.Struct, frozen=True):
    """A program header. `size` is that in the file."""

    kind: int
    offset: int
    address: int
    size: int


class Section(msgspec.Struct, frozen=True):
    """A section header. One of kind NOBITS has no bytes in the file."""

    name: str
    offset: int
    size: int
    kind: int
    address: int


class Table(msgspec.Struct, frozen=True):
    """Where the section headers lie."""

    offset: int
    count: int
    names: int
    """Index of the section of names."""


class Elf(msgspec.Struct, frozen=True, kw_only=True):
    """What the headers say."""

    machine: str
    """`x86_64`, `aarch64`, `amdgpu`, `cuda` ...; of one without a name here `em-<number>`."""
    kind: Kind
    flags: int
    os_abi: int
    abi_version: int
    bits: Literal[32, 64]
    order: Literal["<", ">"]
    """Little or big endian, as `struct` writes it."""
    segments: tuple[Segment, ...]
    table: Table
    sections: tuple[Section, ...] = ()

    def section(self, name: str) -> Section | None:
        """The first section of this name that has bytes in the file."""
        return next((one for one in self.sections if one.name == name and one.kind != NOBITS), None)

    def unpack(self, form: str, data: bytes, offset: int = 0) -> tuple[int, ...]:
        """Numbers in the file's byte order. Raises struct.error where `data` ends too early."""
        return struct.unpack_from(self.order + form, data, offset)


def read_elf(source: Source) -> Elf | Fault:
    """Headers, segments and sections; a fault if one of the tables is not in the file."""
    elf = read_header(source)
    if isinstance(elf, Fault):
        return elf
    sections = _sections(source, elf)
    return sections if isinstance(sections, Fault) else msgspec.structs.replace(elf, sections=sections)


def read_header(source: Source) -> Elf | Fault:
    """As `read_elf`, without the sections: what the beginning of the file tells."""
    head = source.read(0, 64)
    if head[:4] != MAGIC:
        return Fault(kind="unknown-form", where="ELF header", detail="no ELF file")
    bits, order = {1: 32, 2: 64}.get(_byte(head, 4)), {1: "<", 2: ">"}.get(_byte(head, 5))
    if bits is None or order is None:
        return Fault(kind="damaged", where="ELF header", detail="neither 32 nor 64 bits, or of no byte order")
    try:
        found = struct.unpack_from(order + ("HHIQQQIHHHHHH" if bits == 64 else "HHIIIIIHHHHHH"), head, 16)
    except struct.error:
        return _ends("ELF header")
    kind, machine, _, _, phoff, shoff, flags, _, phsize, phnum, shsize, shnum, names = found
    elf = Elf(
        machine=_machine(machine, bits, order),
        kind=_KINDS.get(kind, "other"),
        flags=flags,
        os_abi=head[7],
        abi_version=head[8],
        bits=64 if bits == 64 else 32,
        order="<" if order == "<" else ">",
        segments=(),
        table=Table(shoff, shnum, names),
    )
    wrong = (phnum and phsize != _segment_size(elf)) or (shoff and shsize != _section_size(elf))
    if wrong or phnum > MOST_SEGMENTS:
        return Fault(kind="damaged", where="ELF header", detail="tables of another size than the standard says")
    segments = _segments(source, elf, phoff, phnum)
    return segments if isinstance(segments, Fault) else msgspec.structs.replace(elf, segments=segments)


def _byte(data: bytes, at: int) -> int:
    return data[at] if at < len(data) else 0


def _ends(where: str) -> Fault:
    return Fault(kind="damaged", where=where, detail="the file ends inside it")


def _machine(number: int, bits: int, order: str) -> str:
    name = _MACHINES.get(number, f"em-{number}")
    if name == "riscv":
        return f"riscv{bits}"
    return "ppc64le" if name == "ppc64" and order == "<" else name


def _segment_size(elf: Elf) -> int:
    return 56 if elf.bits == 64 else 32


def _section_size(elf: Elf) -> int:
    return 64 if elf.bits == 64 else 40


def _segments(source: Source, elf: Elf, offset: int, count: int) -> tuple[Segment, ...] | Fault:
    data = source.read(offset, count * _segment_size(elf)) if count else b""
    if len(data) < count * _segment_size(elf):
        return _ends("program headers")
    rows = struct.iter_unpack(elf.order + ("IIQQQQQQ" if elf.bits == 64 else "IIIIIIII"), data)
    if elf.bits == 64:
        return tuple(Segment(row[0], row[2], row[3], row[5]) for row in rows)
    return tuple(Segment(row[0], row[1], row[2], row[4]) for row in rows)


def _sections(source: Source, elf: Elf) -> tuple[Section, ...] | Fault:
    table, size = elf.table, _section_size(elf)
    if not table.offset:
        return ()
    form = elf.order + ("IIQQQQIIQQ" if elf.bits == 64 else "IIIIIIIIII")
    first = source.read(table.offset, size)
    if len(first) < size:
        return _ends("section headers")
    zero = struct.unpack(form, first)
    count = table.count or zero[5]  # more than 65,279: the true number stands in the first section header
    if count > MOST_SECTIONS:
        return Fault(kind="too-large", where="section headers", detail=f"{count} sections")
    data = source.read(table.offset, count * size)
    if len(data) < count * size:
        return _ends("section headers")
    rows = tuple(struct.iter_unpack(form, data))
    index = zero[6] if table.names == 0xFFFF else table.names
    names = _Names(source, *(rows[index][4:6] if index < len(rows) and rows[index][1] != NOBITS else (0, 0)))
    return tuple(Section(names.at(row[0]), row[4], row[5], row[1], row[3]) for row in rows)


class _Names:
    """The table of names."""

    def __init__(self, source: Source, offset: int, size: int) -> None:
        self._source, self._offset, self._size = source, offset, size
        self._held = source.read(offset, size) if size <= MOST_NAMES else None

    def at(self, index: int) -> str:
        """The name at this place; empty where the table has none."""
        if index >= self._size:
            return ""
        longest = min(LONGEST_NAME, self._size - index)
        if self._held is None:
            data = self._source.read(self._offset + index, longest)
        else:
            data = self._held[index : index + longest]
        return data.partition(b"\0")[0].decode("ascii", "replace")
