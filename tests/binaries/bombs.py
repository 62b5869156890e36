"""Small files that unpack to very much: alone, many in one, and packed a second time by what they lie in.

`python -m tests.binaries.bombs NAME FOLDER` reads one that lies in the folder, with its memory bounded, and prints
seconds, peak MiB and how many faults it found; run by `bombs_test.py`.
"""

from __future__ import annotations

import functools
import io
import lzma
import resource
import struct
import sys
import time
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

from firstlight.binaries.report import inspect

from .layers import HIP

MEMORY = 1 << 30
"""Bytes of address space."""
_BLOCK = 1 << 20


@functools.cache
def deflated_zeros(mib: int) -> bytes:
    """A raw deflate stream, about one thousandth as long as what comes out."""
    engine = zlib.compressobj(9, zlib.DEFLATED, -15)
    first = engine.compress(bytes(_BLOCK)) + engine.flush(zlib.Z_FULL_FLUSH)
    engine = zlib.compressobj(9, zlib.DEFLATED, -15)
    return first * (mib - 1) + engine.compress(bytes(_BLOCK)) + engine.flush()


@functools.cache
def zlib_zeros(mib: int, start: bytes = b"") -> bytes:
    """A zlib stream; its checksum is wrong, which shows only at the end."""
    engine = zlib.compressobj(9, zlib.DEFLATED, -15)
    return b"\x78\xda" + engine.compress(start) + engine.flush(zlib.Z_FULL_FLUSH) + deflated_zeros(mib) + b"\0" * 4


def zstd_zeros(mib: int, start: bytes = b"") -> bytes:
    """A zstd frame of blocks that repeat one byte (RFC 8878, 3.1.1.2): four bytes for each 128 KiB."""
    raw = struct.pack("<I", len(start) << 3)[:3] + start if start else b""
    again = struct.pack("<I", (1 << 17) << 3 | 1 << 1)[:3] + b"\0"
    last = struct.pack("<I", 1 << 3 | 1 << 1 | 1)[:3] + b"\0"
    return b"\x28\xb5\x2f\xfd\0\x58" + raw + again * (8 * mib) + last


