"""CUDA fat binaries: sections `.nv_fatbin` and `__nv_relfatbin`, files `.fatbin`.

NVIDIA does not publish the layout; this is what `fatbinary`, `nvcc` and libnvfatbin of CUDA 10.2 to 13.5 write and what
`cuobjdump` reads, found by making such files and comparing. All numbers are little-endian.

A section is a chain of containers, each at a multiple of 8: magic, version (u16, 1), length of this header (u16, 16),
size of what follows (u64). In it, entry after entry, a header of 64 bytes or more and its payload:

     0  u16 kind        2  u16 0x101       4  u32 length of the header      8  u64 size of the payload, padded
    16  u32 packed size, 0 if it is not packed     20  u32 place of the options     24  u16 minor, u16 major version
    28  u32 number of the target, as in sm_90      32  u32 place, 36  u32 length of the name    40  u64 flags
    56  u64 size when unpacked

Places count from the entry; at that of the options stand the place and the length of a string, as two u32. So the
target of each code stands before it, packed (LZ4, Zstandard) or not, and no payload is read.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator

import msgspec

from .forward import Forward
from .found import Found, merged
from .model import Code, Fault, Form
from .source import Source

MAGIC = b"\x50\xed\x55\xba"
OLD_MAGIC = b"\x01\x5a\xe5\x1e"
"""Of a form that `cuobjdump` has not read since CUDA 6."""
ALIGNMENT = 8

MOST_ENTRIES = 1 << 18
"""In one section. The largest library known, libcublasLt, has some thousands."""
MOST_FAULTS = 64
MOST_TABLE = 1 << 20
"""Bytes of the header of a concatenated entry."""
LARGEST_TARGET = 999

_CONTAINER = struct.Struct("<4sHHQ")
_ENTRY = struct.Struct("<HHIQIIHHIIIQQQ")
_PAIR = struct.Struct("<II")
_VERSION = 1
_ENTRY_VERSION = 0x101

_FORMS: dict[int, Form] = {1: "ptx", 2: "cubin", 16: "cubin", 64: "ptx"}
"""16: an ELF file that `cuobjdump` lists with the others, met nowhere yet; 64: relocatable PTX."""
_CONCATENATED = 256
"""Several of one kind, packed as one (`nvcc --concat`): their headers follow in this one's."""
_PASSED_OVER = frozenset({8, 32})
"""LTO intermediate code, which runs on nothing before it was linked, and its index."""
_NAMES = {4: "a cubin of the old form", 128: "Tile IR"}

_SPECIFIC = 1 << 20
_FAMILY = 1 << 21
"""Flags: made for exactly this architecture (`a`) or for its family (`f`)."""


class _Head(msgspec.Struct, frozen=True):
    """The header of an entry, as far as it matters."""

    kind: int
    length: int
    size: int
    options: int
    version: tuple[int, int]
    """Major and minor: of PTX its ISA, of a cubin the ABI."""
    target: int
    name: int
    name_length: int
    flags: int


def codes(source: Source) -> Found:
    """The code of a section or a file. Raises OSError if the medium fails."""
    return codes_of(Forward.of(source), source.size)


def codes_of(forward: Forward, end: int = sys.maxsize) -> Found:
    """The same from bytes that pass by."""
    faults: list[Fault] = []

    def sound() -> Iterator[Code]:
        for one in walk(forward, end):
            if isinstance(one, Fault):
                faults.append(one)
            else:
                yield one

    code = merged(sound())
    return Found(kind="fatbin", code=code, faults=tuple(faults))


def walk(forward: Forward, end: int = sys.maxsize) -> Iterator[Code | Fault]:
    """Each code from here to `end`, an offset of `forward`; payloads are skipped.

    After damage the next container is looked for. A kind of code that has no form here is a fault once.
    """
    told: set[str] = set()
    entries, patience = MOST_ENTRIES, MOST_FAULTS
    while (mark := forward.until((MAGIC, OLD_MAGIC), ALIGNMENT, end=end)) and forward.offset < end:
        for one in _old(forward) if mark == OLD_MAGIC else _container(forward, end):
            if isinstance(one, Code):
                entries -= 1
            elif one.detail in told and one.kind != "damaged":
                continue
            else:
                told.add(one.detail)
                patience -= 1
            yield one
            if not entries or not patience:
                yield Fault(kind="too-large", where=_at(forward.offset), detail="more entries or faults than are read")
                return


def target_name(form: Form, number: int, *, specific: bool, family: bool) -> str:
    """`sm_90a`, `compute_100f`.

    Machine code of a family target has no `f`: the code and its loading are those of the plain target, and
    `cuobjdump --list-elf` names it so.
    """
    suffix = "a" if specific else "f" if family and form == "ptx" else ""
    return f"{'compute' if form == 'ptx' else 'sm'}_{number}{suffix}"


