"""Tar archives, packed in any way, read from the beginning to the end; one inside another is opened, one level deep."""

from __future__ import annotations

import tarfile
from collections.abc import Callable, Iterator

import msgspec

from .choice import is_tar, tells, worth
from .directory import leads_out
from .forward import Forward
from .gathering import Gathering
from .model import Fault, Piece, Report
from .source import Source
from .streaming import read_member
from .unpacking import BrokenError, Budget, blocks, plain, short, spending

MOST_MEMBERS = 500_000
LONGEST_HEADER = 1 << 20
"""Bytes of an extended header: it says itself how many it has."""
_BLOCK = 512
_HEAD = 1024
_LONG_NAME, _LONG_LINK, _PAX, _PAX_ALL, _SPARSE = b"L", b"K", b"x", b"g", b"S"

Opened = Callable[[], Iterator[bytes]]


class Member(msgspec.Struct, frozen=True):
    """A regular file that stands next in the stream."""

    path: str
    size: int


def read_tar(source: Source, path: str) -> Report:
    """What an archive holds. A damaged one is a report with faults. Raises OSError if the medium fails."""
    gathering = Gathering()
    budget = Budget(source.size)
    with spending(budget):
        gather(lambda: plain(blocks(source)), budget, gathering)
    return Report(
        path=path,
        kind="tar",
        pieces=tuple(gathering.pieces),
        others=gathering.others,
        faults=tuple(gathering.faults),
    )


def gather(opened: Opened, budget: Budget, gathering: Gathering, inside: str = "") -> bool:
    """All files of an archive, of which `inside` is the path where it lies in another. False: the budget is spent."""
    reader = _Reader(lambda: budget.counted(opened()), budget, gathering, inside)
    try:
        return reader.all()
    except BrokenError as error:
        gathering.fault(error.fault(inside or "archive"))
        return not error.final


class _Reader:
    """One passing of an archive, and those that a large member needs besides."""

    def __init__(self, opened: Opened, budget: Budget, gathering: Gathering, inside: str) -> None:
        self._opened, self._budget, self._gathering, self._inside = opened, budget, gathering, inside

    def all(self) -> bool:
        """Every file. False: nothing more is to be read. Raises BrokenError."""
        forward = Forward(self._opened())
        for member in members(forward):
            if isinstance(member, Fault):
                self._gathering.fault(member)
                continue
            start = forward.offset
            if not self._file(forward, member):
                return False
            left = start + member.size - forward.offset
            if forward.skip(left) < left:
                raise BrokenError("it is cut off")
        return True

    def _file(self, forward: Forward, member: Member) -> bool:
        opened = self._content(forward, member)
        if is_tar(member.path) and not self._inside:
            return gather(lambda: plain(opened()), self._budget, self._gathering, member.path)
        path = f"{self._inside}/{member.path}" if self._inside else member.path

        def read() -> Piece | None:
            choice = worth(member.path)
            if choice == "whole" or (choice == "head" and tells(forward.peek(min(_HEAD, member.size)))):
                return read_member(opened, member.size, path)
            return None

        return self._gathering.add(path, read)

    def _content(self, forward: Forward, member: Member) -> Opened:
        """First what stands next, later from a passing of its own."""
        start = forward.offset

        def opened() -> Iterator[bytes]:
            if forward.offset == start:
                return forward.pieces(member.size)
            anew = Forward(self._opened())
            anew.skip(start)
            return anew.pieces(member.size)

        return opened


def members(forward: Forward) -> Iterator[Member | Fault]:
    """The regular files; each is to be read, or left, before the next is asked for. Raises BrokenError."""
    name: str | None = None
    size: int | None = None
    for _ in range(MOST_MEMBERS):
        header = forward.read(_BLOCK)
        if header == bytes(_BLOCK):
            return
        info = _header(header)
        if info.type in (_LONG_NAME, _LONG_LINK, _PAX, _PAX_ALL):
            data = _extended(forward, info.size)
            if info.type == _LONG_NAME:
                name = data.rstrip(b"\0").decode("utf-8", "replace")
            elif info.type == _PAX:
                name, size = _pax(data, name, size)
            continue
        yield from _one(forward, info, name, size)
        name = size = None
    raise BrokenError(f"more than {MOST_MEMBERS} members", "too-large", final=True)


def _one(forward: Forward, info: tarfile.TarInfo, name: str | None, size: int | None) -> Iterator[Member | Fault]:
    path = name or info.name
    while path.startswith("./"):
        path = path[2:].lstrip("/")
    length = info.size if size is None else size
    if not info.isreg():  # links and devices have no content, whatever their headers say
        if info.type == _SPARSE:
            raise BrokenError("a sparse file", "unknown-form")
        return
    end = forward.offset + length + -length % _BLOCK
    if leads_out(path):
        yield Fault(kind="damaged", where=path[:200], detail="a name that leads out of the archive")
    else:
        yield Member(path, length)
    gap = end - forward.offset
    if forward.skip(gap) < gap:
        raise BrokenError("it is cut off")


def _header(block: bytes) -> tarfile.TarInfo:
    try:
        info = tarfile.TarInfo.frombuf(block, "utf-8", "replace")
    except (tarfile.HeaderError, ValueError, OverflowError) as error:
        raise BrokenError(f"no sound header of a member ({short(error)})") from error
    if info.size < 0:
        raise BrokenError("a member of negative size")
    return info


def _extended(forward: Forward, size: int) -> bytes:
    if size > LONGEST_HEADER:
        raise BrokenError("an extended header of absurd size", "too-large")
    data = forward.read(size + -size % _BLOCK)[:size]
    if len(data) < size:
        raise BrokenError("it is cut off")
    return data


def _pax(data: bytes, name: str | None, size: int | None) -> tuple[str | None, int | None]:
    """Path and size of a record for the next member (POSIX pax): `30 path=...`."""
    at = 0
    while at < len(data):
        length, space, _ = data[at : at + 20].partition(b" ")
        if not space or not length.isdigit() or int(length) <= len(length) + 1:
            break
        key, _, value = data[at + len(length) + 1 : at + int(length)].rstrip(b"\n").partition(b"=")
        if key == b"path":
            name = value.decode("utf-8", "replace")
        elif key == b"size" and value.isdigit() and len(value) < 19:
            size = int(value)
        at += int(length)
    return name, size


def begins_tar(head: bytes) -> bool:
    """Whether a file that begins so is an archive that is not packed (POSIX ustar, GNU)."""
    return head[257:262] == b"ustar"
