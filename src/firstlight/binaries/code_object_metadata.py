"""The notes of AMD device code: what its kernels need.

Layout: LLVM AMDGPUUsage, "Code Object V2 Note Records" and "Code Object V3 and Above Note Records" with their metadata:
YAML in version 2, MessagePack from version 3 on.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from functools import cache
from typing import Annotated

import msgspec

from .elf import NOTE, NOTES, Elf, read_elf
from .model import Fault
from .source import Source

MOST_NOTES = 256
LARGEST_NOTE = 32 << 20
"""Bytes. The largest seen hold some thousand kernels in a few MiB."""

ISA_VERSION, METADATA_V2, METADATA = 3, 10, 32
"""NT_AMD_HSA_ISA_VERSION, NT_AMD_HSA_METADATA (owner AMD); NT_AMDGPU_METADATA (owner AMDGPU)."""
_WANTED = {(b"AMD", ISA_VERSION), (b"AMD", METADATA_V2), (b"AMDGPU", METADATA)}


class Kernels(msgspec.Struct, frozen=True, kw_only=True):
    """What the metadata say of all kernels together."""

    count: int = 0
    registers: int | None = None
    lds: int | None = None
    waves: frozenset[int] = frozenset()
    target: str | None = None
    """From version 4 on: `gfx90a:xnack-`."""

    def and_those_of(self, other: Kernels) -> Kernels:
        """Of two notes of one file."""
        return Kernels(
            count=self.count + other.count,
            registers=_most(self.registers, other.registers),
            lds=_most(self.lds, other.lds),
            waves=self.waves | other.waves,
            target=self.target or other.target,
        )


def _most(one: int | None, other: int | None) -> int | None:
    return max((value for value in (one, other) if value is not None), default=None)


def notes_of(source: Source, elf: Elf) -> tuple[dict[int, list[bytes]], tuple[Fault, ...]]:
    """Contents by kind of note, of those that matter here. Code that was linked from several objects has the notes of
    each, one after another."""
    faults: list[Fault] = []
    found: dict[int, list[bytes]] = {}
    left = LARGEST_NOTE
    for offset, size in _places(source, elf, faults):
        for note in _notes(source, elf, offset, size):
            if isinstance(note, Fault):
                faults.append(note)
            elif (left := left - len(note[1])) >= 0:
                found.setdefault(note[0], []).append(note[1])
            else:
                faults.append(Fault(kind="too-large", where="notes", detail=f"more than {LARGEST_NOTE} bytes in all"))
                return found, tuple(faults)
    return found, tuple(faults)


def _places(source: Source, elf: Elf, faults: list[Fault]) -> list[tuple[int, int]]:
    """Segments of notes; of a file that is not linked its sections of notes."""
    segments = [(one.offset, one.size) for one in elf.segments if one.kind == NOTES]
    if segments:
        return segments[:MOST_NOTES]
    whole = read_elf(source)
    if isinstance(whole, Fault):
        faults.append(whole)
        return []
    return [(one.offset, one.size) for one in whole.sections if one.kind == NOTE][:MOST_NOTES]


def _notes(source: Source, elf: Elf, offset: int, size: int) -> Iterator[tuple[int, bytes] | Fault]:
    end = offset + size
    for _ in range(MOST_NOTES):
        if offset + 12 > end:
            return
        head = source.read(offset, 24)
        try:
            named, length, kind = elf.unpack("III", head)
        except struct.error:
            yield Fault(kind="damaged", where="notes", detail="the file ends inside them")
            return
        start = offset + 12 + (named + 3) // 4 * 4
        offset = start + (length + 3) // 4 * 4
        if (head[12 : 12 + min(named, 12)].rstrip(b"\0"), kind) in _WANTED:
            yield _note(source, kind, start, length, end)


def _note(source: Source, kind: int, start: int, length: int, end: int) -> tuple[int, bytes] | Fault:
    if length > LARGEST_NOTE:
        return Fault(kind="too-large", where="notes", detail=f"metadata of {length} bytes")
    data = source.read(start, length)
    if start + length > end or len(data) < length:
        return Fault(kind="damaged", where="notes", detail="metadata that end after their place")
    return kind, data


_Count = Annotated[int, msgspec.Meta(ge=0, le=0xFFFFFFFF)]


class _Kernel(msgspec.Struct):
    """The standard demands all three, so a kernel is at least 58 bytes long: that bounds what a note can make of us."""

    wave: _Count = msgspec.field(name=".wavefront_size")
    registers: _Count = msgspec.field(name=".vgpr_count")
    lds: _Count = msgspec.field(name=".group_segment_fixed_size")


class _Metadata(msgspec.Struct):
    kernels: list[_Kernel] = msgspec.field(name="amdhsa.kernels", default_factory=list)
    target: str | None = msgspec.field(name="amdhsa.target", default=None)


def read_metadata(data: bytes) -> Kernels | Fault:
    """Of version 3 and above."""
    try:
        found = msgspec.msgpack.decode(data, type=_Metadata)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as wrong:
        return Fault(kind="damaged", where="metadata", detail=str(wrong)[:200])
    target = found.target.rpartition("--")[2] if found.target else None
    return Kernels(
        count=len(found.kernels),
        registers=max((one.registers for one in found.kernels), default=None),
        lds=max((one.lds for one in found.kernels), default=None),
        waves=frozenset(one.wave for one in found.kernels),
        target=target if target and target.startswith("gfx") and len(target) <= 64 else None,
    )


def read_metadata_v2(data: bytes) -> Kernels:
    """Of version 2: lines of YAML, of which these few keys stand on lines of their own."""
    found: dict[bytes, list[int]] = {}
    for key, value in _lines().findall(data):
        found.setdefault(key, []).append(int(value))
    return Kernels(
        count=len(_symbols().findall(data)),
        registers=max(found.get(b"NumVGPRs", ()), default=None),
        lds=max(found.get(b"GroupSegmentFixedSize", ()), default=None),
        waves=frozenset(found.get(b"WavefrontSize", ())),
    )


@cache
def _lines() -> re.Pattern[bytes]:
    return re.compile(rb"^ +(NumVGPRs|GroupSegmentFixedSize|WavefrontSize): +([0-9]{1,9}) *$", re.MULTILINE)


@cache
def _symbols() -> re.Pattern[bytes]:
    return re.compile(rb"^ +SymbolName:", re.MULTILINE)


def read_isa(elf: Elf, data: bytes) -> tuple[int, int, int] | None:
    """Numbers of NT_AMD_HSA_ISA_VERSION: major, minor, stepping."""
    try:
        _, _, major, minor, stepping = elf.unpack("HHIII", data)
    except struct.error:
        return None
    return major, minor, stepping
