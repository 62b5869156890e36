"""What an ELF file needs in order to load: other libraries, where it looks for them, versions of libc and libstdc++.

Layout: System V ABI, chapter 5 (dynamic section); LSB 5.0, symbol versioning (Elf_Verneed, Elf_Vernaux).
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from functools import cache

from .elf import DYNAMIC, LOAD, NOBITS, Elf
from .model import Fault, Needs
from .source import Source

MOST_TAGS = 16384
MOST_LIBRARIES = 4096
MOST_VERSION_NAMES = 16384
MOST_VERSIONS = 1 << 20
"""Bytes of the table of needed versions."""
LONGEST_STRING = 1 << 16
"""Search paths of one torch-like library have been seen at 6 KiB."""

NEEDED, STRTAB, STRSZ, SONAME, RPATH, RUNPATH, VERNEED, VERNEEDNUM = 1, 5, 10, 14, 15, 29, 0x6FFFFFFE, 0x6FFFFFFF
"""Tags of the dynamic section (d_tag)."""


def needs_of(source: Source, elf: Elf) -> Needs:
    """What can be read of it; see `read_needs` for what could not."""
    return read_needs(source, elf)[0]


def read_needs(source: Source, elf: Elf) -> tuple[Needs, tuple[Fault, ...]]:
    """What it needs, and which parts of that are damaged. A file that is not linked (`rel`) needs nothing yet."""
    tags, faults = _tags(source, elf)
    strings = _Strings(source, elf, tags)
    texts = {tag: [strings.at(value) for value in values] for tag, values in tags.items() if tag in _TEXTS}
    if any(None in found for found in texts.values()):
        faults.append(Fault(kind="damaged", where="dynamic section", detail="a name that lies outside the names"))
    versions = [text for text in _versions(source, elf, tags, strings, faults) if text]
    search = _known(texts, RUNPATH) or _known(texts, RPATH)
    needs = Needs(
        machine=elf.machine,
        soname=next(iter(_known(texts, SONAME)), None),
        libraries=tuple(dict.fromkeys(_known(texts, NEEDED))),
        search=tuple(part for text in search for part in text.split(":") if part),
        glibc=_newest(versions, "GLIBC_"),
        glibcxx=_newest(versions, "GLIBCXX_"),
    )
    return needs, tuple(faults)


_TEXTS = frozenset({NEEDED, SONAME, RPATH, RUNPATH})


def _known(texts: dict[int, list[str | None]], tag: int) -> list[str]:
    return [text for text in texts.get(tag, ()) if text]


def _tags(source: Source, elf: Elf) -> tuple[dict[int, list[int]], list[Fault]]:
    """Values by tag, of those that matter."""
    offset, size = _dynamic(elf)
    width = 16 if elf.bits == 64 else 8
    data = source.read(offset, min(size, MOST_TAGS * width)) if size else b""
    faults = []
    if len(data) < size:
        faults.append(Fault(kind="damaged", where="dynamic section", detail="it is cut off or too large"))
    found: dict[int, list[int]] = {}
    for tag, value in struct.iter_unpack(
        elf.order + ("qQ" if elf.bits == 64 else "iI"), data[: len(data) // width * width]
    ):
        if tag == 0:
            break
        values = found.setdefault(tag, [])
        if len(values) < MOST_LIBRARIES:
            values.append(value)
    return found, faults


def _dynamic(elf: Elf) -> tuple[int, int]:
    segment = next((one for one in elf.segments if one.kind == DYNAMIC), None)
    if segment:
        return segment.offset, segment.size
    section = elf.section(".dynamic")
    return (section.offset, section.size) if section and section.kind != NOBITS else (0, 0)


def _place(elf: Elf, address: int) -> int | None:
    """Where in the file an address lies."""
    for one in elf.segments:
        if one.kind == LOAD and one.address <= address < one.address + one.size:
            return one.offset + address - one.address
    return None


class _Strings:
    """The table of names (DT_STRTAB), which can be tens of MiB: read name by name."""

    def __init__(self, source: Source, elf: Elf, tags: dict[int, list[int]]) -> None:
        self._source = source
        address, size = tags.get(STRTAB), tags.get(STRSZ)
        self._offset = _place(elf, address[0]) if address else None
        self._size = size[0] if size else 0

    def at(self, index: int) -> str | None:
        """The name; None: not in the table, or without end."""
        if self._offset is None or index >= self._size:
            return None
        text, end = b"", b""
        for longest in (256, LONGEST_STRING):
            if not end:
                data = self._source.read(self._offset + index, min(longest, self._size - index))
                text, end, _ = data.partition(b"\0")
        return text.decode("utf-8", "replace") if end else None


def _versions(
    source: Source, elf: Elf, tags: dict[int, list[int]], strings: _Strings, faults: list[Fault]
) -> Iterator[str | None]:
    """Names of the versions that it needs of other libraries (`GLIBC_2.28`)."""
    address, count = tags.get(VERNEED), tags.get(VERNEEDNUM)
    place = _place(elf, address[0]) if address and count else None
    if address and place is None:
        faults.append(Fault(kind="damaged", where="needed versions", detail="they lie outside the file"))
    data = source.read(place, MOST_VERSIONS) if place is not None else b""
    names = set(_names(elf, data, count[0] if count else 0))
    if place is not None and not names:
        faults.append(Fault(kind="damaged", where="needed versions", detail="the table is cut off"))
    yield from (strings.at(name) for name in sorted(names))


def _names(elf: Elf, data: bytes, count: int) -> Iterator[int]:
    """Places of the names of all needed versions. However the entries lead into each other, this soon ends."""
    at, left = 0, MOST_VERSION_NAMES
    try:
        for _ in range(min(count, MOST_LIBRARIES)):
            _, parts, _, first, following = elf.unpack("HHIII", data, at)
            inner = at + first
            for _ in range(min(parts, left)):
                _, _, _, name, step = elf.unpack("IHHII", data, inner)
                yield name
                left -= 1
                inner += step
                if not step:
                    break
            at += following
            if not following:
                return
    except struct.error:
        return


def _newest(versions: list[str], prefix: str) -> str | None:
    found = [text[len(prefix) :] for text in versions if text.startswith(prefix)]
    numbered = [text for text in found if _number().fullmatch(text)]
    return max(numbered, key=lambda text: tuple(int(part) for part in text.split(".")), default=None)


@cache
def _number() -> re.Pattern[str]:
    return re.compile(r"[0-9]{1,6}(\.[0-9]{1,6}){0,4}")
