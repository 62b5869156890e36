"""Small valid files of every kind that is read, made layer by layer, so that each layer can be spoiled and the ones
around it stay sound: a lying kernel inside a sound bundle inside a sound library inside a sound wheel."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Sequence

import msgspec
import zstandard

from firstlight.knowledge.tables import raw


class Made(msgspec.Struct, frozen=True):
    """Bytes, and where in them one header ends and the next thing begins."""

    data: bytes
    edges: tuple[int, ...] = ()


Touch = Callable[[Made], Made]
"""What may spoil a layer once it is made."""


def sound(made: Made) -> Made:
    """Leaves it as it is."""
    return made


def joined(*parts: bytes | Made) -> Made:
    """One after the other, with an edge between any two and those of each part."""
    data, edges = bytearray(), list[int]()
    for part in parts:
        edges.append(len(data))
        if isinstance(part, Made):
            edges += [len(data) + edge for edge in part.edges]
        data += part.data if isinstance(part, Made) else part
    return Made(bytes(data), tuple(dict.fromkeys(edges)))


def padded(made: Made, to: int) -> Made:
    """With zeros up to a multiple."""
    return joined(made, b"\0" * (-len(made.data) % to))


class Section(msgspec.Struct, frozen=True):
    """Of an ELF. `data` may need to know where the sections before it lie."""

    name: str
    kind: int
    data: Made | Callable[[dict[str, int]], Made]


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """The words of an ELF header."""

    machine: int = 62
    kind: int = 3
    flags: int = 0
    os_abi: int = 0
    abi: int = 0
    bits: int = 64
    order: str = "<"
    many: bool = False
    """The number of sections and the index of their names stand in the first section header, as they do past 65,279."""


_FORMS = {64: ("HHIQQQIHHHHHH", "IIQQQQQQ", "IIQQQQIIQQ"), 32: ("HHIIIIIHHHHHH", "IIIIIIII", "IIIIIIIIII")}
_SIZES = {64: (64, 56, 64), 32: (52, 32, 40)}
_NOTE, _DYNAMIC = 7, 6


def elf(head: Head, sections: Sequence[Section], touch: Touch = sound) -> Made:
    """Header, a program header for everything and for each section of notes and the dynamic one, sections, their names,
    section headers. Addresses are places in the file."""
    whole, program, row = _SIZES[head.bits]
    segments = 1 + sum(one.kind in (_NOTE, _DYNAMIC) for one in sections)
    places: dict[str, int] = {}
    body = joined()
    start = whole + program * segments
    contents: list[tuple[Section, int, int]] = []
    for one in sections:
        body = padded(body, 16)
        places[one.name] = start + len(body.data)
        content = one.data if isinstance(one.data, Made) else one.data(places)
        contents.append((one, places[one.name], len(content.data)))
        body = joined(body, content)
    names = b"\0" + b"".join(one.name.encode() + b"\0" for one in sections) + b".shstrtab\0"
    table = start + len(body.data) + len(names)
    header = _elf_header(head, len(sections) + 2, segments, table)
    rows = _section_rows(head, contents, start + len(body.data), names)
    return touch(joined(header, *_program_rows(head, contents, table + row * (len(sections) + 2)), body, names, *rows))


def _elf_header(head: Head, sections: int, segments: int, table: int) -> bytes:
    ident = (
        b"\x7fELF"
        + bytes([1 if head.bits == 32 else 2, 1 if head.order == "<" else 2, 1, head.os_abi, head.abi])
        + b"\0" * 7
    )
    whole, program, row = _SIZES[head.bits]
    count, names = (0, 0xFFFF) if head.many else (sections, sections - 1)
    words = (head.kind, head.machine, 1, 0, whole, table, head.flags, whole, program, segments, row, count, names)
    return ident + struct.pack(head.order + _FORMS[head.bits][0], *words)


def _program_rows(head: Head, contents: list[tuple[Section, int, int]], size: int) -> list[bytes]:
    rows = [(1, 0, size)]
    rows += [
        (4 if one.kind == _NOTE else 2, at, length) for one, at, length in contents if one.kind in (_NOTE, _DYNAMIC)
    ]
    form = head.order + _FORMS[head.bits][1]
    if head.bits == 64:
        return [struct.pack(form, kind, 4, at, at, at, length, length, 16) for kind, at, length in rows]
    return [struct.pack(form, kind, at, at, at, length, length, 4, 16) for kind, at, length in rows]


def _section_rows(head: Head, contents: list[tuple[Section, int, int]], names_at: int, names: bytes) -> list[bytes]:
    form = head.order + _FORMS[head.bits][2]
    count = len(contents) + 2
    rows = [struct.pack(form, 0, 0, 0, 0, 0, *((count, count - 1) if head.many else (0, 0)), 0, 0, 0)]
    at = 1
    for one, place, length in contents:
        rows.append(struct.pack(form, at, one.kind, 0, place, place, length, 0, 0, 16, 0))
        at += len(one.name) + 1
    return [*rows, struct.pack(form, at, 3, 0, 0, names_at, len(names), 0, 0, 1, 0)]


def note(owner: bytes, kind: int, content: bytes, order: str = "<") -> bytes:
    """One note: Elf_Nhdr, owner, content."""
    padding = b"\0" * (-len(content) % 4)
    owner += b"\0" * (-len(owner) % 4)
    return struct.pack(order + "III", len(owner.rstrip(b"\0")) + 1, len(content), kind) + owner + content + padding


def metadata(target: str, kernels: int = 2, wave: int = 64) -> bytes:
    """MessagePack as from code object version 3 on."""
    rows = [
        {
            ".name": f"kernel{one}",
            ".wavefront_size": wave,
            ".vgpr_count": 8 + one,
            ".group_segment_fixed_size": 256 * one,
        }
        for one in range(kernels)
    ]
    return msgspec.msgpack.encode(
        {"amdhsa.kernels": rows, "amdhsa.target": f"amdgcn-amd-amdhsa--{target}", "amdhsa.version": [1, 2]}
    )


_MODES = {"": 1, "+": 3, "-": 2}


def code_object(target: str = "gfx1151", version: int = 5, kind: int = 3, touch: Touch = sound) -> Made:
    """AMD device code of version 3 to 6; its notes are in a segment, or, if it is not linked, in a section only."""
    name, *modes = target.split(":")
    flags = raw("amd/mach")["mach"][name]
    for mode in modes:
        flags |= _MODES[mode[-1]] << (10 if mode.startswith("sramecc") else 8)
    if name.endswith("-generic"):
        flags |= 1 << 24
    told = touch(joined(note(b"AMDGPU\0", 32, metadata(target, wave=32 if name.startswith("gfx1") else 64))))
    head = Head(machine=224, kind=kind, flags=flags, os_abi=64, abi=version - 2)
    return elf(head, [Section(".note", _NOTE, told), Section(".text", 1, Made(b"\xbf\x81\0\0" * 16))], touch)


def old_code_object(numbers: tuple[int, int, int] = (9, 0, 6), touch: Touch = sound) -> Made:
    """AMD device code of version 2: the target in a note of its own, metadata in YAML."""
    isa = struct.pack("<HHIII", 4, 7, *numbers) + b"AMD\0AMDGPU\0"
    yaml = (
        b"---\nVersion: [ 1, 0 ]\nKernels:\n  - Name: fill\n    SymbolName: 'fill@kd'\n    CodeProps:\n"
        b"      GroupSegmentFixedSize: 64\n      WavefrontSize:   64\n      NumVGPRs:        12\n...\n"
    )
    notes = touch(joined(note(b"AMD\0", 1, struct.pack("<II", 2, 1)), note(b"AMD\0", 3, isa), note(b"AMD\0", 10, yaml)))
    return elf(Head(machine=224, flags=0, os_abi=64), [Section(".note", _NOTE, notes)], touch)


HOST = "host-x86_64-unknown-linux-gnu-"
HIP = "hipv4-amdgcn-amd-amdhsa--"


def bundle(entries: Sequence[tuple[str, Made]], align: int = 8, touch: Touch = sound) -> Made:
    """A clang offload bundle."""
    table = 32 + sum(24 + len(name) for name, _ in entries)
    at = table + -table % align
    rows, body = [], joined()
    for name, content in entries:
        body = padded(body, align)
        rows.append(joined(struct.pack("<QQQ", at + len(body.data), len(content.data), len(name)), name.encode()))
        body = joined(body, content)
    head = joined(b"__CLANG_OFFLOAD_BUNDLE__", struct.pack("<Q", len(entries)), *rows)
    return touch(joined(padded(head, align), body))


def compressed(plain: Made, version: int = 2, method: int = 1, touch: Touch = sound) -> Made:
    """A bundle compressed, in one of the three versions, with zlib (0) or zstd (1)."""
    stream = (
        zlib.compress(plain.data) if method == 0 else zstandard.ZstdCompressor(write_checksum=True).compress(plain.data)
    )
    stream = touch(Made(stream)).data
    form, length = {1: ("<IQ", 20), 2: ("<IIQ", 24), 3: ("<QQQ", 32)}[version]
    sizes = (len(plain.data),) if version == 1 else (length + len(stream), len(plain.data))
    return touch(joined(b"CCOB", struct.pack("<HH", version, method), struct.pack(form, *sizes, 0), stream))


def entry(kind: int, target: int, payload: bytes, flags: int = 0x40, options: bytes = b"") -> Made:
    """One entry of a CUDA fat binary."""
    strings = joined(struct.pack("<II", 72, len(options)), options + b"\0") if options else joined()
    strings = padded(strings, 8)
    payload += b"\0" * (-len(payload) % 8)
    length = 64 + len(strings.data)
    place = 64 if options else 0
    words = (kind, 0x101, length, len(payload), 0, place, 7, 8, target, 0, 0, flags, 0, 0)
    return joined(struct.pack("<HHIQIIHHIIIQQQ", *words), strings, payload)


def concatenated(inner: Sequence[Made], touch: Touch = sound) -> Made:
    """Several of one kind packed as one: their headers stand in this one's."""
    table = touch(joined(struct.pack("<II", len(inner), sum(len(one.data) for one in inner)), *inner))
    words = (256, 0x101, 64 + len(table.data), 16, 0, 64, 7, 8, 0, 0, 0, 0x40, 0, 0)
    return joined(struct.pack("<HHIQIIHHIIIQQQ", *words), table, b"\0" * 16)


