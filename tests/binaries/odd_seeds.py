"""Files that a reader meets seldom: old or rare forms, those of other vendors, some wrong on purpose. That nothing
crashes is all that is asked of them."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
from collections.abc import Callable, Iterator

import msgspec
import zstandard

from . import layers
from .layers import HIP, PTX, Head, Made, Section, Touch, joined

Odd = tuple[str, Callable[[Touch], Made]]


def _entries(*names: str) -> list[tuple[str, Made]]:
    contents = (Made(b"\x7fELF" + b"\0" * 60), Made(b"\x03\x02\x23\x07" + b"\0" * 12), Made(b"text"), Made(b""))
    return list(zip(names, contents, strict=False))


def _foreign(touch: Touch) -> Made:
    """Bundles for other vendors' GPUs, with ids that are no ids, and a bundle of texts."""
    first = _entries(
        "openmp-nvptx64-nvidia-cuda--sm_80", "hip-spirv64-amd-amdhsa--amdgcnspirv", "sycl-spir64_gen", "hip-"
    )
    second = _entries("hip-amdgcn-amd-amdhsa--gfx906", "hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc", "x" * 600)
    text = Made(b"__CLANG_OFFLOAD_BUNDLE____START__ hip-amdgcn-amd-amdhsa--gfx906\n")
    wrong = layers.bundle([(HIP + "gfx1030", layers.code_object("gfx1151", touch=touch))], touch=touch)
    return joined(layers.bundle(first, touch=touch), layers.bundle(second, touch=touch), text, wrong)


def _other_packing(touch: Touch) -> Made:
    """Compressed bundles that hold none, whose sizes lie, of methods and versions to come."""
    plain = layers.bundle(_entries(HIP + "gfx906"), touch=touch)
    parts = []
    for version, method, told in ((2, 1, 10), (2, 0, 1 << 20), (1, 1, 5), (3, 0, 0), (4, 1, 99), (2, 7, 99)):
        packed = layers.compressed(plain, min(version, 3), method if method < 2 else 1, touch).data
        head = bytearray(packed)
        head[4:8] = struct.pack("<HH", version, method)
        head[12 if version == 2 else 8 : 16 if version == 2 else 12] = struct.pack("<I", told)
        parts.append(Made(bytes(head)))
    return joined(layers.compressed(Made(b"no bundle at all"), 2, 1, touch), *parts)


def _offload(image: Made, kind: int, arch: str, version: int = 1, flags: int = 0) -> Made:
    texts = b"arch\0" + arch.encode() + b"\0"
    at = 32 + 40 + (16 if version == 1 else 24)
    body = at + len(texts)
    row = struct.pack("<HHIQQQQ", kind, 4, flags, 72, 1, body, len(image.data))
    strings = struct.pack("<QQ", at, at + 5) + (b"" if version == 1 else struct.pack("<Q", len(arch)))
    head = b"\x10\xff\x10\xad" + struct.pack("<IQQQ", version, body + len(image.data), 32, 40 if version == 1 else 1)
    return layers.padded(joined(head, row, strings, texts, image), 8)


def _offloads(touch: Touch) -> Made:
    fat = layers.fat_binary([layers.entry(2, 80, b"")], touch)
    parts = [
        _offload(fat, 4, "sm_80"),
        _offload(Made(PTX), 5, "sm_90"),
        _offload(layers.cubin(touch=touch), 3, "sm_90a"),
        _offload(layers.code_object(touch=touch), 1, "gfx1151", version=2),
        _offload(Made(b"x"), 1, "pvc"),
        _offload(Made(b""), 1, "gfx906", flags=1),
        _offload(Made(b"BC\xc0\xde"), 2, "gfx906"),
        Made(b"\x10\xff\x10\xad" + struct.pack("<IQQQ", 9, 40, 32, 40)),
        Made(b"\x10\xff\x10\xad" + struct.pack("<IQQQ", 2, 80, 32, 1 << 40) + b"\0" * 48),
        Made(b"\x10\xff\x10\xad" + struct.pack("<IQQQ", 2, 40, 32, 3)),
    ]
    return layers.host([Section(".llvm.offloading", 1, touch(joined(*parts)))], Head(kind=1), touch)


def _fat(touch: Touch) -> Made:
    """Kinds of entries that have no target here, versions and magics of before and after."""
    kinds = [layers.entry(kind, 80, b"x") for kind in (4, 32, 128, 99)] + [layers.entry(2, 1000, b"")]
    old = Made(b"\x01\x5a\xe5\x1e" + b"\0" * 12)
    later = Made(struct.pack("<IHHQ", 0xBA55ED50, 2, 16, 0))
    table = layers.concatenated([layers.concatenated([layers.entry(2, 80, b"")], touch)], touch)
    large = Made(struct.pack("<HHIQIIHHIIIQQQ", 256, 0x101, 1 << 21, 0, 0, 64, 7, 8, 0, 0, 0, 0, 0, 0))
    return joined(old, later, *(layers.fat_binary([one], touch) for one in (*kinds, table, large)))


