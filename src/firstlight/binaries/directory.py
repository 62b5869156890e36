"""A zip's directory, each entry judged before it is believed (APPNOTE.TXT 6.3.10)."""

from __future__ import annotations

import struct
import zipfile
from typing import IO, cast

import msgspec

from .model import Fault
from .source import Part, Source
from .unpacking import BrokenError, short

MOST_MEMBERS = 200_000
MOST_BYTES = 64 << 20
"""Of a directory, which zipfile reads as a whole. torch's, with 13,000 members, has 1.3 MB."""
LONGEST_NAME = 4096
_SHORT = 22 + 20 + 56
_TAIL = (1 << 16) + _SHORT
_END, _END64, _PLACE64 = b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"
_LOCAL = struct.Struct("<4sHHHHHIIIHH")
STORED, DEFLATED = 0, 8


class Member(msgspec.Struct, frozen=True):
    """A regular file of a zip that can be read."""

    path: str
    header: int
    """Where its local header lies."""
    packed: int
    size: int
    method: int
    crc: int


class Directory(msgspec.Struct, frozen=True):
    """What a zip holds: members in the order of their bytes, and those that are not to be read, as faults."""

    members: tuple[Member, ...]
    faults: tuple[Fault, ...]


def read_directory(source: Source) -> Directory:
    """The members that are regular files. Raises BrokenError where there is no sound directory."""
    if _size(source) > MOST_BYTES:
        raise BrokenError("its directory is of absurd size", "too-large")
    try:
        listed = zipfile.ZipFile(cast("IO[bytes]", _File(source))).infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, struct.error, IndexError, OverflowError) as error:
        raise BrokenError(f"no sound zip directory ({short(error)})") from error
    if len(listed) > MOST_MEMBERS:
        raise BrokenError(f"more than {MOST_MEMBERS} members", "too-large")
    return _judged(listed, source.size)


def _judged(listed: list[zipfile.ZipInfo], size: int) -> Directory:
    members: list[Member] = []
    faults: list[Fault] = []
    seen: set[str] = set()
    end = 0
    for info in sorted(listed, key=lambda one: (one.header_offset, one.filename)):
        wrong = _wrong(info, size, end, seen)
        seen.add(info.filename)
        if wrong:
            faults.append(wrong.fault(info.filename[:LONGEST_NAME]))
            continue
        end = max(end, info.header_offset + 30 + len(info.filename) + info.compress_size)
        if not info.is_dir() and not _link(info):
            method = info.compress_type
            members.append(
                Member(info.filename, info.header_offset, info.compress_size, info.file_size, method, info.CRC)
            )
    return Directory(tuple(members), tuple(faults))


def _link(info: zipfile.ZipInfo) -> bool:
    """Whether st_mode of what a Unix made says anything but a regular file."""
    return info.create_system == 3 and (info.external_attr >> 28) & 0xF not in (0, 8)


def _wrong(info: zipfile.ZipInfo, size: int, end: int, seen: set[str]) -> BrokenError | None:
    if info.flag_bits & 0x2041:  # encrypted, strongly, or its header masked (4.4.4)
        return BrokenError("it is encrypted", "unknown-form")
    if info.compress_type not in (STORED, DEFLATED):
        return BrokenError(f"packed by method {info.compress_type}", "unknown-form")
    stored = info.compress_type == STORED
    wrong = {
        "a name that leads out of the archive": leads_out(info.filename),
        "twice in the archive": info.filename in seen,
        "it overlaps another member": info.header_offset < end,
        "it lies outside the archive": info.header_offset + 30 + info.compress_size > size,
        "stored, and of two sizes": stored and info.compress_size != info.file_size,
    }
    return next((BrokenError(detail) for detail, so in wrong.items() if so), None)


def leads_out(name: str) -> bool:
    """Whether a member's name is no plain relative path."""
    parts = name.split("/")
    return not name or len(name) > LONGEST_NAME or name[0] == "/" or ".." in parts or "\\" in name or "\0" in name


def content(source: Source, member: Member) -> Part:
    """A member's packed bytes. Raises BrokenError where its own header says something else than the directory."""
    read = source.read(member.header, _LOCAL.size + len(member.path.encode("utf-8", "replace")))
    if len(read) < _LOCAL.size:
        raise BrokenError("its header is cut off")
    magic, _, flags, method, _, _, crc, _, _, name, extra = _LOCAL.unpack_from(read)
    if magic != b"PK\x03\x04" or method != member.method or (not flags & 8 and crc != member.crc):
        raise BrokenError("its header says something else than the directory")
    if (
        source.read(member.header + _LOCAL.size, name).decode("utf-8", "replace") != member.path
        and member.path.isascii()
    ):
        raise BrokenError("its header has another name than the directory")
    part = Part(source, member.header + _LOCAL.size + name + extra, member.packed)
    if part.size != member.packed:
        raise BrokenError("it runs over the end of the archive")
    return part


def _size(source: Source) -> int:
    """What the end record says, and the ZIP64 one before it (4.3.14, 4.3.16): the larger counts."""
    tail = source.read(max(0, source.size - _SHORT), _SHORT)
    at = len(tail) - 22
    if at < 0 or tail[at : at + 4] != _END:  # a comment follows
        tail = source.read(max(0, source.size - _TAIL), _TAIL)
        at = tail.rfind(_END)
    if at < 0 or len(tail) < at + 22:
        raise BrokenError("it has no end record, so it is cut off or no zip")
    found = [int.from_bytes(tail[at + 12 : at + 16], "little")]
    place = at - 20
    if place >= 0 and tail[place : place + 4] == _PLACE64:
        told = int.from_bytes(tail[place + 8 : place + 16], "little")
        found = [_size64(tail[max(0, place - 56) : place]), _size64(source.read(told, 56))]
    return max(found)


def _size64(record: bytes) -> int:
    return int.from_bytes(record[40:48], "little") if record[:4] == _END64 and len(record) == 56 else 0


class _File:
    """A source as zipfile wants it."""

    mode = "rb"

    def __init__(self, source: Source) -> None:
        self._source = source
        self._at = 0

    def seek(self, place: int, whence: int = 0) -> int:
        """Anywhere."""
        self._at = max(0, place + (0, self._at, self._source.size)[whence])
        return self._at

    def tell(self) -> int:
        """Where it stands."""
        return self._at

    def seekable(self) -> bool:
        """It is."""
        return True

    def read(self, size: int = -1) -> bytes:
        """The next bytes."""
        left = max(0, self._source.size - self._at)
        data = self._source.read(self._at, min(left, size if size >= 0 else left, MOST_BYTES))
        self._at += len(data)
        return data
