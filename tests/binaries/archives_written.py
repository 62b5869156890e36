"""Writers of the files that AMD's libraries keep their kernels in, made after the layouts alone: none of our readers'
code is in them."""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
from collections.abc import Mapping, Sequence

import msgspec
import zstandard

MACH = {"gfx900": 0x2C, "gfx906": 0x2F, "gfx90a": 0x3F, "gfx942": 0x4C, "gfx1100": 0x41, "gfx1151": 0x4A}
pack = msgspec.msgpack.encode

Kernel = tuple[str, str, bytes]
"""Binary and number of its unit, target, code."""


def code_object(target: str, *, registers: int = 32, lds: int = 512, wave: int = 32, kernels: int = 2) -> bytes:
    """An ELF of code object version 5 with a note of metadata, and 4 KiB that stand for code."""
    name, *modes = target.split(":")
    flags = MACH[name]
    for mode in modes:
        flags |= (3 if mode.endswith("+") else 2) << {"xnack": 8, "sramecc": 10}[mode[:-1]]
    kernel = {".vgpr_count": registers, ".group_segment_fixed_size": lds, ".wavefront_size": wave}
    metadata = {
        "amdhsa.kernels": [{".name": f"k{number}", **kernel} for number in range(kernels)],
        "amdhsa.target": f"amdgcn-amd-amdhsa--{target}",
        "amdhsa.version": [1, 2],
    }
    content = pack(metadata)
    note = struct.pack("<III", 7, len(content), 32) + b"AMDGPU\0\0" + content + bytes(-len(content) % 4)
    ident = b"\x7fELF" + bytes([2, 1, 1, 64, 3]) + bytes(7)
    header = ident + struct.pack("<HHIQQQIHHHHHH", 3, 224, 1, 0, 64, 0, flags, 64, 56, 1, 64, 0, 0)
    segment = struct.pack("<IIQQQQQQ", 4, 4, 120, 120, 120, len(note), len(note), 4)
    return header + segment + note + bytes(range(256)) * 16


def kpack(
    kernels: Sequence[Kernel],
    *,
    scheme: str | None = "zstd-per-kernel",
    family: str = "gfx115X",
    more: Mapping[str, object] | None = None,
    pad: bool = True,
) -> bytes:
    """As rocm-kpack writes it; without a scheme in the first form, whose entries bear their places."""
    start = 64 if pad else 16
    toc: dict[str, dict[str, dict[str, object]]] = {}
    code, blobs = b"", []
    for ordinal, (binary, target, data) in enumerate(kernels):
        entry: dict[str, object] = {"type": "hsaco"}
        if scheme is None:
            code += bytes(-len(code) % 64)
            entry |= {"offset": start + len(code), "size": len(data)}
        else:
            entry |= {"ordinal": ordinal, "original_size": len(data)}
        blobs.append({"offset": start + len(code), "size": len(data)})
        toc.setdefault(binary, {})[target] = entry
        frame = zstandard.ZstdCompressor(level=3).compress(data)
        code += data if scheme != "zstd-per-kernel" else struct.pack("<I", len(frame)) + frame
    places: dict[str, object] = {}
    if scheme == "none":
        places = {"compression_scheme": scheme, "blobs": blobs}
    elif scheme is not None:
        code = struct.pack("<I", len(kernels)) + code
        places = {"compression_scheme": scheme, "zstd_offset": start, "zstd_size": len(code)}
    targets = sorted({target for _, target, _ in kernels})
    table = {"format_version": 1, "group_name": "test", "gfx_arch_family": family, "gfx_arches": targets, "toc": toc}
    head = struct.pack("<4sIQ", b"KPAK", 1, start + len(code)).ljust(start, b"\0")
    return head + code + pack({**table, **places, **(more or {})})


def aks2(images: Sequence[tuple[str, bytes]], *, lds: int = 4096) -> bytes:
    """A storage file of AOTriton: images by name, in one xz stream behind the header."""
    directory, offset = b"", 0
    for name, image in images:
        text = name.encode() + b"\0"
        directory += struct.pack("<5I", lds if image else 0, 256 if image else 0, offset, len(image), len(text)) + text
        offset += len(image)
    header = struct.pack("<4s3I", b"AKS2", len(directory) + offset, len(images), len(directory))
    return header + lzma.compress(directory + b"".join(image for _, image in images))


def flat_zip(files: Mapping[str, bytes], *, method: int = zipfile.ZIP_STORED) -> bytes:
    """Files that are only stored."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as made:
        for name, data in files.items():
            made.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data, method)
    return held.getvalue()


def bundle(targets: Sequence[str]) -> bytes:
    """An offload bundle with an entry for the host."""
    parts = [("host-x86_64-unknown-linux-gnu-", b"")]
    parts += [(f"hipv4-amdgcn-amd-amdhsa--{one}", code_object(one)) for one in targets]
    length = 32 + sum(24 + len(name) for name, _ in parts)
    rows, content = b"", b""
    for name, data in parts:
        rows += struct.pack("<QQQ", 4096 + len(content), len(data), len(name)) + name.encode()
        content += data
    head = b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", len(parts)) + rows
    assert len(head) == length
    return head.ljust(4096, b"\0") + content


def sqlite(pages: int = 3, *, size: int = 4096) -> bytes:
    """A database file whose pages are empty but for the header."""
    head = b"SQLite format 3\0" + struct.pack(">HBBBBBBIII", size % 65536 or 1, 1, 1, 0, 64, 32, 32, 7, pages, 0)
    return (head.ljust(92, b"\0") + struct.pack(">I", 7)).ljust(pages * size, b"\0")


def host_elf(sections: Mapping[str, bytes]) -> bytes:
    """An x86-64 library of nothing but these sections."""
    names, rows, content = b"\0", [bytes(64)], b""
    for name, data in {**sections, ".shstrtab": b""}.items():
        index, names = len(names), names + name.encode() + b"\0"
        held = names if name == ".shstrtab" else data
        rows.append(struct.pack("<IIQQQQIIQQ", index, 1, 0, 0, 64 + len(content), len(held), 0, 0, 1, 0))
        content += held
    ident = b"\x7fELF" + bytes([2, 1, 1, 0, 0]) + bytes(7)
    table = 64 + len(content)
    header = struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 0, table, 0, 64, 0, 0, 64, len(rows), len(rows) - 1)
    return ident + header + content + b"".join(rows)
