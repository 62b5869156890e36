"""`.kpack` archives: device code of many host binaries for few targets, and the markers that those binaries keep.

Layout: ROCm/rocm-kpack and ROCm/rocm-systems shared/kpack (python/rocm_kpack/{kpack,compression}.py,
runtime/src/{archive,toc_parser,loader}.cpp, docs/multi_arch_packaging_with_kpack.md); all numbers little endian:
`KPAK`, version 1 (4 bytes), where the table begins (8 bytes), zeros up to a multiple of 64, the code, then to the end
the table in MessagePack: `compression_scheme`, `gfx_arches`, `toc`: {"lib/libfoo.so#0": {"gfx1151": {"ordinal": 0,
"original_size": 7472, "type": "hsaco"}}}. A key is a binary and the number of its translation unit.

Code, by scheme: `none`: `blobs`, by ordinal an `offset` in the file and a `size`; `zstd-per-kernel`: at `zstd_offset`
the number of kernels (4 bytes), then for each its packed size (4 bytes) and a zstd frame, `zstd_size` bytes in all.
The first form of version 1 had no scheme: entries bear `offset` and `size` themselves. The packer of hipDNN's kernels
writes no zeros before the code.

A host binary is left with a section `.rocm_kpack_ref`, to which the wrappers in `.hipFatBinSegment` point (their magic
is then `HIPK`, 0x4b504948): {"kernel_name": "lib/libfoo.so", "kpack_search_paths": ["../.kpack/foo_@GFXARCH@.kpack"]}.
Paths are relative to the binary; the loader puts the device's targets for `@GFXARCH@`, the most exact first.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

import msgspec

from .elf import Elf
from .forward import Forward
from .found import Found, merged
from .kpack_frames import FIRST, Frames, Image, image_of
from .kpack_table import Row, Table, read_table
from .model import Code, Fault
from .msgpack import MalformedError, Values
from .named import spelled
from .source import Part, Source

MAGIC = b"KPAK"
SECTION = ".rocm_kpack_ref"
PLACE = "@GFXARCH@"
"""Stands for a target in the paths of markers."""
_HEADER = struct.Struct("<4sIQ")
LARGEST_TABLE = 32 << 20
LARGEST_MARKER = 64 << 10
"""As the loader has it."""
MOST_FAULTS = 16


class Marker(msgspec.Struct, frozen=True, kw_only=True):
    """What a host binary says of its device code."""

    kernel_name: str
    """Its path, as archives name it."""
    paths: tuple[str, ...]
    """Archives, relative to the binary; `@GFXARCH@` stands for the target."""


def read_kpack(source: Source) -> Found:
    """Code of an archive, by target, in the order of the table's words: the loader compares those, not the code's."""
    return _read(Forward.of(source), source.size, source)


def codes_of(forward: Forward, size: int) -> Found:
    """The same from bytes that pass by; unpacked kernels of an archive without compression are not looked into."""
    return _read(forward, size, None)


def _read(forward: Forward, size: int, source: Source | None) -> Found:
    head = forward.read(_HEADER.size)
    if len(head) < _HEADER.size or head[:4] != MAGIC:
        return _failed("header", "no archive, or cut off")
    _, version, start = _HEADER.unpack(head)
    if version != 1:
        return _failed("header", f"version {version}", kind="unknown-form")
    if not _HEADER.size <= start < size:
        return _failed("header", f"the table is said to begin at {start} of {size} bytes")
    forward.skip(FIRST - _HEADER.size if start > FIRST else 0)
    frames = Frames.read(forward, start)
    forward.skip(start - forward.offset)
    if size - start > LARGEST_TABLE:
        return _failed("table", f"{size - start} bytes", kind="too-large")
    try:
        table = read_table(Values(forward.read(size - start)), start)
    except MalformedError as wrong:
        return _failed("table", str(wrong))
    faults = list(table.faults)
    if table.scheme == "zstd-per-kernel":
        frames = _at_its_place(frames, table, source)
        faults.extend(frames.faults)
    codes = tuple(_codes(table, frames, source, faults))
    return Found(kind="kpack", code=merged(codes), faults=_few(faults))


def _at_its_place(frames: Frames, table: Table, source: Source | None) -> Frames:
    """The frames where the table has them, which is where every writer puts them."""
    if frames.start == table.frames:
        return frames
    if source is None:
        detail = f"frames at {table.frames}, not at {frames.start}"
        return Frames(start=table.frames, faults=(Fault(kind="unknown-form", where="table", detail=detail),))
    return Frames.read(Forward.of(Part(source, table.frames, table.end - table.frames)), table.end - table.frames)


def _failed(where: str, detail: str, kind: str = "damaged") -> Found:
    return Found(kind="kpack", faults=(msgspec.convert({"kind": kind, "where": where, "detail": detail}, Fault),))


def _few(faults: list[Fault]) -> tuple[Fault, ...]:
    if len(faults) <= MOST_FAULTS:
        return tuple(faults)
    more = Fault(kind="damaged", where="archive", detail=f"and {len(faults) - MOST_FAULTS} more")
    return (*faults[:MOST_FAULTS], more)


def _codes(table: Table, frames: Frames, source: Source | None, faults: list[Fault]) -> Iterator[Code]:
    for row in table.rows:
        target = spelled(table.targets[row.target])
        place = f"{table.binaries[row.binary]} for {target}"
        image = _image(row, table, frames, source)
        if isinstance(image, Fault):
            faults.append(msgspec.structs.replace(image, where=place))
            image = Image(size=None, code=None)
        faults.extend(msgspec.structs.replace(one, where=f"{place}: {one.where}") for one in image.faults)
        yield _code(image, target, place, faults)


def _image(row: Row, table: Table, frames: Frames, source: Source | None) -> Image | Fault:
    """The kernel of a row."""
    if table.scheme == "zstd-per-kernel":
        if row.ordinal is None or row.ordinal >= len(frames.images):
            return Fault(kind="damaged", where="", detail=f"no kernel {row.ordinal} among {len(frames.images)}")
        return frames.images[row.ordinal]
    if table.scheme != "none":
        return Fault(kind="unknown-form", where="", detail=f"compression scheme {table.scheme[:40]!r}")
    place = row.place
    if place is None and row.ordinal is not None and row.ordinal < len(table.blobs):
        place = table.blobs[row.ordinal]
    if place is None or sum(place) > table.end:
        return Fault(kind="damaged", where="", detail="its place is not in the archive")
    return image_of(Part(source, *place)) if source is not None else Image(size=place[1], code=None)


def _code(image: Image, target: str, place: str, faults: list[Fault]) -> Code:
    code = image.code or Code(vendor="amd", target=target, form="code-object")
    if code.target.partition(":")[0] != target.partition(":")[0]:
        detail = f"the table has it for {target}, it is for {code.target}"
        faults.append(Fault(kind="damaged", where=place, detail=detail))
    return msgspec.structs.replace(code, target=target, size=image.size)


def marker_of(source: Source, elf: Elf) -> Marker | Fault | None:
    """The marker of a host binary; None: it has none."""
    section = elf.section(SECTION)
    if section is None:
        return None
    return read_marker(source.read(section.offset, min(section.size, LARGEST_MARKER)))


def read_marker(data: bytes) -> Marker | Fault:
    """From the bytes of the section. What follows the value is nothing, as for the loader."""
    try:
        return _marker(Values(data))
    except MalformedError as wrong:
        return Fault(kind="damaged", where=SECTION, detail=str(wrong))


def _marker(values: Values) -> Marker | Fault:
    name: str | None = None
    paths: tuple[str, ...] = ()
    for _ in range(values.map() or 0):
        key = values.text()
        if key == "kernel_name":
            name = values.text()
        elif key == "kpack_search_paths":
            paths = tuple(path for path in (values.text() for _ in range(values.array() or 0)) if path)
        else:
            values.skip()
    if not name or not paths:
        return Fault(kind="damaged", where=SECTION, detail="no name or no path of an archive in it")
    return Marker(kernel_name=name, paths=paths)


def reference_of(source: Source, elf: Elf) -> str | None:
    """The archives that a host binary's marker names, as they stand there; several with `:` between, as the loader's
    ROCM_KPACK_PATH has them. None: no marker, or one that cannot be read (`marker_of` says why)."""
    marker = marker_of(source, elf)
    return ":".join(marker.paths) if isinstance(marker, Marker) else None