def fat_binary(entries: Sequence[Made], touch: Touch = sound) -> Made:
    """A container of them."""
    size = sum(len(one.data) for one in entries)
    return touch(joined(struct.pack("<IHHQ", 0xBA55ED50, 1, 16, size), *entries))


def cubin(flags: int = 0x6005A0C, abi: int = 8, compat: bytes = b"", touch: Touch = sound) -> Made:
    """SASS for one target. Attributes: the kernel's registers in `.nv.info`."""
    info = touch(joined(struct.pack("<BBH", 3, 0x37, 0x80), struct.pack("<BBHII", 4, 0x2F, 8, 1, 24)))
    sections = [
        Section(".nv.info", 0x70000000, info),
        Section(".nv.constant0.fill", 1, Made(b"\0" * 32)),
        Section(".nv.shared.fill", 8, Made(b"")),
        Section(".text.fill", 1, Made(b"\0" * 64)),
    ]
    if compat:
        sections.append(Section(".nv.compat", 0x70000086, Made(compat)))
    return elf(Head(machine=190, kind=2, flags=flags, os_abi=65, abi=abi), sections, touch)


PTX = b"""//
// made by hand
/* of two kinds */
.version 8.7
.target sm_90a, debug
.address_size 64
.visible .entry fill() { ret; }
"""