def _members(touch: Touch) -> Made:
    """Names that are nowhere, tables of other systems, sizes that are no numbers."""

    def head(name: str, size: str = "4") -> bytes:
        return f"{name:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{size:<10}`\n".encode()

    names = ("/99", "/x", "#1/99", "#1/x", "/SYM64/", "__.SYMDEF", "__.SYMDEF SORTED", "a.o/", "//", "/0", "")
    rows = [joined(head(name), b"abcd") for name in names]
    return touch(joined(b"!<arch>\n", head("//", "6"), b"no end", *rows, head("z", "-1")))


def _packs(touch: Touch) -> Made:
    return layers.kernel_pack(
        [("a#0", "gfx1151", Made(b"no code")), ("b#0", "gfx90a", layers.code_object("gfx906", touch=touch))],
        "lz4",
        touch,
    )


def _ways(touch: Touch) -> Made:
    """The first form of version 1: places in the rows; a row without any; keys that are no names."""
    code = layers.code_object(touch=touch)
    toc: dict[object, object] = {
        "a": {"gfx1151": {"offset": 64, "size": len(code.data)}, "gfx1100": {}, 5: {}},
        7: {"gfx90a": {}},
    }
    table = msgspec.msgpack.encode(
        {"toc": toc, "zstd_offset": -1, "compression_scheme": None, "blobs": [{"offset": 1.5}]}
    )
    return touch(joined(struct.pack("<4sIQ", b"KPAK", 1, 64 + len(code.data)), b"\0" * 48, code, touch(Made(table))))


def _marked(touch: Touch) -> Made:
    table = Made(msgspec.msgpack.encode({"kpack_search_paths": "x", "kernel_name": 5, "x": [1], 3: None}))
    return layers.host([Section(".rocm_kpack_ref", 1, touch(table))], touch=touch)


def _archive(*members: tuple[zipfile.ZipInfo, bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for info, data in members:
            archive.writestr(info, data)
    return held.getvalue()


def _info(name: str, method: int = zipfile.ZIP_STORED, mode: int = 0o100644) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.compress_type, info.external_attr, info.create_system = method, mode << 16, 3
    return info


def _strange_zip(touch: Touch) -> Made:
    """Links, folders, methods that are not read, names that lead out, the same name twice, encryption, metadata."""
    fat = layers.fat_binary([layers.entry(2, 80, b"")]).data
    data = _archive(
        (_info("link.so", mode=0o120777), b"target"),
        (_info("folder/", mode=0o40755), b""),
        (_info("../out.so"), fat),
        (_info("a.fatbin"), fat),
        (_info("a.fatbin"), fat),
        (_info("b.so", zipfile.ZIP_BZIP2), fat),
        (_info("empty.so"), b""),
        (_info("x-1.dist-info/METADATA"), b"Name: x\nVersion: 1\n more\nno colon\n"),
        (_info("secret.so"), fat),
        (_info("x-1.dist-info/WHEEL", zipfile.ZIP_DEFLATED), b"Tag: py3-none-any\n" * 3),
        (_info("noname"), b"text" * 300),
        (_info("unnamed", zipfile.ZIP_DEFLATED), fat),
        (_info("deep.zip"), b"PK"),
        (_info("large.whl"), b"PK\3\4"),
    )
    hidden = bytearray(data)
    at = data.rindex(b"secret.so")
    hidden[at - 38] |= 1
    edges = tuple(at for at in range(len(data)) if data[at : at + 4] in (b"PK\3\4", b"PK\1\2", b"PK\5\6"))
    return touch(Made(bytes(hidden), edges))


def _zip64(touch: Touch) -> Made:
    """An end record of ZIP64 before the usual one, and what it says of the directory."""
    data = _archive((_info("a.fatbin"), layers.fat_binary([layers.entry(2, 80, b"")]).data))
    at = data.index(b"PK\5\6")
    start, size = data.index(b"PK\1\2"), at - data.index(b"PK\1\2")
    record = struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, 1, 1, size, start)
    place = struct.pack("<4sIQI", b"PK\6\7", 0, at, 1)
    end = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    return touch(joined(data[:start], data[start:at], record, place, end))


def _strange_tar(touch: Touch, form: int = tarfile.PAX_FORMAT) -> Made:
    """Extended headers, links, devices, a sparse file, names that lead out, an archive and packages inside."""
    fat = layers.fat_binary([layers.entry(2, 80, b"")]).data
    held, inner = io.BytesIO(), io.BytesIO()
    with tarfile.open(fileobj=inner, mode="w:gz") as archive:
        _add(archive, "x/k.fatbin", fat)
        _add(archive, "x/again.tar.gz", b"\x1f\x8b")
    with tarfile.open(
        fileobj=held, mode="w", format=form, pax_headers={"comment": "x"} if form == tarfile.PAX_FORMAT else None
    ) as archive:
        for name, data in (
            ("./usr/" + "n" * 200 + "/\u00e9.fatbin", fat),
            ("../../out.so", fat),
            ("inner.tar.gz", inner.getvalue()),
            ("inner.tar.zst", b"\x28\xb5\x2f\xfd"),
            ("p.whl", b"PK\3\4"),
            ("p.deb", b"!<arch>\n"),
            ("bin/tool", b"#!/bin/sh\n"),
            ("bin/elf", fat),
            ("t.txt", b"t"),
            (".hidden", b"t"),
            ("db/gfx906_60.db.txt", b"a=b\n"),
            ("i.tar", fat),
        ):
            _add(archive, name, data)
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.DIRTYPE, tarfile.GNUTYPE_SPARSE):
            info = tarfile.TarInfo("l" * 120)
            info.type, info.linkname = kind, "m" * 120
            archive.addfile(info)
    data = held.getvalue()
    return touch(Made(data, tuple(range(0, len(data), 512))))


