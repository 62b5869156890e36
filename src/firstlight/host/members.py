"""What a tar archive holds, as an index that keeps no more than names, kinds and places.

`tarfile` parses the headers; every member is judged here before it is believed. Bounds are on all that a header can
ask for: count, name length and depth, size of extended headers.
"""

from __future__ import annotations

import math
import tarfile
from typing import IO

import msgspec

from .files import printable
from .manifest import DEPTH_LIMIT, PATH_LIMIT, shown
from .model import FileInfo, Kind
from .refusal import damaged, hostile

COUNT_LIMIT = 500_000
"""Members at most. A machine with a thousand GPUs has some 100,000 files that matter."""
HEADER_LIMIT = 1 << 20
"""Bytes of the largest extended header; a path has at most 4096."""
_BLOCK = 512
_KINDS = {
    tarfile.REGTYPE: Kind.FILE,
    tarfile.AREGTYPE: Kind.FILE,
    tarfile.DIRTYPE: Kind.DIR,
    tarfile.SYMTYPE: Kind.LINK,
}
_REFUSED = {
    tarfile.LNKTYPE: ("a hard link", "硬链接"),
    tarfile.CHRTYPE: (
        "a character device (host.json says what devices there are)",
        "字符设备（设备应写在 host.json 里）",
    ),
    tarfile.BLKTYPE: ("a block device (host.json says what devices there are)", "块设备（设备应写在 host.json 里）"),
    tarfile.FIFOTYPE: ("a FIFO", "命名管道"),
}
_FOLDER = FileInfo(kind=Kind.DIR, mode=0o755, uid=0, gid=0)


class Member(msgspec.Struct, frozen=True):
    """One member: what it is, and where its bytes begin."""

    info: FileInfo
    offset: int


class Index:
    """Members by place: relative, normal, without a closing slash; "" is the top."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._members: dict[str, Member] = {}
        self._names: dict[str, set[str]] = {"": set()}

    def add(self, name: str, member: Member) -> None:
        """One more member. Raises UnreadableInput for a place that must not be, or that is taken."""
        place = self._place(name)
        kind = member.info.kind
        if not place and kind is Kind.DIR:
            return  # `tar -c .` begins with it
        known = self._members.get(place)
        if known and not (kind is Kind.DIR and known.info.kind is Kind.DIR):
            raise self._bad(name, "twice in the archive", "在归档中出现两次")
        if not place or (kind is not Kind.DIR and place in self._names):
            raise self._bad(name, "a folder and something else at once", "既是文件夹又是别的东西")
        self._members[place] = member
        self._note(name, place)
        if kind is Kind.DIR:
            self._names.setdefault(place, set())

    def info(self, place: str) -> FileInfo | None:
        """lstat; a folder that is only implied by what it holds is one too."""
        member = self._members.get(place)
        if member:
            return member.info
        return _FOLDER if place in self._names else None

    def read(self, file: IO[bytes], place: str, offset: int = 0, length: int | None = None) -> bytes:
        """Bytes of a regular file that is there: all, or `length` of them from `offset` on."""
        member = self._members[place]
        left = max(0, member.info.size - offset)
        file.seek(member.offset + offset)
        return file.read(left if length is None else min(left, length))

    def names(self, place: str) -> tuple[str, ...]:
        """Sorted names in a folder that is there."""
        return tuple(sorted(self._names[place]))

    def base(self, name: str) -> str | None:
        """Folder that holds the file `name`: the top, or the single folder there. None: neither does."""
        tops = self._names[""]
        candidates = ["", *(f"{top}/" for top in tops if len(tops) == 1)]
        for base in candidates:
            found = self._members.get(base + name)
            if found and found.info.kind is Kind.FILE:
                return base
        return None

    def _place(self, name: str) -> str:
        if name.startswith("/"):
            raise self._bad(name, "an absolute name", "绝对路径")
        if len(name) > PATH_LIMIT or name.count("/") > DEPTH_LIMIT:
            raise self._bad(name, "a name longer or deeper than a path can be", "名称过长或层级过深")
        parts = [part for part in name.split("/") if part not in ("", ".")]
        if ".." in parts or "\0" in name:
            raise self._bad(name, "a name that leads out of the archive", "名称指向归档之外")
        return "/".join(parts)

    def _note(self, name: str, place: str) -> None:
        """Enter it, and the folders on the way, into the folders' names. Nothing lies below a file or a link."""
        while place:
            parent, _, last = place.rpartition("/")
            above = self._members.get(parent)
            if above and above.info.kind is not Kind.DIR:
                raise self._bad(name, "below something that is not a folder", "位于非文件夹之下")
            if parent not in self._names:
                self._names[parent] = {last}
            elif last in self._names[parent]:
                return
            else:
                self._names[parent].add(last)
            place = parent

    def _bad(self, name: str, en: str, zh: str) -> Exception:
        return hostile(f"{self._where}: {shown(printable(name))}", en, zh)