def host(more: Sequence[Section] = (), head: Head | None = None, touch: Touch = sound) -> Made:
    """A shared library: a name, libraries that it needs, where it looks, versions, and the given sections."""
    head = head or Head()
    texts = [
        "libfill.so.1",
        "libc.so.6",
        "libstdc++.so.6",
        "libamdhip64.so.6",
        "$ORIGIN/../lib:/opt/lib",
        "GLIBC_2.28",
        "GLIBC_2.9",
        "GLIBCXX_3.4.29",
        "GLIBC_PRIVATE",
    ]
    strings = b"\0" + b"".join(one.encode() + b"\0" for one in texts)
    at = {one: strings.index(b"\0" + one.encode() + b"\0") + 1 for one in texts}
    needed = touch(joined(*_verneed(head.order, at)))

    def dynamic(places: dict[str, int]) -> Made:
        tags = [
            (1, at["libc.so.6"]),
            (1, at["libstdc++.so.6"]),
            (1, at["libamdhip64.so.6"]),
            (14, at["libfill.so.1"]),
            (29, at["$ORIGIN/../lib:/opt/lib"]),
            (5, places[".dynstr"]),
            (10, len(strings)),
            (0x6FFFFFFE, places[".gnu.version_r"]),
            (0x6FFFFFFF, 2),
            (0, 0),
        ]
        form = head.order + ("qQ" if head.bits == 64 else "iI")
        return touch(joined(*(struct.pack(form, *tag) for tag in tags)))

    fixed = [
        Section(".dynstr", 3, Made(strings)),
        Section(".gnu.version_r", 0x6FFFFFFE, needed),
        Section(".dynamic", 6, dynamic),
    ]
    return elf(head, [*fixed, *more], touch)


