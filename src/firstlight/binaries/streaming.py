"""Files that are too large to hold and pass by only once: members of wheels and packages as they are unpacked.

GPU code lies in sections, but which sections there are stands at the end of an ELF file. So containers of GPU code are
recognised by their first bytes as they pass, walked (headers only), and checked against the section table once that has
come. What else is needed is kept. Where that did not suffice (a container in an odd place, a damaged one, a table of
names far from the end), the file passes again, and then it is known where to look: the answer is always that of
`reading.read`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import TypeVar

from . import aotriton, archive, bundle, fatbin, kpack, tensile
from .chains import WALKS, Chaining, Container, containers, whole
from .elf import DYNAMIC, LOAD, Elf, read_elf, read_header
from .elf import MAGIC as ELF
from .forward import Forward
from .found import Found, merged
from .kept import Kept, NotKeptError
from .model import Fault, Piece
from .reading import gpu_sections, host, of_archive, piece, read
from .source import Held
from .unpacking import BrokenError

T = TypeVar("T")

HELD = 24 << 20
"""Bytes of the largest file that is held as a whole."""
_HEAD = 1 << 20
_FIRST = 24 << 20
"""What is kept of the beginning: symbols and their names stand there (psABI linkers put them before the code)."""
_DATA = 8 << 20
_AROUND = 64 << 10
_PASSES = 6

Opened = Callable[[], Iterator[bytes]]
"""The file's bytes from the beginning, anew for each call."""


def read_member(opened: Opened, size: int, path: str) -> Piece | None:
    """A member of a container, of `size` bytes. Raises BrokenError where the container is damaged."""
    if size > HELD:
        return read_stream(opened, size, path)
    return read(Held(b"".join(_exactly(opened(), size))), path)


def read_stream(opened: Opened, size: int, path: str, *, inside: bool = False) -> Piece | None:
    """As `reading.read`, of bytes that only pass by. Raises BrokenError where their container is damaged."""
    kept = Kept(size)
    head, chunks = _begin(_exactly(opened(), size))
    kept.put(0, head)
    nested = inside and head.startswith((archive.MAGIC, archive.THIN))
    if nested:
        return None
    forward = Forward(chunks)
    found = _forward(forward, path, size, opened)
    if found is not None:
        return piece(path, size, found)
    if forward.offset:  # a reader looked into it, and it is not its kind
        forward = Forward(_exactly(opened(), size))
    elf = read_header(Held(head)) if head.startswith(ELF) else None
    if isinstance(elf, Elf) and elf.machine not in ("amdgpu", "cuda"):
        return _host(kept, elf, path, forward.pieces(size), lambda: _exactly(opened(), size))
    answer = _patiently(kept, lambda: _exactly(opened(), size), lambda: read(kept, path))
    return piece(path, size, Found(kind="other", faults=(answer,))) if isinstance(answer, Fault) else answer


def _forward(forward: Forward, path: str, size: int, opened: Opened) -> Found | None:
    """Of kinds that are read from the beginning to the end anyway; None, and nothing taken: of another kind."""
    found = tensile.read_forward(forward, path, size) or aotriton.read_forward(forward, path)
    if found is not None:
        return found
    head = forward.peek(64)
    if head.startswith(fatbin.MAGIC):
        return fatbin.codes_of(forward)
    if head.startswith(bundle.MARKS):
        return bundle.codes_of(forward)
    if head.startswith(kpack.MAGIC):
        return kpack.codes_of(forward, size)
    if head.startswith((archive.MAGIC, archive.THIN)):
        return _archive(forward, opened)
    return None


def _archive(forward: Forward, opened: Opened) -> Found:
    """Members one by one, from the part that passes by; one that is too large to hold from a passing of its own."""

    def of_member(member: archive.Member) -> Piece | None:
        def anew() -> Iterator[bytes]:
            stream = Forward(opened())
            stream.skip(member.offset)
            yield from stream.pieces(member.size)

        if member.size > HELD:
            return read_stream(anew, member.size, member.name, inside=True)
        return read(Held(forward.read(member.size)), member.name, inside=True)

    return of_archive(archive.walk(forward), of_member)


def _host(kept: Kept, header: Elf, path: str, chunks: Iterator[bytes], again: Opened) -> Piece | None:
    met = _first_pass(kept, header, chunks)
    elf = _patiently(kept, again, lambda: read_elf(kept))
    if isinstance(elf, Fault):
        return piece(path, kept.size, Found(kind="elf", faults=(elf,)))
    found = [whole(section, met) for section in gpu_sections(elf)]
    if None in found:
        found = list(_second_pass(elf, found, again))
    known = [one for one in found if one]
    answer = _patiently(kept, again, lambda: host(kept, elf, path, known))
    if isinstance(answer, Fault):
        code = merged(code for one in known for code in one.code)
        faults = (answer, *(fault for one in known for fault in one.faults))
        return piece(path, kept.size, Found(kind="elf", code=code, faults=faults))
    return answer


def _first_pass(kept: Kept, elf: Elf, chunks: Iterator[bytes]) -> list[Container]:
    """Containers in what is loaded (all of an object that is not linked)."""
    loaded = [(one.offset, one.size) for one in elf.segments if one.kind == LOAD]
    end = max((offset + size for offset, size in loaded), default=kept.size)
    kept.want(0, _FIRST)
    kept.want(elf.table.offset - _AROUND, 2 * _AROUND + 64 * min(elf.table.count, 4096))
    for one in elf.segments:
        if one.kind == DYNAMIC:
            kept.want(one.offset, min(one.size + _AROUND, _DATA))
    for offset, size in loaded[-2:]:
        if offset >= _FIRST:
            kept.want(offset, min(size, _DATA))
    kept.want_around(b"\0.shstrtab\0", end)
    forward = Chaining(kept.passing(chunks))
    met = list(containers(forward, end))
    forward.skip(kept.size)
    return met


def _second_pass(elf: Elf, found: list[Found | None], again: Opened) -> Iterator[Found | None]:
    """The sections that were not met whole, each by itself."""
    forward = Forward(again())
    for section, known in zip(gpu_sections(elf), found, strict=True):
        if known:
            yield known
        elif section.offset < forward.offset:
            fault = Fault(kind="damaged", where=section.name, detail="the section overlaps another")
            yield Found(kind="elf", faults=(fault,))
        else:
            forward.skip(section.offset - forward.offset)
            yield WALKS[section.name](forward.part(section.size))
            forward.skip(section.offset + section.size - forward.offset)


def _patiently(kept: Kept, again: Opened, action: Callable[[], T]) -> T | Fault:
    """The answer of an action that reads here and there, once all that it reads was kept."""
    for _ in range(_PASSES):
        try:
            answer = action()
        except NotKeptError:
            pass
        else:
            if not kept.missed:
                return answer
        if not kept.again():
            break
        forward = Forward(kept.passing(again()))
        forward.skip(kept.end)
    return Fault(kind="too-large", where="file", detail="what decides lies scattered over more of it than is kept")


def _begin(chunks: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """The first bytes, and all from the beginning."""
    first: list[bytes] = []
    left = _HEAD
    while left > 0 and (chunk := next(chunks, b"")):
        first.append(chunk)
        left -= len(chunk)
    return b"".join(first), chain(first, chunks)


def _exactly(chunks: Iterator[bytes], size: int) -> Iterator[bytes]:
    """The chunks. Raises BrokenError if they are more or less than that."""
    left = size
    for chunk in chunks:
        left -= len(chunk)
        if left < 0:
            raise BrokenError("it unpacks to more than its header says")
        yield chunk
    if left:
        raise BrokenError("it unpacks to less than its header says")
