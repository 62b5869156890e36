"""What is spoiled: of each kind of file one or more ways to make a sound one, and the targets that are in it."""

from __future__ import annotations

import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable

import msgspec
import zstandard

from . import layers
from .layers import HIP, HOST, PTX, Head, Made, Section, Touch, joined

Seed = tuple[str, Callable[[Touch], Made], frozenset[str]]
"""Path, maker, targets."""


def _bundle(touch: Touch, align: int = 8) -> Made:
    entries = [
        (HOST, Made(b"")),
        (HIP + "gfx90a:sramecc+:xnack-", layers.code_object("gfx90a:sramecc+:xnack-", 4, touch=touch)),
        (HIP + "gfx11-generic", layers.code_object("gfx11-generic", 6, touch=touch)),
        ("hip-amdgcn-amd-amdhsa--gfx906", layers.old_code_object(touch=touch)),
        (HIP + "gfx1030", Made(b"BC\xc0\xde" + b"\0" * 12)),
    ]
    return layers.bundle(entries, align, touch)


BUNDLED = frozenset({"gfx90a:sramecc+:xnack-", "gfx11-generic", "gfx906", "gfx1030"})


def _bundles(touch: Touch) -> Made:
    first = layers.padded(layers.compressed(_bundle(touch), 2, 1, touch), 512)
    return joined(
        first,
        layers.compressed(_bundle(touch), 1, 0, touch),
        layers.compressed(_bundle(touch), 1, 1, touch),
        layers.compressed(_bundle(touch), 3, 0, touch),
        _bundle(touch, 512),
    )


def _fatbin(touch: Touch) -> Made:
    entries = [
        layers.entry(2, 80, b"\x7fELF"),
        layers.entry(2, 90, b"\x7fELF", flags=1 << 20 | 0x40),
        layers.entry(8, 80, b"lto"),
        layers.entry(1, 120, PTX, flags=1 << 21 | 0x40, options=b"-arch=sm_120f"),
        layers.entry(16, 103, b"mercury"),
    ]
    inner = [layers.entry(1, 75, b"", options=b"-O3"), layers.entry(1, 86, b"")]
    return joined(layers.fat_binary(entries, touch), layers.fat_binary([layers.concatenated(inner, touch)], touch))


FATTED = frozenset({"sm_80", "sm_90a", "compute_120f", "sm_103", "compute_75", "compute_86"})


def _host(touch: Touch, **head: object) -> Made:
    more = [
        Section(".hip_fatbin", 1, _bundles(touch)),
        Section(".nv_fatbin", 1, _fatbin(touch)),
        Section("__nv_relfatbin", 1, layers.fat_binary([layers.entry(2, 75, b"")], touch)),
        Section(".rocm_kpack_ref", 1, layers.marker()),
        Section(".hipFatBinSegment", 1, Made(b"HIPK" + b"\0" * 20)),
        Section("__CLANG_OFFLOAD_BUNDLE__" + HIP + "gfx942", 1, layers.code_object("gfx942", touch=touch)),
        Section(".bss", 8, Made(b"")),
    ]
    return layers.host(more, Head(**head), touch)  # type: ignore[arg-type]


def _offload(touch: Touch) -> Made:
    image = layers.code_object("gfx942", touch=touch)
    strings = b"arch\0gfx942\0triple\0amdgcn-amd-amdhsa\0"
    at = 32 + 40 + 32
    entry = struct.pack("<HHIQQQQ", 1, 4, 0, 72, 2, at + len(strings), len(image.data))
    table = struct.pack("<QQQQ", at, at + 5, at + 12, at + 19)
    size = at + len(strings) + len(image.data)
    head = b"\x10\xff\x10\xad" + struct.pack("<IQQQ", 1, size, 32, 40)
    return touch(joined(head, entry, table, strings, image))


def _archive(touch: Touch, **form: bool) -> Made:
    members = [
        ("fill.o", layers.host([Section(".nv_fatbin", 1, _fatbin(touch))], Head(kind=1), touch)),
        ("a-name-of-more-than-fifteen-signs.o", layers.host([Section(".hip_fatbin", 1, _bundle(touch))], touch=touch)),
        ("kernel.cubin", layers.cubin(touch=touch)),
    ]
    return layers.archive(members, touch=touch, **form)