def _add(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    info = tarfile.TarInfo(name)
    info.size = len(data)
    archive.addfile(info, io.BytesIO(data))


def _padded_streams(touch: Touch) -> Iterator[tuple[str, bytes]]:
    """Two streams one after the other, then zeros; and garbage behind the end."""
    data = _strange_tar(touch, tarfile.GNU_FORMAT).data
    half = len(data) // 2
    for name, pack in (
        ("gz", gzip.compress),
        ("bz2", bz2.compress),
        ("xz", lzma.compress),
        ("zst", zstandard.ZstdCompressor().compress),
    ):
        packed = pack(data[:half]) + pack(data[half:])
        yield f"two.tar.{name}", packed + b"\0" * 64
        yield f"garbage.tar.{name}", packed + b"garbage"


def _stream(name: str) -> Odd:
    return name, lambda touch: touch(Made(dict(_padded_streams(touch))[name]))


ODD_FILES: tuple[Odd, ...] = (
    ("a.bundle", _foreign),
    ("b.bundle", _other_packing),
    ("c.o", _offloads),
    ("d.fatbin", _fat),
    ("e.a", _members),
    ("f.kpack", _packs),
    ("g.kpack", _ways),
    ("h.so", _marked),
    ("i.ptx", lambda touch: touch(Made(b".version 8.0\n.address_size 64\n"))),
    ("j.ptx", lambda touch: touch(Made(b"not / ptx /* "))),
    ("k.hsaco", lambda touch: layers.elf(Head(machine=224, flags=0xFF, os_abi=64, abi=9), [], touch)),
    ("l.co", lambda touch: layers.old_code_object((99, 9, 9), touch=touch)),
    *(
        (f"miopen/{name}", lambda touch, data=data: touch(Made(data)))
        for name, data in (
            ("gfx906_60.kdb", b"version https://git-lfs.github.com/spec/v1\n"),
            ("gfx906_60.db.txt", b"a\0=b"),
            ("gfx906_60.udb.txt", b""),
            ("gfx99999.kdb", b"x"),
            ("gfx90azz.kdb", b"x"),
            ("gfx9a.db.txt", b"a=b"),
            ("gfx90a68_x.kdb", b"SQLite format 3\0" + b"\x03" * 90),
            ("gfx90a40.db.txt", b"a=b"),
            ("gfx90a0.db.txt", b"a=b"),
            ("gfx90a68.fdb.txt", b"none"),
        )
    ),
    *(
        (f"rocblas/library/{name}", lambda touch, data=data: touch(Made(data)))
        for name, data in (
            ("TensileLibrary_gfx1151.co", b"neither"),
            ("TensileLibrary_gfx1151.dat", b""),
            ("TensileLibrary_gfx1151.dat.zlib", b"x\x9cbroken"),
            ("TensileLibrary_gfx1151_Mapping.dat", b"\x81\xa4none\x01"),
            ("TensileLibrary_lazy_gfx1151.dat", b"\x81\xa4type\xa9Processor\xa5value\xa6gfx906"),
        )
    ),
    ("hipblaslt/library/gfx1250v0/TensileLibrary_gfx1250.co", lambda touch: layers.code_object("gfx1250", touch=touch)),
    ("rocblas/library/TensileLibrary_gfx1030.co", lambda touch: layers.code_object("gfx1151", touch=touch)),
)

ODD_CONTAINERS: tuple[Odd, ...] = (
    ("strange.whl", _strange_zip),
    ("zip64.whl", _zip64),
    ("pax.tar", _strange_tar),
    ("gnu.tar", lambda touch: _strange_tar(touch, tarfile.GNU_FORMAT)),
    *(_stream(f"{kind}.tar.{name}") for kind in ("two", "garbage") for name in ("gz", "bz2", "xz", "zst")),
    ("nothing.deb", lambda touch: touch(joined(b"!<arch>\ndebian-binary   "))),
)
