"""`python -m tests.binaries.fuzz_cuda ROUNDS`: mutates CUDA files with a fixed seed and reads them.

Prints how many were whole and how many had a fault. Any exception is the end.
"""

from __future__ import annotations

import itertools
import random
import struct
import sys
import time

from firstlight.binaries.cubin import read_cubin
from firstlight.binaries.fatbin import MOST_FAULTS, codes, codes_of
from firstlight.binaries.forward import Forward
from firstlight.binaries.found import Found
from firstlight.binaries.model import Fault
from firstlight.binaries.ptx import read_ptx
from firstlight.binaries.source import Held

from .cuda_files import ELF, INDEX, LTO, PTX, SPECIFIC, TILE, attribute, concatenated, container, cubin, entry

SLOWEST_S = 0.5
_PTX = b"// made\n.version 8.7 /* no\n */\n.target texmode_independent, sm_90a\n.address_size 64\n"
_EDGES = (
    0,
    1,
    7,
    8,
    63,
    64,
    65,
    255,
    256,
    0xFFFF,
    1 << 20,
    (1 << 31) - 1,
    1 << 31,
    (1 << 32) - 1,
    1 << 63,
    (1 << 64) - 1,
)


def main(rounds: int) -> None:
    """Reads each mutation as what it was, and a fat binary from a stream as well."""
    chance = random.Random(5)
    whole = faulty = 0
    for _ in range(rounds):
        for one in (_fatbin(chance), _cubin(chance), _ptx(chance)):
            if one is not None:
                whole += not one.faults
                faulty += bool(one.faults)
    sys.stdout.write(f"{whole} {faulty}\n")


def _fatbin(chance: random.Random) -> Found:
    data = _mutated(chance, _seed(chance))
    start = time.process_time()
    found = codes(Held(data))
    assert time.process_time() - start < SLOWEST_S
    assert len(found.faults) <= MOST_FAULTS + 1
    cut = [chance.randrange(len(data) + 1) for _ in range(3)]
    ends = sorted({0, *cut, len(data)})
    codes_of(Forward(data[a:b] for a, b in itertools.pairwise(ends)))
    return found


def _cubin(chance: random.Random) -> Found:
    registers = b"".join(attribute(0x2F, struct.pack("<II", index, 20 + index)) for index in range(3))
    compat = b"\2\x09\1\0" + attribute(0xB, bytes(8)) + b"\3\x0d\1\1"
    sections: dict[str, bytes | int] = {".nv.info": registers, ".nv.compat": compat, ".nv.constant0.k": bytes(8)}
    sections |= {".nv.shared.k": 400, ".nv.shared.reserved.0": 64}
    flags, abi = chance.choice([(0x5A0D5A, 7), (0x600640A, 8), (0x6005A04, 8)])
    found = read_cubin(Held(_mutated(chance, cubin(flags, abi, sections, chance.choice([190, 190, 190, 62])))))
    return Found(kind="cubin", faults=(found,)) if isinstance(found, Fault) else Found(kind="cubin", code=(found,))


def _ptx(chance: random.Random) -> Found | None:
    return read_ptx(Held(_mutated(chance, _PTX)))


def _seed(chance: random.Random) -> bytes:
    entries = [
        entry(ELF, 75),
        entry(ELF, 90, SPECIFIC, name="named", options="-O3"),
        entry(PTX, 90, options=""),
        entry(chance.choice([LTO, INDEX, TILE, 512]), 90),
        concatenated(entry(PTX, 80, options="-v"), entry(ELF, 100, name="x"), entry(ELF, 89)),
    ]
    chance.shuffle(entries)
    old = struct.pack("<I", 0x1EE55A01) + bytes(4) if chance.random() < 0.1 else b""
    return container(*entries[:2]) + bytes(chance.choice([0, 8, 64])) + old + container(*entries[2:])


def _mutated(chance: random.Random, data: bytes) -> bytes:
    """Up to four changes: fields set to edges, bits, parts cut out or doubled, the end cut off."""
    made = bytearray(data)
    for _ in range(chance.choice([0, 1, 1, 2, 4])):
        at = chance.randrange(len(made)) if made else 0
        match chance.randrange(6):
            case 0:
                wide = chance.choice([2, 4, 8])
                at -= at % wide
                made[at : at + wide] = (chance.choice(_EDGES) & ((1 << 8 * wide) - 1)).to_bytes(wide, "little")
            case 1:
                made[at : at + 1] = bytes([chance.randrange(256)])
            case 2:
                del made[at : at + chance.choice([1, 8, 64])]
            case 3:
                made[at:at] = made[at : at + chance.choice([8, 64, 80])]
            case 4:
                del made[at:]
            case _:
                size = chance.choice([4, 8, 16])
                source = chance.randrange(len(made) or 1)
                made[at : at + size] = made[source : source + size]
    return bytes(made)


if __name__ == "__main__":
    main(int(sys.argv[1]))