ARCHIVED = BUNDLED | FATTED | {"sm_90a"}


def _pack(touch: Touch, scheme: str = "zstd-per-kernel") -> Made:
    code = [("lib/libfill.so#0", one, layers.code_object(one, touch=touch)) for one in ("gfx1100", "gfx1151")]
    return layers.kernel_pack(code, scheme, touch)


def _tensile(touch: Touch, *targets: str) -> Made:
    rows = [{"predicate": {"type": "Processor", "value": one}, "index": number} for number, one in enumerate(targets)]
    return touch(Made(msgspec.msgpack.encode({"library": {"type": "Hardware", "rows": rows}, "solutions": []})))


def _mapping(touch: Touch) -> Made:
    names = {number: f"TensileLibrary_BB_gfx{one}" for number, one in enumerate(("1151", "90a", "1151"))}
    return touch(Made(msgspec.msgpack.encode(names)))


FORMS = (
    "c0",
    "c2",
    "c3",
    "ca00000000",
    "cb0000000000000000",
    "ccff",
    "cdffff",
    "ceffffffff",
    "cf" + "ff" * 8,
    "d0ff",
    "d1ffff",
    "d2ffffffff",
    "d3" + "ff" * 8,
    "d400ff",
    "d500ffff",
    "d600ffffffff",
    "d700" + "ff" * 8,
    "d800" + "ff" * 16,
    "c401ff",
    "c50001ff",
    "c600000001ff",
    "c70100ff",
    "c8000100ff",
    "c90000000100ff",
    "d90141",
    "da000141",
    "db0000000141",
    "0f",
    "e0",
    "dc0001c0",
    "dd00000001c0",
    "de0001c0c0",
    "df00000001c0c0",
    "9200a141",
    "81a14190",
)
"""A value of every form that MessagePack has, in hexadecimal."""


def _forms(touch: Touch) -> Made:
    """An index whose values are of every form, and the files after them."""
    head = b"\xde\x00\x03\xa7gfx1151" + b"\xdc\x00" + bytes([len(FORMS)])
    return touch(joined(head, *map(bytes.fromhex, FORMS), b"\x05\xa4none\x06\xa6gfx90a"))


def _database(touch: Touch) -> Made:
    head = b"SQLite format 3\0" + struct.pack(">HBBBBBB", 512, 1, 1, 0, 64, 32, 32) + struct.pack(">II", 7, 2)
    return touch(joined(head, b"\0" * (92 - len(head)), struct.pack(">II", 7, 0), b"\0" * (1024 - 100)))


def _storage(touch: Touch, *names: str) -> Made:
    images = [layers.code_object("gfx1151", touch=touch).data for _ in names]
    rows, at = [], 0
    for name, image in zip(names, images, strict=True):
        rows.append(struct.pack("<5I", 1024, 256, at, len(image), len(name) + 1) + name.encode() + b"\0")
        at += len(image)
    directory = touch(joined(*rows))
    stream = lzma.compress(directory.data + b"".join(images), preset=0)
    words = struct.pack("<4s3I", b"AKS2", len(directory.data) + at, len(names), len(directory.data))
    return touch(joined(words, stream))


def _stored_zip(touch: Touch) -> Made:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("attn_fwd/a.aks2", _storage(touch, "attn_fwd--Arch_gfx1151").data)
    return touch(Made(held.getvalue(), _zip_edges(held.getvalue())))


def _zip_edges(data: bytes) -> tuple[int, ...]:
    marks = (b"PK\3\4", b"PK\1\2", b"PK\5\6")
    return tuple(at for at in range(len(data)) if data[at : at + 4] in marks)


