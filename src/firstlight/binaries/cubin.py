"""Cubins: ELF files of machine code for NVIDIA GPUs (EM_CUDA), alone in a file as `nvcc -cubin` and `ptxas` write them.

The target stands in e_flags, in two ways (LLVM's BinaryFormat/ELF.h, EF_CUDA_SM and EF_CUDA_ACCELERATORS, and what
ptxas 11.8, 12.9 and 13.5 write): up to ABI version 7 its number is the lowest byte and 0x800 means `a`; from 8 on
it is the second byte and 8 means `a`. CUDA 13 leaves that bit out and says `a` in the section `.nv.compat` instead.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from .elf import Elf, read_elf
from .fatbin import target_name
from .model import Code, Fault
from .source import Source

SECOND_ABI = 8
FIRST_SPECIFIC = 90
"""No target before this has an `a`. In cubins for sm_50 to sm_62, of cuBLAS 11 for example, 0x800 tells of a
workaround (`nvdisasm` names it EF_CUDA_SW_1729687), which `cuobjdump --list-elf` of CUDA 12 takes for an `a`."""
LONGEST_ATTRIBUTES = 1 << 22
"""Bytes of an attribute section: some for each kernel."""

_SPECIFIC_FIRST, _SPECIFIC_SECOND = 0x800, 0x8
_COMPAT_SPECIFIC = 9
"""Attribute of `.nv.compat`; its value is 1 for `a`."""
_REGISTERS = 0x2F
"""EIATTR_REGCOUNT in `.nv.info`: symbol, number."""
_KERNEL = ".nv.constant0."
"""Each kernel has a bank of constants for its arguments, functions that it calls have none."""
_SHARED = ".nv.shared."
_RESERVED = ".nv.shared.reserved."


def read_cubin(source: Source) -> Code | Fault:
    """The target, and what its kernels use. Raises OSError if the medium fails."""
    elf = read_elf(source)
    if isinstance(elf, Fault):
        return elf
    if elf.machine != "cuda":
        return Fault(kind="unknown-form", where="ELF header", detail=f"code for {elf.machine}, not for a GPU of NVIDIA")
    kernels = {one.name for one in elf.sections if one.name.startswith(_KERNEL)}
    shared = [one.size for one in elf.sections if one.name.startswith(_SHARED) and not one.name.startswith(_RESERVED)]
    registers = [
        struct.unpack("<II", value)[1]
        for number, value in _attributes(_section(source, elf, ".nv.info"))
        if number == _REGISTERS and len(value) == 8
    ]
    return Code(
        vendor="nvidia",
        target=_target(source, elf),
        form="cubin",
        size=source.size,
        kernels=len(kernels) if elf.sections else None,
        registers=max(registers, default=None),
        lds=max(shared, default=0) if kernels else None,
    )


def _target(source: Source, elf: Elf) -> str:
    second = elf.abi_version >= SECOND_ABI
    number = elf.flags >> 8 & 0xFF if second else elf.flags & 0xFF
    specific = number >= FIRST_SPECIFIC and bool(elf.flags & (_SPECIFIC_SECOND if second else _SPECIFIC_FIRST))
    if second and not specific:
        compat = dict(_attributes(_section(source, elf, ".nv.compat")))
        specific = compat.get(_COMPAT_SPECIFIC, b"")[:1] == b"\1"
    return target_name("cubin", number, specific=specific, family=False)


def _section(source: Source, elf: Elf, name: str) -> bytes:
    found = elf.section(name)
    return source.read(found.offset, min(found.size, LONGEST_ATTRIBUTES)) if found else b""


def _attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Number and value of each. Form 1 has none, 2 a byte, 3 two bytes in the head itself; 4 has a length there and
    the value after it. Ends at one that is none of these, or is cut off."""
    at = 0
    while at + 4 <= len(data):
        form, number, value = struct.unpack_from("<BBH", data, at)
        at += 4
        if form in (1, 2, 3):
            yield number, data[at - 2 : at]
        elif form == 4 and at + value <= len(data):
            yield number, data[at : at + value]
            at += value
        else:
            return
