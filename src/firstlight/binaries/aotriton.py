"""AOTriton's images: attention kernels for PyTorch, compiled ahead, beside its library.

Layout: ROCm/aotriton v3src/{packed_kernel_common,lszip}.cc, python/{aks2,gpu_targets}.py, python/codegen:
`aotriton.images/amd-<pack>/<family>/<kernel>/<signature>.aks2`; from 2026 on `.../<family>/<kernel>.zip`, a zip of such
files that are only stored. A pack is a target, or stands for several (`gfx11xx`, `gfx110x`, `gfx115x`, `gfx120x`: which
of them a build has is in none of these names).

AKS2, all numbers little endian, 4 bytes each: `AKS2`, size unpacked, number of kernels, size of the directory; then as
one xz stream the directory and the images. An entry: LDS, threads, offset of the image, its size (0: it could not be
compiled), length of the name with its NUL, the name: `attn_fwd-Sig-F__...--Arch_gfx1151`. The library looks for a
kernel by that name. Where names do not bear a target the images' own headers do.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from functools import cache

import msgspec

from ..knowledge.mach import is_target
from .aotriton_zip import EntryError, entries, passing
from .code_object import look
from .forward import Forward
from .found import Found, merged
from .model import Code, Fault
from .source import Held, Part, Source
from .unpacking import spend

MAGIC = b"AKS2"
_HEADER = struct.Struct("<4s3I")
_ENTRY = struct.Struct("<5I")
_FOOTER = b"YZ"
"""The last bytes of an xz stream."""
LARGEST_DIRECTORY = 8 << 20
LARGEST_SEARCH = 96 << 20
"""Unpacked bytes of a file whose images are looked into."""
FREE = 256 << 20
RATIO = 32
"""No more than FREE bytes, and RATIO for each packed byte, are unpacked of one file, however its entries lie."""
MOST_PASSING = 64 << 20
"""Packed bytes for which RATIO holds of a zip that passes by: its size is not at hand."""
XZ_WEIGHT = 4
"""As slow as xz is to unpack, compared with the other methods."""
_MEMORY = 128 << 20
"""Of the xz decoder: its largest preset takes 65 MiB."""
_STEP = 1 << 16
MOST_FAULTS = 16


class Image(msgspec.Struct, frozen=True):
    """An entry of a directory."""

    name: str
    lds: int
    offset: int
    size: int


class BrokenError(Exception):
    """It cannot be read on."""


def read(source: Source, path: str) -> Found | None:
    """Code of an image file, by target; None: it is none."""
    pack = _pack(path)
    if pack is None:
        return None
    if path.endswith(".zip"):
        parts = ((one.name, Part(source, one.offset, one.size)) for one in entries(source))
        return _zip(parts, pack, path, source.size)
    codes, faults = _storage(source, pack, path.rpartition("/")[2], Budget(source.size))
    return Found(kind="aotriton", code=merged(codes), faults=faults)


def _pack(path: str) -> str | None:
    found = _patterns().folder.search(path) if path.endswith((".aks2", ".zip")) else None
    return found[1] if found else None


class _Patterns(msgspec.Struct, frozen=True):
    folder: re.Pattern[str]
    arch: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    return _Patterns(
        re.compile(r"(?:^|/)aotriton\.images/amd-(gfx[0-9a-z]{2,8})/"),
        re.compile(r"(?:--Arch_|;arch=|-Gpu-)(gfx[0-9a-f]{3,5})(?![0-9a-z])"),
    )


def read_forward(forward: Forward, path: str) -> Found | None:
    """Of a zip that passes by, which is too large to hold; None: it is none."""
    pack = _pack(path)
    if pack is None or not path.endswith(".zip"):
        return None
    return _zip(((name, Held(data)) for name, data in passing(forward)), pack, path, MOST_PASSING)


def _zip(parts: Iterator[tuple[str, Source]], pack: str, path: str, size: int) -> Found:
    codes: list[Code] = []
    faults: list[Fault] = []
    budget = Budget(size)
    try:
        for name, part in parts:
            found, wrong = _storage(part, pack, name, budget)
            codes = list(merged([*codes, *found])) if len(codes) > 1024 else [*codes, *found]
            faults = [*faults, *wrong][:MOST_FAULTS]
            if budget.spent:
                break
    except EntryError as error:
        faults.append(Fault(kind="damaged", where=path.rpartition("/")[2], detail=str(error)))
    return Found(kind="aotriton", code=merged(codes), faults=tuple(faults[:MOST_FAULTS]))


def _storage(source: Source, pack: str, where: str, budget: Budget) -> tuple[tuple[Code, ...], tuple[Fault, ...]]:
    """One AKS2 file."""
    head = source.read(0, _HEADER.size)
    if len(head) < _HEADER.size or head[:4] != MAGIC:
        return (), (Fault(kind="damaged", where=where, detail="no AKS2 file, or cut off"),)
    _, total, count, length = _HEADER.unpack(head)
    if length > total or count * _ENTRY.size > length:
        return (), (Fault(kind="damaged", where=where, detail="its numbers contradict each other"),)
    if length > LARGEST_DIRECTORY:
        return (), (Fault(kind="too-large", where=where, detail=f"a directory of {length} bytes"),)
    if source.read(source.size - 2, 2) != _FOOTER:
        return (), (Fault(kind="damaged", where=where, detail="its stream is cut off"),)
    unpacked = Unpacked(source, budget)
    try:
        images = tuple(one for one in _directory(unpacked.take(length), count, total - length) if one.size)
        return _codes(images, unpacked, pack, total, source.size)
    except BrokenError as error:
        return (), (Fault(kind="damaged", where=where, detail=str(error)),)


def _directory(data: bytes, count: int, end: int) -> Iterator[Image]:
    at = 0
    for _ in range(count):
        if at + _ENTRY.size > len(data):
            raise BrokenError("its directory is too small for its entries")
        lds, _, offset, size, length = _ENTRY.unpack_from(data, at)
        name = data[at + _ENTRY.size : at + _ENTRY.size + length]
        if len(name) < length or not name.endswith(b"\0"):
            raise BrokenError("a name in its directory has no end")
        if offset + size > end:
            raise BrokenError("an image is not in the file")
        yield Image(name[:-1].decode("utf-8", "replace"), lds, offset, size)
        at += _ENTRY.size + length
    if at != len(data):
        raise BrokenError("its directory is larger than its entries")


def _codes(
    images: tuple[Image, ...], unpacked: Unpacked, pack: str, total: int, size: int
) -> tuple[tuple[Code, ...], tuple[Fault, ...]]:
    named = [(one, found[1]) for one in images if (found := _patterns().arch.search(one.name))]
    if len(named) == len(images):
        codes = [_code(one, target) for one, target in named]
    elif is_target(pack):
        codes = [_code(one, pack) for one in images]
    elif total <= LARGEST_SEARCH:
        codes = list(_looked(images, unpacked))
    else:
        detail = f"for which targets of {pack} it is stands in {total} bytes of images"
        return (), (Fault(kind="too-large", where=images[0].name[:200], detail=detail),)
    together = merged(codes)
    if len(together) == 1:
        together = (msgspec.structs.replace(together[0], size=size),)
    return together, ()


def _code(image: Image, target: str) -> Code:
    return Code(vendor="amd", target=target, form="code-object", kernels=1, lds=image.lds)


def _looked(images: tuple[Image, ...], unpacked: Unpacked) -> Iterator[Code]:
    """By the images' headers."""
    at = 0
    for one in sorted(images, key=lambda image: image.offset):
        if one.offset < at:
            raise BrokenError("images that lie one in the other")
        unpacked.pass_over(one.offset - at)
        head = unpacked.take(min(one.size, 64))
        unpacked.pass_over(one.size - len(head))
        at = one.offset + one.size
        code, faults = look(Held(_headed(head)))
        if code is None:
            raise BrokenError(f"an image: {faults[0].detail}")
        yield _code(one, code.target)