def wheel(touch: Touch) -> Made:
    """Of members stored and deflated, large and small, and metadata."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("fill/lib/libfill.so", _host(touch).data)
        archive.writestr("fill/fill.fatbin", _fatbin(touch).data, zipfile.ZIP_STORED)
        archive.writestr("fill/__init__.py", b"")
        archive.writestr(
            "fill-1.0.dist-info/METADATA", b"Metadata-Version: 2.1\nName: fill\nVersion: 1.0+rocm7.2\n\nText\n"
        )
        archive.writestr("fill-1.0.dist-info/WHEEL", b"Wheel-Version: 1.0\nTag: cp311-cp311-manylinux_2_28_x86_64\n")
        archive.writestr("fill-1.0.dist-info/RECORD", b"")
    data = held.getvalue()
    return touch(Made(data, _zip_edges(data)))


def tar(touch: Touch, *, packing: str = "") -> Made:
    """Of a library, a link to it and a folder, packed or not."""
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, data in (
            ("./usr/lib/libfill.so.1", _host(touch).data),
            ("./usr/share/" + "long/" * 30 + "k.fatbin", _fatbin(touch).data),
        ):
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        link = tarfile.TarInfo("./usr/lib/libfill.so")
        link.type, link.linkname = tarfile.SYMTYPE, "libfill.so.1"
        archive.addfile(link)
    data = held.getvalue()
    return _packed(touch(Made(data, tuple(range(0, len(data), 512)))), packing)


def _packed(made: Made, packing: str) -> Made:
    import bz2
    import gzip

    ways: dict[str, Callable[[bytes], bytes]] = {
        "": bytes,
        "gz": gzip.compress,
        "xz": lambda data: lzma.compress(data, preset=0),
        "bz2": bz2.compress,
        "zst": zstandard.ZstdCompressor().compress,
        "lzma": lambda data: lzma.compress(data, format=lzma.FORMAT_ALONE, preset=0),
    }
    return made if not packing else Made(ways[packing](made.data))


def deb(touch: Touch, *, packing: str = "xz") -> Made:
    """A Debian package."""
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as archive:
        control = b"Package: libfill1\nVersion: 1.0-1\nArchitecture: amd64\nDepends: libc6\n"
        info = tarfile.TarInfo("./control")
        info.size = len(control)
        archive.addfile(info, io.BytesIO(control))
    dot = f".{packing}" if packing else ""
    members = [
        ("debian-binary", Made(b"2.0\n")),
        (f"control.tar{dot}", _packed(touch(Made(held.getvalue())), packing)),
        (f"data.tar{dot}", touch(tar(touch, packing=packing))),
    ]
    parts = [
        joined(f"{name:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{len(one.data):<10}`\n".encode(), layers.padded(one, 2))
        for name, one in members
    ]
    return touch(joined(b"!<arch>\n", *parts))


HOSTED = BUNDLED | FATTED | {"sm_75", "gfx942"}
AOTRITON = "aotriton.images/amd-{}/flash/attn_fwd/a.aks2"
LIBRARY = "rocblas/library/"

SEEDS: tuple[Seed, ...] = (
    (
        "a.co",
        lambda touch: layers.code_object("gfx942:sramecc+:xnack-", touch=touch),
        frozenset({"gfx942:sramecc+:xnack-"}),
    ),
    ("b.o", lambda touch: layers.code_object("gfx906", 3, kind=1, touch=touch), frozenset({"gfx906:sramecc-:xnack-"})),
    ("c.hsaco", lambda touch: layers.old_code_object(touch=touch), frozenset({"gfx906:sramecc-:xnack-"})),
    ("d.bundle", _bundle, BUNDLED),
    ("e.bundle", _bundles, BUNDLED),
    ("f.fatbin", _fatbin, FATTED),
    ("g.cubin", lambda touch: layers.cubin(touch=touch), frozenset({"sm_90a"})),
    ("h.cubin", lambda touch: layers.cubin(0x550, 7, touch=touch), frozenset({"sm_80"})),
    (
        "i.cubin",
        lambda touch: layers.cubin(0x6007802, compat=struct.pack("<BBHBBH", 1, 1, 0, 2, 9, 1), touch=touch),
        frozenset({"sm_120a"}),
    ),
    ("j.ptx", lambda touch: touch(Made(PTX)), frozenset({"compute_90a"})),
    ("libk.so", _host, HOSTED),
    ("libl.so", lambda touch: _host(touch, order=">", machine=21), HOSTED),
    ("libm.so", lambda touch: _host(touch, bits=32, machine=3, many=True), HOSTED),
    ("n.a", _archive, ARCHIVED),
    ("o.a", lambda touch: _archive(touch, bsd=True), ARCHIVED),
    ("p.a", lambda touch: _archive(touch, thin=True), frozenset()),
    ("q.kpack", _pack, frozenset({"gfx1100", "gfx1151"})),
    ("r.kpack", lambda touch: _pack(touch, "none"), frozenset({"gfx1100", "gfx1151"})),
    (
        "s.o",
        lambda touch: layers.host([Section(".llvm.offloading", 1, _offload(touch))], Head(kind=1), touch),
        frozenset({"gfx942"}),
    ),
    (LIBRARY + "TensileLibrary_gfx1151.co", lambda touch: layers.code_object(touch=touch), frozenset({"gfx1151"})),
    (
        LIBRARY + "Kernels.so-000-gfx90a-xnack-.hsaco",
        lambda touch: layers.compressed(_bundle(touch), touch=touch),
        BUNDLED,
    ),
    (LIBRARY + "TensileLibrary_lazy_gfx1151.dat", lambda touch: _tensile(touch, "gfx1151"), frozenset({"gfx1151"})),
    (
        LIBRARY + "TensileLibrary.dat",
        lambda touch: _tensile(touch, "gfx906", "gfx1030"),
        frozenset({"gfx906", "gfx1030"}),
    ),
    (
        LIBRARY + "TensileLibrary_lazy_gfx1151.dat.zlib",
        lambda touch: touch(Made(zlib.compress(_tensile(touch, "gfx1151").data))),
        frozenset({"gfx1151"}),
    ),
    (
        LIBRARY + "TensileLibrary_a_gfx1151.yaml",
        lambda touch: touch(Made(b"- {type: Processor, value: gfx1151}\n")),
        frozenset({"gfx1151"}),
    ),
    ("hipblaslt/library/TensileLiteLibrary_lazy_Mapping.dat", _mapping, frozenset({"gfx1151", "gfx90a"})),
    ("hipblaslt/library/hipblasltExtOpLibrary.dat", _forms, frozenset({"gfx1151", "gfx90a"})),
    ("miopen/db/gfx90a68.kdb", _database, frozenset({"gfx90a"})),
    ("miopen/db/gfx906_nosramecc_xnack_60.ukdb", _database, frozenset({"gfx906:sramecc-:xnack+"})),
    ("miopen/db/gfx942130.tn.model", lambda touch: touch(Made(b"{}")), frozenset({"gfx942"})),
    ("miopen/db/gfx906_60.HIP.fdb.txt", lambda touch: touch(Made(b"1-2-3=a:1\n")), frozenset({"gfx906"})),
    (AOTRITON.format("gfx1151"), lambda touch: _storage(touch, "a", "b"), frozenset({"gfx1151"})),
    (AOTRITON.format("gfx11xx"), lambda touch: _storage(touch, "a", "b"), frozenset({"gfx1151"})),
    (AOTRITON.format("gfx115x"), lambda touch: _storage(touch, "a--Arch_gfx1151"), frozenset({"gfx1151"})),
    ("aotriton.images/amd-gfx115x/flash/attn_fwd.zip", _stored_zip, frozenset({"gfx1151"})),
)

CONTAINERS: tuple[Seed, ...] = (
    ("fill-1.0-cp311-cp311-linux_x86_64.whl", wheel, HOSTED),
    ("odd name.whl", wheel, HOSTED),
    *(
        ("fill.tar" + (f".{one}" if one else ""), lambda touch, one=one: tar(touch, packing=one), HOSTED)
        for one in ("", "gz", "xz", "bz2", "zst")
    ),
    *(
        (f"libfill1_1.0-1_{one}.deb", lambda touch, one=one: deb(touch, packing=one), HOSTED)
        for one in ("", "gz", "xz", "bz2", "zst", "lzma")
    ),
)
