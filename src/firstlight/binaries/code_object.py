"""AMD device code: an ELF file of kernels for one target.

Layout: LLVM AMDGPUUsage, "ELF Code Object": EI_ABIVERSION tells the version, e_flags the target and its modes.
"""

from __future__ import annotations

from ..knowledge.mach import modes, target_of_mach, target_of_v2
from .code_object_metadata import (
    ISA_VERSION,
    METADATA,
    METADATA_V2,
    Kernels,
    notes_of,
    read_isa,
    read_metadata,
    read_metadata_v2,
)
from .elf import Elf, read_header
from .model import Code, Fault
from .source import Source

HSA = 64
"""ELFOSABI_AMDGPU_HSA: code for the compute runtime."""
NEWEST = 6
_SELECTED = {2: "-", 3: "+"}
"""Two bits of e_flags from version 4 on. 0: the target has no such mode; 1: code that runs in either."""


def read_code_object(source: Source) -> Code | Fault:
    """What it is. Damaged metadata leave the target standing: see `look`."""
    code, faults = look(source)
    return code if code is not None else faults[0]


def look(source: Source, named: str | None = None) -> tuple[Code | None, tuple[Fault, ...]]:
    """What it is, and what of it could not be read; None only with a fault. Reads the header, and the notes where the
    program headers name them. `named`: what a bundle calls it, for targets whose number this program does not know."""
    elf = read_header(source)
    if isinstance(elf, Fault):
        return None, (elf,)
    if elf.machine != "amdgpu":
        return None, (
            Fault(kind="unknown-form", where="ELF header", detail=f"code for {elf.machine}, not for an AMD GPU"),
        )
    notes, faults = notes_of(source, elf)
    said = _kernels(notes)
    kernels = None if isinstance(said, Fault) else said
    if isinstance(said, Fault):
        faults = (*faults, said)
    version = elf.abi_version + 2 if elf.os_abi == HSA and elf.abi_version + 2 <= NEWEST else None
    if version is None and elf.os_abi == HSA:
        detail = f"code object of ABI version {elf.abi_version}"
        faults = (*faults, Fault(kind="unknown-form", where="ELF header", detail=detail))
    target = _target(elf, version, notes, kernels) or named
    if target is None:
        detail = f"processor number {elf.flags & 0xFF:#x} is not known"
        return None, (*faults, Fault(kind="unknown-form", where="ELF header", detail=detail))
    return _code(source, elf, version, target, kernels), (*faults, *_contradiction(target, kernels))


def _kernels(notes: dict[int, list[bytes]]) -> Kernels | Fault | None:
    if METADATA not in notes and METADATA_V2 not in notes:
        return None
    read, kind = (read_metadata, METADATA) if METADATA in notes else (read_metadata_v2, METADATA_V2)
    together: Kernels | None = None
    for data in notes[kind]:
        one = read(data)
        if isinstance(one, Fault):
            return one
        together = together.and_those_of(one) if together else one
    return together


def _target(elf: Elf, version: int | None, notes: dict[int, list[bytes]], kernels: Kernels | None) -> str | None:
    """By the header, as the runtime reads it (ROCm rocr-runtime, amd_hsa_code.cpp); where this program does not know
    the number, by the name in the metadata."""
    if version == 2:
        numbers = read_isa(elf, notes[ISA_VERSION][0]) if ISA_VERSION in notes else None
        return (target_of_v2(*numbers) if numbers else None) or target_of_mach(elf.flags & 0xFF)
    name = target_of_mach(elf.flags & 0xFF)
    if name is None or (version is None and elf.os_abi == HSA):
        return (kernels.target if kernels else None) or name
    return name + (_selected(elf.flags) if version and version >= 4 else _flagged(elf.flags, name))


def _selected(flags: int) -> str:
    """Modes from version 4 on."""
    bits = (("sramecc", flags >> 10 & 3), ("xnack", flags >> 8 & 3))
    return "".join(f":{mode}{_SELECTED[value]}" for mode, value in bits if value in _SELECTED)


def _flagged(flags: int, name: str) -> str:
    """Modes in version 3, and outside the compute runtime: a flag for each, and a target that has the mode is compiled
    without it where the flag is not set."""
    bits = {"sramecc": flags & 0x200, "xnack": flags & 0x100}
    having = modes(name)
    return "".join(f":{mode}{'+' if bit else '-'}" for mode, bit in bits.items() if bit or mode in having)


def _code(source: Source, elf: Elf, version: int | None, target: str, kernels: Kernels | None) -> Code:
    waves = kernels.waves if kernels else frozenset()
    known = {64} if not waves and always_64(target) else waves
    return Code(
        vendor="amd",
        target=target,
        form="code-object",
        size=source.size,
        code_object_version=version,
        generic_version=elf.flags >> 24 or None if "-generic" in target else None,
        wave=next(iter(known)) if len(known) == 1 else None,
        kernels=kernels.count if kernels else None,
        registers=kernels.registers if kernels else None,
        lds=kernels.lds if kernels else None,
    )


def always_64(target: str) -> bool:
    """Whether the chip knows no other wave (GFX6 to GFX9)."""
    name = target.partition(":")[0]
    return name.startswith("gfx9-") or (len(name) == 6 and name[3:4] in tuple("6789"))


def _contradiction(target: str, kernels: Kernels | None) -> tuple[Fault, ...]:
    named = kernels.target.partition(":")[0] if kernels and kernels.target else None
    if named is None or named == target.partition(":")[0]:
        return ()
    detail = f"the header says {target}, the metadata {named}"
    return (Fault(kind="damaged", where="metadata", detail=detail),)