def _verneed(order: str, at: dict[str, int]) -> list[bytes]:
    def row(count: int, name: int, following: int) -> bytes:
        return struct.pack(order + "HHIII", 1, count, name, 16, following)

    def part(name: int, following: int) -> bytes:
        return struct.pack(order + "IHHII", 0, 0, 2, name, following)

    return [
        row(3, at["libc.so.6"], 64),
        part(at["GLIBC_2.28"], 16),
        part(at["GLIBC_2.9"], 16),
        part(at["GLIBC_PRIVATE"], 0),
        row(1, at["libstdc++.so.6"], 0),
        part(at["GLIBCXX_3.4.29"], 0),
    ]


def archive(
    members: Sequence[tuple[str, Made]], *, thin: bool = False, bsd: bool = False, touch: Touch = sound
) -> Made:
    """A static archive: a symbol table, long names if there are any, members."""
    long = b"".join(name.encode() + b"/\n" for name, _ in members if len(name) > 15)
    parts: list[bytes | Made] = [b"!<thin>\n" if thin else b"!<arch>\n", _member("/", b"\0\0\0\0")]
    if long and not bsd:
        parts.append(_member("//", long))
    for name, content in members:
        if bsd:
            data = joined(name.encode() + b"\0", content)
            parts.append(_member(f"#1/{len(name) + 1}", data))
        else:
            label = f"/{long.index(name.encode() + b'/')}" if len(name) > 15 else f"{name}/"
            parts.append(_member(label, content, outside=thin))
    return touch(joined(*parts))


def _member(name: str, content: bytes | Made, *, outside: bool = False) -> Made:
    data = content if isinstance(content, Made) else Made(content)
    head = f"{name:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{len(data.data):<10}`\n".encode()
    return joined(head) if outside else padded(joined(head, data), 2)


def kernel_pack(
    kernels: Sequence[tuple[str, str, Made]], scheme: str = "zstd-per-kernel", touch: Touch = sound
) -> Made:
    """A `.kpack` archive: binary, target and code of each kernel."""
    if scheme == "none":
        body, blobs = joined(), []
        for _, _, code in kernels:
            blobs.append({"offset": 64 + len(body.data), "size": len(code.data)})
            body = joined(body, code)
    else:
        blobs = []
        frames = [zstandard.ZstdCompressor().compress(code.data) for _, _, code in kernels]
        body = touch(
            joined(
                struct.pack("<I", len(frames)), *(part for one in frames for part in (struct.pack("<I", len(one)), one))
            )
        )
    toc: dict[str, dict[str, dict[str, object]]] = {}
    for number, (binary, target, code) in enumerate(kernels):
        toc.setdefault(binary, {})[target] = {"type": "hsaco", "ordinal": number, "original_size": len(code.data)}
    table = {
        "format_version": 1,
        "group_name": "test",
        "gfx_arches": sorted({target for _, target, _ in kernels}),
        "compression_scheme": scheme,
        "zstd_offset": 64,
        "zstd_size": len(body.data),
        "blobs": blobs,
        "toc": toc,
    }
    header = struct.pack("<4sIQ", b"KPAK", 1, 64 + len(body.data)) + b"\0" * 48
    return touch(joined(header, body, touch(Made(msgspec.msgpack.encode(table)))))


def marker(paths: Sequence[str] = ("../.kpack/fill_@GFXARCH@.kpack",)) -> Made:
    """What a host binary keeps once its code went to an archive."""
    return Made(msgspec.msgpack.encode({"kernel_name": "lib/libfill.so", "kpack_search_paths": list(paths)}))