def _old(forward: Forward) -> Iterator[Fault]:
    where = _at(forward.offset)
    forward.skip(len(OLD_MAGIC))
    yield Fault(kind="unknown-form", where=where, detail="a fat binary of the form before CUDA 6.5")


def _container(forward: Forward, end: int) -> Iterator[Code | Fault]:
    where = _at(forward.offset)
    start, head = forward.offset, forward.read(_CONTAINER.size)
    if len(head) < _CONTAINER.size:
        yield _ends(where)
        return
    _, version, length, size = _CONTAINER.unpack(head)
    if version != _VERSION or length < _CONTAINER.size:
        yield Fault(kind="unknown-form", where=where, detail=f"fat binary of version {version}, header of {length}")
        return
    forward.skip(length - _CONTAINER.size)
    stop = start + length + size
    if stop > end:
        yield Fault(kind="damaged", where=where, detail="the fat binary is larger than its section")
    while forward.offset < min(stop, end):
        found = _entry(forward, min(stop, end))
        if isinstance(found, Fault):
            yield found
            return
        yield from found


def _entry(forward: Forward, stop: int) -> tuple[Code | Fault, ...] | Fault:
    """Moves past the entry; one that makes no sense stays, as a container may begin there."""
    start = forward.offset
    data = forward.peek(min(_ENTRY.size, stop - start))
    head = _head(data, 0)
    if head is None or head.length < _ENTRY.size or start + head.length + head.size > stop:
        return Fault(kind="damaged", where=_at(start), detail="no header of an entry, or one that makes no sense")
    if head.kind == _CONCATENATED and head.length <= MOST_TABLE:
        data = forward.read(head.length)
    left = start + head.length + head.size - forward.offset
    if forward.skip(left) < left:
        return _ends(_at(start))
    return _concatenated(data, head, start) if head.kind == _CONCATENATED else _codes(head, start, head.size)


def _head(data: bytes, at: int) -> _Head | None:
    if at + _ENTRY.size > len(data):
        return None
    kind, version, length, size, _, options, minor, major, target, name, name_length, flags, _, _ = _ENTRY.unpack_from(
        data, at
    )
    if version != _ENTRY_VERSION or target > LARGEST_TARGET:
        return None
    return _Head(kind, length, size, options, (major, minor), target, name, name_length, flags)


def _codes(head: _Head, place: int, size: int | None) -> tuple[Code | Fault, ...]:
    form = _FORMS.get(head.kind)
    if form is not None:
        target = target_name(
            form, head.target, specific=bool(head.flags & _SPECIFIC), family=bool(head.flags & _FAMILY)
        )
        isa = f"{head.version[0]}.{head.version[1]}" if form == "ptx" else None
        return (Code(vendor="nvidia", target=target, form=form, size=size, ptx_isa=isa),)
    if head.kind in _PASSED_OVER:
        return ()
    return (Fault(kind="unknown-form", where=_at(place), detail=_NAMES.get(head.kind, f"code of kind {head.kind}")),)


def _concatenated(data: bytes, head: _Head, place: int) -> tuple[Code | Fault, ...]:
    """What each takes of the packed whole cannot be told."""
    if head.length > MOST_TABLE:
        return (Fault(kind="too-large", where=_at(place), detail=f"a header of {head.length} bytes"),)
    try:
        inner = _table(data, head.options)
    except struct.error:
        inner = None
    if inner is None:
        return (Fault(kind="damaged", where=_at(place), detail="the table of a concatenated entry makes no sense"),)
    return tuple(found for one in inner for found in _codes(one, place, None))


def _table(data: bytes, at: int) -> list[_Head] | None:
    """Where options would stand: number of headers and their size, then the headers. In each the place in the unpacked
    payload stands for the length, which has to be found: strings with their zero, rounded up to 8. Raises struct.error
    where the data end."""
    count, _ = _PAIR.unpack_from(data, at)
    at += _PAIR.size
    heads = []
    for _ in range(count):
        head = _head(data, at)
        if head is None or head.kind == _CONCATENATED:
            return None
        heads.append(head)
        last = head.name + head.name_length + 1 if head.name else _ENTRY.size
        if head.options:
            start, length = _PAIR.unpack_from(data, at + head.options)
            last = start + length + 1
        at += max(_ENTRY.size, (last + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT)
    return heads


def _at(offset: int) -> str:
    return f"offset {offset}"


def _ends(where: str) -> Fault:
    return Fault(kind="damaged", where=where, detail="the file ends inside a fat binary")
