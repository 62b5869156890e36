"""AMD device code and its containers, written from the standards by hand: tests take them apart again."""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Sequence

import msgspec
import zstandard

HSA = 64
AMDGPU = 224
MAGIC = b"__CLANG_OFFLOAD_BUNDLE__"


def note(owner: bytes, kind: int, content: bytes) -> bytes:
    """One note record, padded."""
    name = owner + b"\0"
    return b"".join(
        (
            struct.pack("<III", len(name), len(content), kind),
            name,
            b"\0" * (-len(name) % 4),
            content,
            b"\0" * (-len(content) % 4),
        )
    )


def kernel(name: str = "k", wave: int = 32, registers: int = 16, lds: int = 1024) -> dict[str, object]:
    """Metadata of one kernel, with what this program does not read between."""
    return {
        ".args": [{".name": "out", ".offset": 0, ".size": 8, ".value_kind": "global_buffer"}],
        ".group_segment_fixed_size": lds,
        ".name": name,
        ".sgpr_count": 4,
        ".vgpr_count": registers,
        ".wavefront_size": wave,
    }


def metadata(kernels: Sequence[dict[str, object]], target: str | None = None) -> bytes:
    """The note of version 3 and above."""
    tree: dict[str, object] = {"amdhsa.kernels": list(kernels), "amdhsa.version": [1, 2]}
    if target:
        tree["amdhsa.target"] = f"amdgcn-amd-amdhsa--{target}"
    return note(b"AMDGPU", 32, msgspec.msgpack.encode(tree))


def code_object(
    flags: int, *, abi: int = 3, notes: bytes = b"", machine: int = AMDGPU, os_abi: int = HSA, size: int = 0
) -> bytes:
    """A linked one: header, one program header of notes, the notes, and zeros up to `size`."""
    ident = b"\x7fELF" + bytes((2, 1, 1, os_abi, abi)) + b"\0" * 7
    head = ident + struct.pack("<HHIQQQIHHHHHH", 3, machine, 1, 0, 64, 0, flags, 64, 56, 1, 64, 0, 0)
    segment = struct.pack("<IIQQQQQQ", 4, 4, 120, 120, 120, len(notes), len(notes), 4)
    return (head + segment + notes).ljust(size, b"\0")


def relocatable(flags: int, notes: bytes, *, abi: int = 3) -> bytes:
    """One that is not linked: its notes are in a section."""
    names = b"\0.note\0.shstrtab\0"
    ident = b"\x7fELF" + bytes((2, 1, 1, HSA, abi)) + b"\0" * 7
    table = 64 + len(notes) + len(names)
    head = ident + struct.pack("<HHIQQQIHHHHHH", 1, AMDGPU, 1, 0, 0, table, flags, 64, 0, 0, 64, 3, 2)
    rows = (
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
        (1, 7, 2, 0, 64, len(notes), 0, 0, 4, 0),
        (7, 3, 0, 0, 64 + len(notes), len(names), 0, 0, 1, 0),
    )
    return head + notes + names + b"".join(struct.pack("<IIQQQQIIQQ", *row) for row in rows)


def bundle(entries: Sequence[tuple[str, bytes]], align: int = 4096) -> bytes:
    """A plain bundle, the empty entry of the host first."""
    rows = [("host-x86_64-unknown-linux--", b""), *entries]
    place = len(MAGIC) + 8 + sum(24 + len(id) for id, _ in rows)
    table, content = b"", b""
    for id, data in rows:
        content += b"\0" * (-(place + len(content)) % align)
        table += struct.pack("<QQQ", place + len(content), len(data), len(id)) + id.encode()
        content += data
    return MAGIC + struct.pack("<Q", len(rows)) + table + content


def compressed(data: bytes, version: int = 3, method: str = "zstd", *, unpacked: int | None = None) -> bytes:
    """A compressed bundle of each version."""
    packed = zlib.compress(data) if method == "zlib" else zstandard.ZstdCompressor(write_checksum=True).compress(data)
    half = hashlib.md5(data, usedforsecurity=False).digest()[:8]
    size = len(data) if unpacked is None else unpacked
    head = b"CCOB" + struct.pack("<HH", version, {"zlib": 0, "zstd": 1}[method])
    if version == 1:
        return head + struct.pack("<I8s", size, half) + packed
    form = "<II8s" if version == 2 else "<QQ8s"
    return head + struct.pack(form, len(head) + struct.calcsize(form) + len(packed), size, half) + packed


def archive(members: Sequence[tuple[str, bytes]], *, thin: bool = False) -> bytes:
    """A static archive, with a table of long names as GNU ar writes it."""
    names = b"".join(f"{name}/\n".encode() for name, _ in members if len(name) > 15)
    parts = [
        b"!<thin>\n" if thin else b"!<arch>\n",
        _member(b"/", b"\0\0\0\0"),
        _member(b"//", names) if names else b"",
    ]
    at = 0
    for name, data in members:
        if len(name) > 15:
            raw, at = f"/{at}".encode(), at + len(name) + 2
        else:
            raw = f"{name}/".encode()
        parts.append(_member(raw, data)[:60] if thin else _member(raw, data))
    return b"".join(parts)


def _member(name: bytes, data: bytes) -> bytes:
    return b"%-16s%-12d%-6d%-6d%-8o%-10d`\n" % (name, 0, 0, 0, 0o644, len(data)) + data + b"\n" * (len(data) % 2)