def read_index(file: IO[bytes], size: int, where: str) -> Index:
    """Index of the plain tar archive `file` of `size` bytes. Raises UnreadableInput."""
    index = Index(where)
    try:
        _fill(index, file, size, where)
    except (tarfile.TarError, ValueError, EOFError, OverflowError, RecursionError, IndexError, KeyError) as error:
        if hasattr(error, "what"):  # one of ours, which is a ValueError too
            raise
        raise damaged(where, f"not a sound tar archive ({shown(str(error))})", "不是完好的 tar 归档") from None
    return index


def _fill(index: Index, file: IO[bytes], size: int, where: str) -> None:
    file.seek(0)
    archive = tarfile.TarFile(fileobj=_Headers(file, where), encoding="utf-8")  # type: ignore[arg-type]
    count = 0
    while True:
        archive.members.clear()  # type: ignore[attr-defined]  # it would keep a record of each, a kilobyte apiece
        found = archive.next()
        if found is None:
            break
        count += 1
        if count > COUNT_LIMIT:
            raise hostile(where, f"more than {COUNT_LIMIT} members", f"成员超过 {COUNT_LIMIT} 个")
        index.add(found.name, _member(found, size, where))
    file.seek(archive.offset)
    # tarfile takes a header that it cannot read for the end: only a block of zeros is one (POSIX pax, ustar format).
    if count == 0 or file.read(_BLOCK).strip(b"\0") or archive.offset + _BLOCK > size:
        raise damaged(where, "the archive is cut off or damaged", "归档被截断或已损坏")


def _member(found: tarfile.TarInfo, size: int, where: str) -> Member:
    name = f"{where}: {shown(printable(found.name))}"
    kind = _KINDS.get(found.type)
    if kind is None or found.issparse():
        en, zh = _REFUSED.get(found.type, ("a member of a kind that no recording needs", "录制数据不需要的成员类型"))
        raise hostile(name, en, zh)
    length = found.size if kind is Kind.FILE else 0
    if length < 0 or found.offset_data + length > size:
        raise damaged(name, "larger than the archive", "大小超出归档")
    if kind is Kind.LINK and not 0 < len(found.linkname) <= PATH_LIMIT:
        raise damaged(name, "not the text of a link", "链接内容无效")
    return Member(
        FileInfo(
            kind=kind,
            mode=found.mode & 0o7777,
            uid=max(found.uid, 0) & 0xFFFFFFFF,
            gid=max(found.gid, 0) & 0xFFFFFFFF,
            size=length,
            link=printable(found.linkname) if kind is Kind.LINK else None,
            mtime=float(found.mtime) if math.isfinite(found.mtime) else None,
        ),
        found.offset_data,
    )


class _Headers:
    """The archive as tarfile sees it: reads of headers pass, a read larger than any header is refused."""

    def __init__(self, file: IO[bytes], where: str) -> None:
        self._file = file
        self._where = where
        self.name = ""
        self.mode = "rb"

    def read(self, size: int) -> bytes:
        """Bytes of a header."""
        if not 0 <= size <= HEADER_LIMIT:
            raise hostile(self._where, "a header of absurd size", "头部大小不合理")
        return self._file.read(size)

    def seek(self, place: int) -> int:
        """Go to a place in the archive."""
        if place < 0:
            raise hostile(self._where, "a header that leads backwards", "头部指向了归档之前")
        return self._file.seek(place)

    def tell(self) -> int:
        """Place in the archive."""
        return self._file.tell()
