"""Offload bundles: code for several targets one after another, as they lie in `.hip_fatbin` and in files.

Layout: clang/docs/ClangOffloadBundler; all numbers little endian: magic, number of entries, then for each entry where
it lies (from the magic on), its size, and its id with the length before it. A section holds any number of bundles, each
as a rule at a multiple of 4096. Compressed ones: see `compressed`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import msgspec

from . import compressed
from .code_object import always_64, look
from .elf import MAGIC as ELF
from .elf import Elf
from .entry_bytes import EntryBytes
from .forward import Forward
from .found import Found
from .gathered import Gathered
from .model import Code, Fault, Form, Vendor
from .source import Part, Source

MAGIC = b"__CLANG_OFFLOAD_BUNDLE__"
TEXT = b"__START_"
"""What follows the magic in a bundle of texts (assembly, preprocessed sources)."""
MARKS = (MAGIC, compressed.MAGIC)
SECTION = "__CLANG_OFFLOAD_BUNDLE__"
"""Sections of a host object that hold one entry each are called by this and the id."""

MOST_ENTRIES = 4096
LONGEST_ID = 512

_BITCODE = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
SPIRV_TARGET = "amdgcnspirv"
_SPIRV = b"\x03\x02\x23\x07"


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """Code for one target."""

    id: str
    """`hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-`."""
    offset: int
    """Of its bundle: where that begins in the stream."""
    packed: bool
    code: Code


class _Row(msgspec.Struct, frozen=True):
    id: str
    offset: int
    size: int


def codes(source: Source, most: int | None = None) -> Found:
    """All code of a file or section that is a sequence of bundles. `most`: see `walk`."""
    return codes_of(Forward.of(source), most)


def codes_of(forward: Forward, most: int | None = None) -> Found:
    """The same from bytes that pass by."""
    gathered = Gathered()
    packed = False
    for one in walk(forward, most):
        if isinstance(one, Entry):
            packed = packed or one.packed
        gathered.add(one.code if isinstance(one, Entry) else one)
    return gathered.found("compressed-bundle" if packed else "offload-bundle")


def embedded(source: Source, elf: Elf) -> Found:
    """All code of a host object that has a section for each entry (`clang-offload-bundler --type=o`: relocatable device
    code)."""
    gathered = Gathered()
    for section in elf.sections:
        id = section.name.removeprefix(SECTION)
        if id != section.name and _ours(id):
            for one in _entry(_Row(id, 0, section.size), Part(source, section.offset, section.size)):
                gathered.add(one)
    return gathered.found("offload-bundle")


def walk(forward: Forward, most: int | None = None) -> Iterator[Entry | Fault]:
    """All entries of all bundles, those for the host left out. A damaged bundle is a fault, and the next one is looked
    for behind it.

    `most`: bytes that compressed bundles may unpack to altogether; of those beyond it only the table is unpacked, which
    tells the target of an entry and nothing more. None: all are unpacked."""
    left = most
    while mark := forward.until(MARKS):
        if mark == MAGIC:
            yield from _plain(forward)
            continue
        header = compressed.read_header(forward)
        if isinstance(header, Fault):
            yield header
            continue
        if left is not None:
            left -= header.unpacked
        yield from _compressed(forward, header, deep=left is None or left >= 0)


def _compressed(forward: Forward, header: compressed.Header, *, deep: bool) -> Iterator[Entry | Fault]:
    start = forward.offset - header.length
    unpacking = compressed.Unpacking(forward, header)
    inner = Forward(unpacking)
    if inner.peek(len(MAGIC)) == MAGIC:
        for one in _plain(inner, header.unpacked) if deep else _named(inner):
            if isinstance(one, Entry):
                code = msgspec.structs.replace(one.code, size=None)
                yield msgspec.structs.replace(one, offset=start, packed=True, code=code)
            elif unpacking.fault is None:
                yield msgspec.structs.replace(one, where=f"compressed bundle at {start:#x}, unpacked: {one.where}")
    elif unpacking.fault is None:
        yield Fault(kind="unknown-form", where=f"compressed bundle at {start:#x}", detail="holds no offload bundle")
    unpacking.finish()
    if unpacking.fault:
        yield unpacking.fault


def _plain(forward: Forward, within: int | None = None) -> Iterator[Entry | Fault]:
    """At the magic; moves behind the last entry, or, where it is known how much there is, only as far as needed."""
    start = forward.offset
    rows = _rows(forward)
    if isinstance(rows, Fault):
        yield rows
        return
    for row in rows:
        where = f"bundle at {start:#x}, {row.id}"
        ends = Fault(kind="damaged", where=where, detail="the file ends before it does")
        gap = start + row.offset - forward.offset
        if gap < 0:
            yield Fault(kind="damaged", where=where, detail="lies inside what stands before it")
            continue
        if forward.skip(gap) < gap or (within is not None and row.offset + row.size > within):
            yield ends
            return
        entry = EntryBytes(forward, row.size)
        for one in _entry(row, entry):
            if isinstance(one, Code):
                yield Entry(id=row.id, offset=start, packed=False, code=one)
            else:
                yield msgspec.structs.replace(one, where=f"bundle at {start:#x}, {one.where}")
        if (within is None or row is not rows[-1]) and not entry.finish():
            yield ends
            return


def _named(forward: Forward) -> Iterator[Entry | Fault]:
    """At the magic: what the table alone tells."""
    rows = _rows(forward)
    for row in (rows,) if isinstance(rows, Fault) else rows:
        named = None if isinstance(row, Fault) else target_of(row.id)
        if isinstance(row, Fault):
            yield row
        elif named is None:
            yield _nameless(row)
        else:
            form: Form = "cubin" if named[0] == "nvidia" else "spirv" if named[1] == SPIRV_TARGET else "code-object"
            wave = 64 if named[0] == "amd" and always_64(named[1]) else None
            code = Code(vendor=named[0], target=named[1], form=form, wave=wave)
            yield Entry(id=row.id, offset=0, packed=True, code=code)


def _nameless(row: _Row) -> Fault:
    return Fault(kind="unknown-form", where=row.id, detail="names no target that is known")


def _rows(forward: Forward) -> tuple[_Row, ...] | Fault:
    """Entries for devices, in the order in which they lie."""
    where = f"bundle at {forward.offset:#x}"
    ends = Fault(kind="damaged", where=where, detail="the file ends inside its table")
    head = forward.read(len(MAGIC) + 8)
    if head[len(MAGIC) :] == TEXT:
        return Fault(kind="unknown-form", where=where, detail="a bundle of texts, not of code")
    count = int.from_bytes(head[len(MAGIC) :], "little")
    if len(head) < len(MAGIC) + 8:
        return ends
    if count > MOST_ENTRIES:
        return Fault(kind="damaged", where=where, detail=f"{count} entries")
    rows = []
    for _ in range(count):
        data = forward.read(24)
        offset, size, length = (int.from_bytes(data[at : at + 8], "little") for at in (0, 8, 16))
        if len(data) < 24:
            return ends
        if length > LONGEST_ID:
            return Fault(kind="damaged", where=where, detail=f"an id of {length} bytes")
        rows.append(_Row(forward.read(length).decode("ascii", "replace"), offset, size))
    devices = (row for row in rows if _ours(row.id))
    return tuple(sorted(devices, key=lambda row: row.offset))


def _ours(id: str) -> bool:
    """Whether it is for a GPU of a vendor that this program knows: not for the host, nor SPIR-V for any device
    (`sycl-spir64_gen`, `openmp-spirv64-intel`: clang's offload kinds, triples of the SPIR architectures)."""
    kind, _, triple = id.partition("-")
    return kind != "host" and (not triple.startswith("spir") or "-amd-" in triple)


def _entry(row: _Row, source: Source) -> Iterator[Code | Fault]:
    named = target_of(row.id)
    if named is None:
        yield _nameless(row)
        return
    for one in contents(source, *named):
        if isinstance(one, Fault):
            where = f"{row.id}: {one.where}" if one.where else row.id
            yield msgspec.structs.replace(one, where=where)
        else:
            yield one


def contents(source: Source, vendor: Vendor, target: str) -> Iterator[Code | Fault]:
    """What an entry for this target holds."""
    head = source.read(0, 4)
    if head == ELF and vendor == "amd":
        yield from _code_object(source, target)
        return
    form = _form(head)
    if form is None:
        yield Fault(kind="unknown-form", where="", detail="no code object" if source.size else "empty")
    else:
        yield Code(vendor=vendor, target=target, form=form, size=source.size)


def _form(head: bytes) -> Form | None:
    if head == ELF:
        return "cubin"
    return "bitcode" if head in _BITCODE else "spirv" if head == _SPIRV else None


def _code_object(source: Source, target: str) -> Iterator[Code | Fault]:
    """Under the name that the bundle has for it: by that the runtime finds it (ROCm clr, hip_fatbin.cpp)."""
    code, faults = look(source, target)
    yield from faults
    if code is None:
        return
    base, *selected = code.target.split(":")
    named, *modes = target.split(":")
    if base != named or ((code.code_object_version or 0) >= 4 and set(selected) - set(modes)):
        yield Fault(kind="damaged", where="", detail=f"its code is for {code.target}")
    if base == named:
        yield msgspec.structs.replace(code, target=target)


def target_of(id: str) -> tuple[Vendor, str] | None:
    """Vendor and target that an entry's id names, modes in the order of the standard. None: none, or a form that is not
    known."""
    return vendor_of(id[found.start(1) :]) if (found := _ids().fullmatch(id)) else None


def vendor_of(target: str) -> tuple[Vendor, str] | None:
    """Vendor of a target that stands alone, and the target in the standard's form; None: not known."""
    found = _ids().fullmatch(f"-{target}")
    if not found:
        return None
    name = found[1] + "".join(sorted(f":{mode}" for mode in found[2].split(":")[1:]))
    return ("nvidia" if name.startswith("sm_") else "amd"), name


@cache
def _ids() -> re.Pattern[str]:
    amd = f"gfx[0-9]{{1,2}}[0-9a-f]{{2}}|gfx[0-9]{{1,2}}(?:-[0-9]{{1,2}})?-generic|{SPIRV_TARGET}"
    return re.compile(rf".*?-((?:{amd}|sm_[0-9]{{2,3}}[a-z]?))((?::[a-z]+[+-])*)")
