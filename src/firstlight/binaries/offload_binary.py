"""Offload binaries: device code in `.llvm.offloading`, before a linker makes bundles of it.

Layout: LLVM llvm/include/llvm/Object/OffloadBinary.h; all numbers little endian: magic, version, size of it all, place
of the entries, and in version 1 their size, in version 2 their number. An entry: kind of image, producer, flags, place
and number of its strings, place and size of the image. Strings are places of key and value, in version 2 also a length.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

import msgspec

from .bundle import contents, vendor_of
from .entry_bytes import REACH, EntryBytes
from .forward import Forward
from .found import Found
from .gathered import Gathered
from .model import Code, Fault, Vendor
from .source import Part

MAGIC = b"\x10\xff\x10\xad"
SECTION = ".llvm.offloading"
MOST_ENTRIES = 4096
MOST_STRINGS = 64
LONGEST_STRING = 512
FATBIN, PTX = 4, 5
"""Kinds of images that NVIDIA's tools make."""
_ENTRY = struct.Struct("<HHIQQQQ")


def codes_of(forward: Forward) -> Found:
    """All code of a section that is a sequence of offload binaries."""
    gathered = Gathered()
    while forward.until((MAGIC,), 8):
        start = forward.offset
        header = forward.peek(32)
        version, size = int.from_bytes(header[4:8], "little"), int.from_bytes(header[8:16], "little")
        if len(header) < 32 or version not in (1, 2) or size < 32:
            gathered.add(Fault(kind="unknown-form", where=f"offload binary at {start:#x}", detail="no header of one"))
            forward.skip(len(MAGIC))
            continue
        entry = EntryBytes(forward, size)
        for one in _images(entry, version):
            where = f"offload binary at {start:#x}"
            gathered.add(msgspec.structs.replace(one, where=f"{where}: {one.where}") if isinstance(one, Fault) else one)
        if not entry.finish():
            gathered.add(Fault(kind="damaged", where=f"offload binary at {start:#x}", detail="the file ends inside it"))
    return gathered.found("offload-bundle")


def _images(entry: EntryBytes, version: int) -> Iterator[Code | Fault]:
    place, number = struct.unpack("<QQ", entry.read(16, 16))
    count = 1 if version == 1 else number
    if count > MOST_ENTRIES:
        yield Fault(kind="damaged", where="table", detail=f"{count} entries")
        return
    for index in range(count):
        data = entry.read(place + index * _ENTRY.size, _ENTRY.size)
        if len(data) < _ENTRY.size:
            yield Fault(kind="damaged", where="table", detail="it ends early")
            return
        kind, _, flags, strings, many, offset, size = _ENTRY.unpack(data)
        if not flags & 1:  # set: an entry of metadata, without an image
            texts = _strings(entry, version, strings, many)
            yield from _image(Part(entry, offset, size), kind, texts.get("arch", ""), whole=offset + size <= entry.size)


def _strings(entry: EntryBytes, version: int, place: int, many: int) -> dict[str, str]:
    width = 16 if version == 1 else 24
    data = entry.read(place, min(many, MOST_STRINGS) * width)
    pairs = [struct.unpack_from("<QQ", data, at) for at in range(0, len(data) - width + 1, width)]
    return {_text(entry, key): _text(entry, value) for key, value in pairs}


def _text(entry: EntryBytes, place: int) -> str:
    return entry.read(place, LONGEST_STRING).partition(b"\0")[0].decode("ascii", "replace")


def _image(image: Part, kind: int, arch: str, *, whole: bool) -> Iterator[Code | Fault]:
    named = vendor_of(arch)
    if kind == FATBIN:
        from .fatbin import codes_of as fatbins

        found = fatbins(Forward.of(image))
        yield from found.code
        yield from found.faults
    elif not named:
        yield Fault(kind="unknown-form", where=arch or "no name", detail="names no target that is known")
    elif not whole:
        yield Fault(kind="damaged", where=arch, detail="the image lies outside")
    else:
        yield from _code(image, kind, *named)


def _code(image: Part, kind: int, vendor: Vendor, target: str) -> Iterator[Code | Fault]:
    if kind == PTX and vendor == "nvidia":
        yield Code(vendor=vendor, target=target.replace("sm_", "compute_"), form="ptx", size=image.size)
    elif not image.read(0, 4) and image.size:
        yield Fault(kind="too-large", where=target, detail=f"it lies beyond {REACH} bytes")
    else:
        for one in contents(image, vendor, target):
            yield (
                msgspec.structs.replace(one, where=f"{target} {one.where}".rstrip()) if isinstance(one, Fault) else one
            )
