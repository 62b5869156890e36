"""Mutates archives and libraries of AMD's kernels and reads them; run under coverage by `archives_fuzz_test.py`.

Prints how often there was code and no fault, and how often a fault. Any exception is a bug, and so is an answer that
takes more than a second.
"""

from __future__ import annotations

import random
import struct
import sys
import time
import zlib
from collections.abc import Callable

from firstlight.binaries import aotriton, kpack, miopen, tensile
from firstlight.binaries.elf import Elf, read_elf
from firstlight.binaries.forward import Forward
from firstlight.binaries.found import Found
from firstlight.binaries.model import Fault
from firstlight.binaries.source import Held

from . import archives_written as written

SLOW = 1.0
NUMBERS = [
    struct.pack("<I", 0), struct.pack("<I", 1), struct.pack("<I", 0xFFFFFFFF), struct.pack("<I", 0x7FFFFFFF),
    struct.pack("<Q", 1 << 63), struct.pack("<Q", (1 << 64) - 1), struct.pack("<I", 1 << 20), struct.pack("<I", 64),
    b"\xdd\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff", b"\xdb\xff\xff\xff\xff", b"\xc1", b"\x80", b"\x90", b"\xa0",
    b"\xc0",
    b"\xc7\xff\x01", b"\xd4\x01\x00", b"\xcf" + b"\xff" * 8, b"\xd3" + b"\xff" * 8, b"\xcb" + bytes(8), b"\xc4\x02ab",
    b"\xd9\x20", b"\xcd\x7f\xff", b"\xe0", b"\x81\xa4type\xa9Processor", b"\x28\xb5\x2f\xfd", b"\x7fELF", b"KPAK",
    b"AKS2", b"PK\1\2", b"PK\5\6", b"PK\3\4", b"gfx1151", b"gfx90a:xnack+", b"--Arch_gfx9\xff", b"CCOB", b"\0" * 64,
]  # fmt: skip
WORDS = [b"zstd-per-kernel", b"none", b"ordinal", b"offset", b"size", b"toc", b"blobs", b"zstd_offset", b"gfx1151",
         b"gfx1100", b"Processor", b"value", b"library", b"lib/", b"kernel_name", b"kpack_search_paths"]  # fmt: skip

Reading = Callable[[bytes], Found | Fault | None]
Seed = tuple[bytes, Reading]


def mutate(data: bytes, chance: random.Random) -> bytes:
    """One structural change: a number overwritten or put in, a word changed, a stretch out, doubled or moved, an end
    cut or added, some bytes swapped."""
    at = chance.choice([chance.randrange(len(data) + 1), chance.randrange(min(len(data), 200) + 1)])
    at = chance.choice([at, at & ~3, max(0, len(data) - at)])
    length = chance.choice([1, 4, 8, 16, 64, 500])
    piece = chance.choice(NUMBERS)
    held = bytearray(data)
    for _ in range(chance.choice([1, 3, 20]) if held else 0):
        held[chance.randrange(len(held))] = chance.randrange(256)
    return chance.choice([
        data[:at] + piece + data[at + len(piece) :],
        data[:at] + piece + data[at:],
        data.replace(chance.choice(WORDS), chance.choice(WORDS), chance.choice([1, 2, -1])),
        data[:at] + data[at + length :],
        data[: at + length] + data[at:],
        data[:at],
        data + chance.choice([piece, data[:at], bytes(length)]),
        bytes(held),
        data[at : at + length] + data[:at] + data[at + length :],
    ])  # fmt: skip


def by_name(reader: Callable[[Held, str], Found | None], path: str) -> Reading:
    return lambda data: reader(Held(data), path)


def by_passing(path: str) -> Reading:
    return lambda data: tensile.read_forward(
        Forward(data[at : at + 999] for at in range(0, len(data), 999)), path, len(data)
    )


def archive(data: bytes) -> Found:
    """Read at any place and in passing: the targets must be the same."""
    there = kpack.read_kpack(Held(data))
    by = kpack.codes_of(Forward(data[at : at + 4096] for at in range(0, len(data), 4096)), len(data))
    assert {one.target for one in there.code} == {one.target for one in by.code}
    return there


def marker(data: bytes) -> Fault | None:
    elf = read_elf(Held(data))
    found = kpack.marker_of(Held(data), elf) if isinstance(elf, Elf) else elf
    kpack.reference_of(Held(data), elf) if isinstance(elf, Elf) else None
    return found if isinstance(found, Fault) else None


def kpacks() -> list[Seed]:
    code = {one: written.code_object(one) for one in ("gfx1151", "gfx1100", "gfx90a:xnack-")}
    kernels = [("lib/a.so#0", one, data) for one, data in code.items()]
    kernels += [("bin/b#1", "gfx1151", code["gfx1100"]), ("lib/c.so#0", "gfx906", b"no code at all")]
    host = written.host_elf(
        {
            ".rocm_kpack_ref": written.pack(
                {"kernel_name": "lib/a.so", "kpack_search_paths": ["../.kpack/a_@GFXARCH@.kpack"]}
            )
        }
    )
    archives = [written.kpack(kernels, scheme=one) for one in ("zstd-per-kernel", "none", None)]
    archives.append(written.kpack(kernels, scheme="none", pad=False, more={"x": [1.5, None, -300, 2**40, b"x" * 300]}))
    return [*((one, archive) for one in archives), (host, marker)]


