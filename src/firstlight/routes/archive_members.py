"""The wheels inside a tar or zip archive, each member judged before it is believed.

Bounds are on all that an archive can ask for: members, names, headers, size of a zip's directory, bytes written.
"""

from __future__ import annotations

import contextlib
import os
import tarfile
import zipfile
from collections.abc import Iterator
from typing import IO, cast

import msgspec

MEMBERS_LIMIT = 20_000
BYTES_LIMIT = 64 << 30
"""Of all wheels together: a ROCm torch with its libraries is some 5 GB."""
HEADER_LIMIT = 1 << 20
"""Bytes that tarfile may read at once: an extended header asks for as many as it likes."""
DIRECTORY_LIMIT = 16 << 20
"""Bytes of a zip's central directory, which zipfile reads as a whole."""
NAME_LIMIT = 255
BLOCK = 1 << 20
_ZIP_END, _ZIP64_END, _ZIP64_PLACE = b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"


class BadArchive(Exception):
    """The archive is damaged or hostile; both languages."""

    def __init__(self, en: str, zh: str) -> None:
        super().__init__(en)
        self.en = en
        self.zh = zh


class Member(msgspec.Struct, frozen=True):
    """A wheel in it: its plain file name, and where its bytes come from."""

    filename: str
    content: IO[bytes]


def wheels_of(file: IO[bytes], name: str) -> Iterator[Member]:
    """Every wheel, in the archive's order; other regular files are passed over. Read each before the next is asked for.
    Raises BadArchive, and OSError where the file itself cannot be read."""
    seen: set[str] = set()
    with _sound():
        for path, content in _members(file, name):
            filename = _filename(path)
            if filename is None:
                continue
            if filename in seen:
                raise BadArchive(f"it holds {filename} twice", f"其中 {filename} 出现两次")
            seen.add(filename)
            yield Member(filename, content())


def blocks(member: Member) -> Iterator[bytes]:
    """Its bytes. Raises BadArchive where its compression is damaged, OSError where the file cannot be read."""
    with _sound(), member.content as source:
        while block := source.read(BLOCK):
            yield block


@contextlib.contextmanager
def _sound() -> Iterator[None]:
    """What the readers of archives raise for odd content, as one kind of error."""
    import lzma
    import zlib

    from zstandard import ZstdError

    odd = (tarfile.TarError, zipfile.BadZipFile, EOFError, ValueError, OverflowError, RecursionError, IndexError,
           KeyError, NotImplementedError, RuntimeError, zlib.error, lzma.LZMAError, ZstdError)  # fmt: skip
    try:
        yield
    except odd as error:
        raise BadArchive(f"not a sound archive ({_short(error)})", "不是完好的归档") from error
    except OSError as error:
        if error.errno is not None:  # the disk's own
            raise
        raise BadArchive(f"not a sound archive ({_short(error)})", "不是完好的归档") from error  # gzip's, bz2's


