"""Containers of GPU code that follow one another, met in a stream before it is known where their section ends."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import msgspec

from . import bundle, compressed, fatbin, offload_binary
from .elf import Section
from .forward import Forward
from .found import Found, merged

MARKS = (fatbin.MAGIC, *bundle.MARKS)
_ALIGNS = (fatbin.ALIGNMENT, *(4096 for _ in bundle.MARKS))
"""Where clang and nvcc put the first one. Bundles in another place are found once the section table has come."""
_PADDING = 64 << 10
"""Zeros that may stand between two containers: compilers align them to 4096."""

MOST_CONTAINERS = 1 << 17
"""That are met in passing; a section with more is walked by itself."""

Walk = Callable[[Forward], Found]


class Container(msgspec.Struct, frozen=True):
    """One, and what it holds."""

    walk: Walk
    start: int
    end: int
    behind: int
    """Where the zeros behind it end."""
    found: Found


class Chaining(Forward):
    """A stream in which a walker sees one container and no more."""

    _left: int | None = None
    """How many containers the walker may still see; None: there is none."""
    _end = 0

    def until(
        self, marks: tuple[bytes, ...], align: int | tuple[int, ...] = 1, *, end: int = sys.maxsize
    ) -> bytes | None:
        """As of any stream; for a walker what stands here, once."""
        if self._left is None:
            return super().until(marks, align, end=end)
        self._end = self.offset
        self._left -= 1
        return self.here(marks) if self._left >= 0 else None

    def here(self, marks: tuple[bytes, ...]) -> bytes | None:
        """Which of the marks stands here."""
        return next((one for one in marks if self.peek(len(one)) == one), None)

    def container(self, walk: Walk) -> Container:
        """The one that begins here."""
        start, self._left = self.offset, 1
        found = walk(self)
        self._left = None
        self._pass_zeros()
        return Container(walk, start, self._end, self.offset, found)

    def _pass_zeros(self) -> None:
        left = _PADDING
        while left > 0 and (data := self.peek(256)):
            zeros = len(data) - len(data.lstrip(b"\0"))
            left -= self.skip(zeros)
            if zeros < len(data):
                return


WALKS: dict[str, Walk] = {
    ".hip_fatbin": bundle.codes_of,
    ".nv_fatbin": fatbin.codes_of,
    "__nv_relfatbin": fatbin.codes_of,
    offload_binary.SECTION: offload_binary.codes_of,
}
"""Sections of host binaries that are sequences of containers (clang's CGCUDANV.cpp and OffloadWrapper.cpp; NVIDIA's
fatbinary)."""


def containers(forward: Chaining, end: int) -> Iterator[Container]:
    """All up to `end`: a mark counts in its place, or right behind a container, with a header that can be one."""
    mark: bytes | None = None
    for _ in range(MOST_CONTAINERS):
        mark = mark or forward.until(MARKS, _ALIGNS, end=end)
        if mark is None:
            return
        if plausible(forward.peek(40)):
            yield forward.container(fatbin.codes_of if mark == fatbin.MAGIC else bundle.codes_of)
            mark = forward.here(MARKS) if forward.offset < end else None
        else:
            forward.skip(fatbin.ALIGNMENT)
            mark = None


def plausible(head: bytes) -> bool:
    """Whether a container's header can begin so; the letters alone also stand in the programs that look for them."""
    if head.startswith(fatbin.MAGIC):
        return head[4:8] == b"\x01\0\x10\0" and 0 < int.from_bytes(head[8:16], "little") < 1 << 40
    if head.startswith(bundle.MAGIC):
        return 0 < int.from_bytes(head[24:32], "little") <= bundle.MOST_ENTRIES
    return head.startswith(compressed.MAGIC) and 1 <= head[4] <= 3 and head[5] == 0 and head[6] <= 1 and head[7] == 0


def whole(section: Section, met: list[Container]) -> Found | None:
    """What a section holds, if containers without a gap but zeros are the section, from its first byte to its last, and
    all are sound. None: walk it by itself, knowing its ends."""
    at, end = section.offset, section.offset + section.size
    inside: list[Container] = []
    for one in met:
        if one.start == at < end:
            inside.append(one)
            at = one.behind
    sound = all(one.walk is WALKS[section.name] and not one.found.faults for one in inside)
    if not (inside and sound and inside[-1].end <= end <= at):
        return None
    kinds = {one.found.kind for one in inside}
    kind = "compressed-bundle" if "compressed-bundle" in kinds else inside[0].found.kind
    return Found(kind=kind, code=merged(code for one in inside for code in one.found.code))