def indices() -> list[Seed]:
    rows = [
        {"predicate": {"type": "AMDGPU", "value": {"type": "Processor", "value": one}}} for one in ("gfx906", "gfx1151")
    ]
    index = written.pack({"solutions": [], "library": {"type": "Hardware", "rows": rows}})
    text = b"- predicate:\n    type: Processor\n    value: gfx906\n"
    files = written.pack({0: "TensileLibrary_HH_gfx1151", 3: "TensileLibrary_SS_gfx1100"})
    folder = "rocblas/library/"
    return [
        (index, by_name(tensile.read, folder + "TensileLibrary.dat")),
        (index, by_name(tensile.read, folder + "TensileLibrary_lazy_gfx1151.dat")),
        (index, by_name(tensile.read, folder + "TensileLibrary_SS_gfx1151.dat")),
        (zlib.compress(index), by_name(tensile.read, folder + "TensileLibrary_lazy_gfx1100.dat.zlib")),
        (zlib.compress(index), by_passing(folder + "gfx1250v0/TensileLibrary_lazy_gfx1250.dat.zlib")),
        (text, by_name(tensile.read, folder + "TensileLibrary.yaml")),
        (files, by_name(tensile.read, "hipblaslt/library/TensileLiteLibrary_lazy_Mapping.dat")),
        (files, by_name(tensile.read, "hipblaslt/library/gfx942/hipblasltExtOpLibrary_gfx942.dat")),
        (written.pack({"gfx1151": {}, "gfx908": 1}), by_name(tensile.read, "a/hipblasltExtOpLibrary.dat")),
        (written.code_object("gfx90a:xnack-"), by_name(tensile.read, folder + "Kernels.so-000-gfx90a-xnack-.hsaco")),
        (written.code_object("gfx942"), by_name(tensile.read, folder + "gfx942v0/Kernels.so-000-gfx942.hsaco")),
        (written.bundle(["gfx1151"]), by_name(tensile.read, folder + "TensileLibrary_HH_gfx1151.co")),
        (written.bundle(["gfx906", "gfx1151"]), by_passing("a/hipblasltTransform.hsaco")),
        (index, by_name(tensile.read, "a/other.dat")),
    ]


def databases() -> list[Seed]:
    record = b"64-56-56-1x1-64-56-56-8-0x0-1x1-1x1-0-NCHW-FP32-F=ConvAsm1x1U:1,8,3\n"
    return [
        (written.sqlite(), by_name(miopen.read, "share/miopen/db/gfx90a68.kdb")),
        (written.sqlite(size=65536), by_name(miopen.read, "share/miopen/db/gfx906_nosramecc_60.kdb")),
        (record, by_name(miopen.read, "share/miopen/db/gfx942130.HIP.fdb.txt")),
        (b"version https://git-lfs.github.com/spec/v1\n", by_name(miopen.read, "db/gfx1030_36.db.txt")),
        (b'{"a": 1}', by_name(miopen.read, "db/gfx942_3d.tn.model")),
        (record, by_name(miopen.read, "db/gfx777zz.db.txt")),
        (record, by_name(miopen.read, "db/other.txt")),
    ]


def images() -> list[Seed]:
    code = [(f"attn_fwd-Sig-F__x--Arch_{one}", written.code_object(one)) for one in ("gfx1151", "gfx1100")]
    plain = [(f"P__{at}", data) for at, (_, data) in enumerate(code)]
    folder = "torch/lib/aotriton.images/amd-"
    files = {"a": written.aks2(code), "b": written.aks2(plain)}
    return [
        (written.aks2(code), by_name(aotriton.read, folder + "gfx11xx/flash/attn_fwd/x.aks2")),
        (written.aks2([*plain, ("failed", b"")]), by_name(aotriton.read, folder + "gfx11xx/flash/attn_fwd/x.aks2")),
        (written.aks2(plain), by_name(aotriton.read, folder + "gfx942/flash/attn_fwd/x.aks2")),
        (written.flat_zip(files), by_name(aotriton.read, folder + "gfx115x/flash/attn_fwd.zip")),
        (
            written.flat_zip(files),
            lambda data: aotriton.read_forward(Forward([data]), folder + "gfx115x/flash/attn_fwd.zip"),
        ),
        (b"AKS2", by_name(aotriton.read, "other/gfx942.aks2")),
    ]


def main() -> None:
    rounds = int(sys.argv[1])
    chance = random.Random(20261201)
    seeds = [kpacks(), indices(), databases(), images()]
    sound = faulty = 0
    for number in range(rounds):
        data, reading = chance.choice(seeds[number % len(seeds)])
        for _ in range(chance.choice([0, 1, 1, 1, 2, 4])):
            data = mutate(data, chance)
        began = time.perf_counter()
        found = reading(data)
        assert time.perf_counter() - began < SLOW, (number, len(data))
        wrong = isinstance(found, Fault) or (found is not None and bool(found.faults))
        sound += not wrong
        faulty += wrong
    sys.stdout.write(f"{sound} {faulty}\n")


if __name__ == "__main__":
    main()
