"""Wheels, and zips of any other kind: members are inflated as they are read, and nothing is written anywhere."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice

from .beside import beside
from .choice import tells, worth
from .directory import STORED, Directory, Member, content, read_directory
from .fields import fields
from .gathering import Gathering
from .model import Piece, Report
from .reading import read
from .source import Source
from .streaming import HELD, read_member
from .unpacking import BLOCK, BrokenError, Budget, blocks, inflated, spending

_HEAD = 1024
_MOST_HEAD = 8
"""Pieces of a beginning, of 1 MiB each."""
_LONGEST_METADATA = 4 << 20


def read_wheel(source: Source, path: str, reads: Reads | None = None) -> Report:
    """What a wheel holds, whatever its file name says. A damaged one is a report with faults.
    Raises OSError if the medium fails."""
    reads = reads or Reads()
    try:
        directory = read_directory(source)
    except BrokenError as error:
        return Report(path=path, kind="wheel", pieces=(), faults=(error.fault("directory"),))
    gathering = Gathering(directory.faults)
    budget = Budget(source.size)
    reads.expect(directory.members)
    with spending(budget):
        for member in directory.members:
            if not gathering.add(member.path, partial(_piece, source, member, budget, reads)):
                break
    name, tags = described(source, directory, path)
    return Report(
        path=path,
        kind="wheel",
        pieces=tuple(gathering.pieces),
        others=gathering.others,
        distribution=name,
        python=tags,
        faults=tuple(gathering.faults),
        unread=tuple(reads.passed_over),
    )


class Reads:
    """How members are read: on a disk, all that can be of interest."""

    step = BLOCK
    """Packed bytes that are asked for at once."""

    def __init__(self) -> None:
        self.passed_over: list[str] = []

    def expect(self, members: tuple[Member, ...]) -> None:
        """All members, before the first is read."""

    def may(self, path: str, size: int) -> bool:  # noqa: ARG002  # size decides where reading is dear
        """Whether to look at a member at all, by its name and size."""
        return worth(path) != "no"

    def wanted(self, path: str, head: Callable[[int], bytes]) -> bool:
        """Whether to read one of those, by its name, and by its first bytes where that does not tell. `head` gives
        what so many packed bytes at its beginning unpack to."""
        choice = worth(path)
        return choice == "whole" or (choice == "head" and tells(head(_HEAD)))


def _piece(source: Source, member: Member, budget: Budget, reads: Reads) -> Piece | None:
    if not member.size or not reads.may(member.path, member.size):
        return None
    packed = content(source, member)
    if not reads.wanted(member.path, partial(_head, packed, member)):
        return None
    if member.method == STORED:
        return read(packed, member.path)
    large = member.size > HELD

    def opened() -> Iterator[bytes]:
        chunks = budget.counted(inflated(blocks(packed, step=reads.step)))
        return _checked(beside(chunks) if large else chunks, member.crc)

    return read_member(opened, member.size, member.path)


def _head(packed: Source, member: Member, length: int) -> bytes:
    data = packed.read(0, length)
    if member.method == STORED:
        return data
    return b"".join(islice(inflated(iter((data,)), whole=False), _MOST_HEAD))


def _checked(chunks: Iterator[bytes], crc: int) -> Iterator[bytes]:
    """The chunks. Raises BrokenError at their end if they are not what was packed."""
    found = 0
    for chunk in chunks:
        found = zlib.crc32(chunk, found)
        yield chunk
    if found != crc:
        raise BrokenError("its checksum is wrong")


def described(source: Source, directory: Directory, path: str) -> tuple[str | None, tuple[str, ...]]:
    """Distribution and compatibility tags: by the file name where it is a wheel's, else by what is in it."""
    from packaging.utils import InvalidWheelFilename, parse_wheel_filename

    filename = path.partition("?")[0].partition("#")[0].rpartition("/")[2].replace("%2B", "+").replace("%2b", "+")
    try:
        _, _, _, tags = parse_wheel_filename(filename)
    except InvalidWheelFilename:
        return _by_metadata(source, directory)
    name, version = filename.split("-")[:2]
    return f"{name} {version}", tuple(sorted(map(str, tags)))


def _by_metadata(source: Source, directory: Directory) -> tuple[str | None, tuple[str, ...]]:
    found = {one.path.rpartition("/")[2]: one for one in directory.members if _is_metadata(one.path)}
    headers = {name: fields(_text(source, member)) for name, member in found.items()}
    metadata = headers.get("METADATA", {})
    name, version = metadata.get("Name"), metadata.get("Version")
    tags = headers.get("WHEEL", {}).get("Tag", [])
    return f"{name[0]} {version[0]}" if name and version else None, tuple(sorted(tags))


def _is_metadata(path: str) -> bool:
    folder, _, name = path.partition("/")
    return folder.endswith(".dist-info") and name in ("METADATA", "WHEEL")


def _text(source: Source, member: Member) -> str:
    if member.size > _LONGEST_METADATA:
        return ""
    try:
        packed = content(source, member)
        data = packed.read(0, packed.size)
        if member.method != STORED:
            data = b"".join(Budget(0).counted(inflated(iter((data,)))))
    except BrokenError:
        return ""
    return data.decode("utf-8", "replace")