@functools.cache
def xz_zeros(mib: int) -> bytes:
    """Streams of 64 MiB one after the other."""
    return lzma.compress(bytes(64 * _BLOCK), preset=1) * (mib // 64)


@functools.cache
def bundle(mib: int) -> bytes:
    """A compressed bundle whose one entry lies at its end."""
    size = mib * _BLOCK
    name = (HIP + "gfx906").encode()
    start = b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<QQQQ", 1, size - 4096, 64, len(name)) + name
    stream = zstd_zeros(mib, start)
    return b"CCOB" + struct.pack("<HHQQQ", 3, 1, 32 + len(stream), size + len(start) + 1, 0) + stream


def bundles(count: int, mib: int) -> bytes:
    """So many in a row."""
    one = bundle(mib)
    return (one + b"\0" * (-len(one) % 4096)) * count


def zipped(members: dict[str, bytes]) -> bytes:
    """A wheel."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return held.getvalue()


def one_member(mib: int) -> bytes:
    """A wheel of one library, made by hand since zipfile would have to unpack it first."""
    stream, name = deflated_zeros(mib), b"fill/lib/libfill.so"
    size = mib * _BLOCK
    told = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 0, 0, len(stream), size, len(name), 0)
    local = b"PK\3\4" + told + name + stream
    entry = b"PK\1\2" + struct.pack("<H", 20) + told + struct.pack("<HHHII", 0, 0, 0, 0, 0) + name
    end = b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(entry), len(local), 0)
    return local + entry + end


def overlapping(count: int) -> bytes:
    """A wheel in whose directory every member is the same stretch of the file."""
    data = one_member(64)
    at = data.index(b"PK\1\2")
    end = len(data) - 22
    entry = data[at:end]
    rows = b"".join(entry.replace(b"libfill", b"lib%04d" % number) for number in range(count))
    return data[:at] + rows + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, count, count, len(rows), at, 0)


def package(packed: bytes, suffix: str) -> bytes:
    """A deb."""
    parts = [b"!<arch>\n"]
    for name, data in (("debian-binary", b"2.0\n"), (f"data.tar.{suffix}", packed)):
        parts.append(
            f"{name:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{len(data):<10}`\n".encode() + data + b"\n" * (len(data) % 2)
        )
    return b"".join(parts)


def tar_start(name: str, size: int) -> bytes:
    """A header of a member of zeros."""
    import tarfile

    info = tarfile.TarInfo(name)
    info.size = size
    return info.tobuf(tarfile.GNU_FORMAT)


def kernel_pack(count: int, mib: int) -> bytes:
    """A kpack of frames that unpack to zeros."""
    frame = zstd_zeros(mib)
    code = struct.pack("<I", count) + (struct.pack("<I", len(frame)) + frame) * count
    table = b"\x83\xb2compression_scheme\xafzstd-per-kernel\xabzstd_offset\x40\xa3toc\x80"
    return struct.pack("<4sIQ", b"KPAK", 1, 64 + len(code)) + b"\0" * 48 + code + table


@functools.cache
def attention(mib: int) -> bytes:
    """An AKS2 file whose one image does not say in its name what it is for."""
    directory = struct.pack("<5I", 0, 0, (mib - 1) * _BLOCK, 64, 2) + b"a\0"
    engine = lzma.LZMACompressor(preset=1)
    stream = engine.compress(directory) + engine.compress(bytes(mib * _BLOCK)) + engine.flush()
    return struct.pack("<4s3I", b"AKS2", len(directory) + mib * _BLOCK, 1, len(directory)) + stream


def attentions(count: int, mib: int) -> bytes:
    """A zip of such, stored as AOTriton has them."""
    held, one = io.BytesIO(), attention(mib)
    with zipfile.ZipFile(held, "w") as archive:
        for number in range(count):
            archive.writestr(f"{number}.aks2", one)
    return held.getvalue()


LAZY = "rocblas/library/TensileLibrary_lazy_{}_gfx906.dat.zlib"
IMAGES = "aotriton.images/amd-gfx11xx/flash/attn_fwd"

BOMBS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "a library of zeros in a wheel": ("a.whl", lambda: one_member(4095)),
    "members that overlap in a wheel": ("b.whl", lambda: overlapping(1000)),
    "a compressed bundle": ("c.bundle", lambda: bundle(1 << 16)),
    "many compressed bundles": ("d.bundle", lambda: bundles(1000, 250)),
    "many files of compressed bundles in a wheel": (
        "e.whl",
        lambda: zipped({f"fill/{number}.bundle": bundle(250) for number in range(500)}),
    ),
    "packed indices in a wheel": (
        "f.whl",
        lambda: zipped({LAZY.format(number): zlib_zeros(1000, b"\x80") for number in range(200)}),
    ),
    "a deb in xz": ("g.deb", lambda: package(xz_zeros(8192), "xz")),
    "a deb in zstd": ("h.deb", lambda: package(zstd_zeros(8192, tar_start("usr/lib/libfill.so", 8 << 30)), "zst")),
    "a tar in gzip": ("i.tar.gz", lambda: b"\x1f\x8b\x08\0\0\0\0\0\0\3" + deflated_zeros(8192) + b"\0" * 8),
    "frames of a kpack": ("j.kpack", lambda: kernel_pack(100_000, 4)),
    "an image of AOTriton": (f"{IMAGES}/k.aks2", lambda: attention(90)),
    "many images of AOTriton": (f"{IMAGES}/l.zip", lambda: attentions(300, 90)),
    "many images of AOTriton in a wheel": (
        "m.whl",
        lambda: zipped({f"{IMAGES}/{number}.aks2": attention(90) for number in range(300)}),
    ),
    "a folder's worth of bundles in a tar": ("n.tar.zst", lambda: _tar_of_bundles(500)),
}


def _tar_of_bundles(count: int) -> bytes:
    import zstandard

    one = bundle(250)
    parts = [tar_start(f"{number}.bundle", len(one)) + one + b"\0" * (-len(one) % 512) for number in range(count)]
    return zstandard.ZstdCompressor().compress(b"".join(parts))


def made(name: str, folder: Path) -> Path:
    """The file itself."""
    path, make = BOMBS[name]
    place = folder / path
    place.parent.mkdir(parents=True, exist_ok=True)
    if not place.exists():
        place.write_bytes(make())
    return place


def main(name: str, folder: Path) -> None:
    """Reads it with little memory."""
    place = folder / BOMBS[name][0]
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    start = time.perf_counter()
    report = inspect(str(place))
    took = time.perf_counter() - start
    faults = [*report.faults, *(fault for piece in report.pieces for fault in piece.faults)]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sys.stdout.write(f"{took:.2f} {peak:.0f} {len(faults)} {faults[0].detail if faults else ''}\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