def _short(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return "".join(sign for sign in text if sign.isprintable())[:120]


def _filename(path: str) -> str | None:
    """The plain name of a wheel; None for what is none. Raises BadArchive for a name that leads elsewhere."""
    parts = path.split("/")
    if path.startswith("/") or ".." in parts or "\0" in path or "\\" in path:
        raise BadArchive("a member's name leads out of the archive", "成员名称指向归档之外")
    filename = parts[-1]
    if not filename.endswith(".whl"):
        return None
    if len(filename) > NAME_LIMIT or not (filename.isascii() and filename.isprintable()):
        raise BadArchive("a wheel's name is no file name", "wheel 的名称不是有效的文件名")
    return filename


class _Opener:
    """Opens one member when it is asked for."""

    def __init__(self, archive: tarfile.TarFile | zipfile.ZipFile, found: tarfile.TarInfo | zipfile.ZipInfo) -> None:
        self._archive = archive
        self._found = found

    def __call__(self) -> IO[bytes]:
        if isinstance(self._archive, zipfile.ZipFile):
            return self._archive.open(cast("zipfile.ZipInfo", self._found))
        return cast("IO[bytes]", self._archive.extractfile(cast("tarfile.TarInfo", self._found)))


def _members(file: IO[bytes], name: str) -> Iterator[tuple[str, _Opener]]:
    return _zip_members(file) if _starts_with(file, b"PK") else _tar_members(_plain(file), name)


def _starts_with(file: IO[bytes], magic: bytes) -> bool:
    file.seek(0)
    head = file.read(len(magic))
    file.seek(0)
    return head == magic


def _plain(file: IO[bytes]) -> IO[bytes]:
    """The tar archive itself, by the first bytes of what wraps it."""
    if _starts_with(file, b"\x1f\x8b"):
        import gzip

        return cast("IO[bytes]", gzip.GzipFile(fileobj=file))
    if _starts_with(file, b"BZh"):
        import bz2

        return cast("IO[bytes]", bz2.BZ2File(file))
    if _starts_with(file, b"\xfd7zXZ\0"):
        import lzma

        return cast("IO[bytes]", lzma.LZMAFile(file))
    if _starts_with(file, b"\x28\xb5\x2f\xfd"):
        from zstandard import ZstdDecompressor

        return cast("IO[bytes]", ZstdDecompressor(max_window_size=1 << 27).stream_reader(file))
    return file


def _tar_members(plain: IO[bytes], name: str) -> Iterator[tuple[str, _Opener]]:
    headers = _Headers(plain, name)
    archive = tarfile.TarFile(fileobj=headers, encoding="utf-8")  # type: ignore[arg-type]
    for _ in range(MEMBERS_LIMIT):
        archive.members.clear()  # type: ignore[attr-defined]  # it would keep a record of each
        found = archive.next()
        if found is None:
            # tarfile takes a header that it cannot read for the end: only a block of zeros is one (POSIX pax)
            if headers.last != bytes(tarfile.BLOCKSIZE):
                raise BadArchive("it is cut off or damaged", "被截断或已损坏")
            return
        regular = found.isreg() and not found.issparse()
        if not (regular or found.isdir()):
            raise BadArchive("it holds a link, a device or a sparse file", "其中含有链接、设备或稀疏文件")
        if regular:
            yield found.name, _Opener(archive, found)
    raise BadArchive(f"more than {MEMBERS_LIMIT} members", f"成员超过 {MEMBERS_LIMIT} 个")


def _zip_members(file: IO[bytes]) -> Iterator[tuple[str, _Opener]]:
    if _directory_bytes(file) > DIRECTORY_LIMIT:
        raise BadArchive("its directory is of absurd size", "目录大小不合理")
    archive = zipfile.ZipFile(file)
    listed = archive.infolist()
    if len(listed) > MEMBERS_LIMIT:
        raise BadArchive(f"more than {MEMBERS_LIMIT} members", f"成员超过 {MEMBERS_LIMIT} 个")
    for found in listed:
        kind = (found.external_attr >> 28) & 0xF  # st_mode of what a Unix made: 8 is a regular file, 4 a folder
        if found.create_system == 3 and kind not in (0, 4, 8):
            raise BadArchive("it holds a link or a device", "其中含有链接或设备")
        if found.flag_bits & 1:
            raise BadArchive("it is encrypted", "已加密")
        if not found.is_dir():
            yield found.filename, _Opener(archive, found)


def _directory_bytes(file: IO[bytes]) -> int:
    """What the zip's end record says, and the ZIP64 one before it (APPNOTE 4.3.14, 4.3.16): the larger counts."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - (1 << 16) - 22 - 20 - 56))
    tail = file.read()
    at = tail.rfind(_ZIP_END)
    if at < 0 or len(tail) < at + 22:
        raise BadArchive("it has no end record", "缺少结尾记录")
    found = [int.from_bytes(tail[at + 12 : at + 16], "little")]
    place = at - 20
    if place >= 0 and tail[place : place + 4] == _ZIP64_PLACE:
        told = int.from_bytes(tail[place + 8 : place + 16], "little")
        found = [_zip64_bytes(tail[max(0, place - 56) : place])]
        if told <= size - 56:
            file.seek(told)
            found.append(_zip64_bytes(file.read(56)))
    return max(found)


def _zip64_bytes(record: bytes) -> int:
    return int.from_bytes(record[40:48], "little") if record[:4] == _ZIP64_END and len(record) == 56 else 0


class _Headers:
    """The archive as tarfile sees it: a read larger than any header is refused. Content is read in smaller blocks."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        self._file = file
        self.name = name
        self.mode = "rb"
        self.last = b""
        """What was read last."""

    def read(self, size: int) -> bytes:
        """Bytes of a header, or a block of content."""
        if not 0 <= size <= HEADER_LIMIT:
            raise BadArchive("a header of absurd size", "头部大小不合理")
        self.last = self._file.read(size)
        return self.last

    def seek(self, place: int, whence: int = 0) -> int:
        """Only forward: backwards, a compressed archive would be read anew each time."""
        if whence or place < self._file.tell():
            raise BadArchive("a header that leads backwards", "头部指向了前面")
        while (left := place - self._file.tell()) > 0:
            if not self._file.read(min(left, BLOCK)):
                break
        return self._file.tell()

    def tell(self) -> int:
        """Place in the archive."""
        return self._file.tell()

    def seekable(self) -> bool:
        """Forward, at least."""
        return True