def _headed(head: bytes) -> bytes:
    """An ELF header without tables: what follows it is not at hand."""
    return head if len(head) < 64 else head[:32] + bytes(16) + head[48:54] + bytes(10)


class Budget:
    """How much may still be unpacked."""

    def __init__(self, size: int) -> None:
        self._left = FREE + RATIO * size

    @property
    def spent(self) -> bool:
        """Whether nothing is left."""
        return self._left < 0

    def take(self, length: int) -> None:
        """Raises BrokenError where it was too much."""
        self._left -= length
        if self._left < 0:
            raise BrokenError("it unpacks to too much")


class Unpacked:
    """The unpacked bytes behind the header, from the beginning."""

    def __init__(self, source: Source, budget: Budget) -> None:
        import lzma

        self._source, self._at, self._budget = source, _HEADER.size, budget
        self._error = lzma.LZMAError
        self._engine = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=_MEMORY)

    def take(self, length: int) -> bytes:
        """The next bytes. Raises BrokenError where there are fewer."""
        return b"".join(self._pieces(length))

    def pass_over(self, length: int) -> None:
        """The same without keeping them."""
        for _ in self._pieces(length):
            pass

    def _pieces(self, length: int) -> Iterator[bytes]:
        while length:
            data = b""
            if self._engine.needs_input and not self._engine.eof:
                data = self._source.read(self._at, _STEP)
                self._at += len(data)
            try:
                piece = self._engine.decompress(data, min(length, _STEP))
            except (self._error, EOFError, MemoryError) as error:
                raise BrokenError(" ".join(str(error).split())[:160] or "its stream is damaged") from None
            if not piece and not data and self._engine.needs_input:
                raise BrokenError("its stream is cut off")
            length -= len(piece)
            self._budget.take(len(piece))
            spend(XZ_WEIGHT * len(piece))
            yield piece
