"""What a file is, and the reader for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from . import archive, bundle, fatbin, kpack, offload_binary
from .chains import WALKS
from .elf import MAGIC as ELF
from .elf import NOBITS, Elf, Section, read_elf
from .forward import Forward
from .found import Found, merged
from .model import Code, Fault, Kind, Needs, Piece
from .ptx import read_ptx
from .source import Part, Source

MOST_FAULTS = 64
MOST_SECTIONS = 1024
"""With GPU code in one binary: a compiler makes one or two."""


def read(source: Source, path: str, *, inside: bool = False) -> Piece | None:
    """A file that is read at any place; None: nothing in it decides on which GPU it runs or whether it loads.
    `inside`: it is a member of an archive; another archive in it is not opened. Raises OSError if the medium fails."""
    found = named(source, path)
    if found is not None:
        return piece(path, source.size, found)
    head = source.read(0, 4096)
    if head.startswith(ELF):
        return read_binary(source, path)
    found = by_magic(source, head, path, inside=inside)
    return piece(path, source.size, found) if found is not None else None


def named(source: Source, path: str) -> Found | None:
    """Of kinds that a library knows by their names: each reader judges by name and magic."""
    from . import aotriton, miopen, tensile

    for reader in (tensile.read, miopen.read, aotriton.read):
        found = reader(source, path)
        if found is not None:
            return found
    return None


def by_magic(source: Source, head: bytes, path: str, *, inside: bool = False) -> Found | None:
    """Of kinds that are known by their first bytes."""
    if head.startswith(bundle.MARKS):
        return bundle.codes(source)
    if head.startswith(fatbin.MAGIC):
        return fatbin.codes_of(Forward.of(source))
    if head.startswith(offload_binary.MAGIC):
        return offload_binary.codes_of(Forward.of(source))
    if head.startswith(kpack.MAGIC):
        return kpack.read_kpack(source)
    if head.startswith((archive.MAGIC, archive.THIN)) and not inside:
        return _archive(source)
    return read_ptx(source) if path.endswith(".ptx") else None


def of_code(kind: Kind, code: Code | Fault) -> Found:
    """One code object as a file."""
    return Found(kind=kind, faults=(code,)) if isinstance(code, Fault) else Found(kind=kind, code=(code,))


def _archive(source: Source) -> Found:
    return of_archive(
        archive.members(source),
        lambda member: read(Part(source, member.offset, member.size), member.name, inside=True),
    )


def of_archive(
    members: Iterable[archive.Member | Fault], read_member: Callable[[archive.Member], Piece | None]
) -> Found:
    """What the members of an archive hold together."""
    code: list[Code] = []
    faults: list[Fault] = []
    for member in members:
        if isinstance(member, Fault):
            faults.append(member)
        elif not member.outside and (found := read_member(member)):
            code += found.code
            code = list(merged(code)) if len(code) > 1024 else code
            faults += [msgspec.structs.replace(one, where=f"{member.name}: {one.where}") for one in found.faults]
            del faults[MOST_FAULTS:]
    return Found(kind="archive", code=merged(code), faults=tuple(faults))


def read_binary(source: Source, path: str) -> Piece | None:
    """An ELF file: device code, or a host binary with device code in its sections."""
    elf = read_elf(source)
    if isinstance(elf, Fault):
        return piece(path, source.size, Found(kind="elf", faults=(elf,)))
    device = read_device(source, elf)
    if device is not None:
        return piece(path, source.size, device)
    found = [WALKS[one.name](Forward.of(Part(source, one.offset, one.size))) for one in gpu_sections(elf)]
    return host(source, elf, path, found)


def read_device(source: Source, elf: Elf) -> Found | None:
    """An ELF file for a GPU; None for one of a host."""
    if elf.machine == "amdgpu":
        from .code_object import look

        code, faults = look(source)
        return Found(kind="code-object", code=(code,) if code else (), faults=faults)
    if elf.machine == "cuda":
        from .cubin import read_cubin

        return of_code("cubin", read_cubin(source))
    return None


def gpu_sections(elf: Elf) -> list[Section]:
    """Those that hold containers, in the order of their bytes, at most MOST_SECTIONS."""
    found = (one for one in elf.sections if one.name in WALKS and one.kind != NOBITS and one.size)
    return sorted(found, key=lambda one: one.offset)[:MOST_SECTIONS]


def host(source: Source, elf: Elf, path: str, found: Iterable[Found]) -> Piece | None:
    """A host binary, with what its sections hold; None for one that is not linked and holds no GPU code."""
    from .needs import read_needs

    parts = [*found, bundle.embedded(source, elf)]
    linked = elf.kind in ("dyn", "exec")
    needs: Needs | None = None
    faults: tuple[Fault, ...] = ()
    if linked:
        needs, faults = read_needs(source, elf)
    if len(parts) > MOST_SECTIONS:
        detail = f"more than {MOST_SECTIONS} sections may hold GPU code"
        faults = (Fault(kind="too-large", where="section headers", detail=detail), *faults)
    together = Found(
        kind="elf",
        code=merged(code for one in parts for code in one.code),
        reference=kpack.reference_of(source, elf),
        faults=(*(fault for one in parts for fault in one.faults), *faults),
    )
    if not linked and not (together.code or together.faults or together.reference):
        return None
    return piece(path, source.size, together, needs)


def piece(path: str, size: int, found: Found, needs: Needs | None = None) -> Piece:
    """One file's record."""
    kind: Kind = found.kind
    return Piece(
        path=path,
        kind=kind,
        size=size,
        code=found.code,
        needs=needs,
        reference=found.reference,
        faults=found.faults[:MOST_FAULTS],
    )
