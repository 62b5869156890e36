"""A recorded host in one file: `.tar.zst`, `.tar.gz` or `.tar`, told apart by content.

Nothing is unpacked. The archive is decompressed, within bounds, to a temporary file without a name, and an index says
where each file's bytes are. Links are only text in the index; what a recording never needs is refused.
"""

from __future__ import annotations

import os
import stat
import weakref
from typing import IO, Protocol, cast

from . import manifest
from .bundle import MANIFEST, ROOT, unreadable
from .members import Index, read_index
from .model import FileInfo, Kind, Missing, Unread
from .recorded import RecordedHost
from .refusal import closed, damaged, hostile

PACKED_LIMIT = 1 << 30
"""Bytes of the largest archive that is read."""
TOTAL_LIMIT = 2 << 30
"""Bytes of the largest archive after decompression."""
RATIO_LIMIT = 500
"""Largest ratio of the two sizes, once more than RATIO_FREE bytes came out."""
RATIO_FREE = 64 << 20
_IN_MEMORY = 32 << 20
_CHUNK = 1 << 20
_WINDOW = 128 << 20  # zstd's own bound for decoders (ZSTD_WINDOWLOG_LIMIT_DEFAULT is 27)
_ZSTD = b"\x28\xb5\x2f\xfd"  # RFC 8878, 3.1.1
_GZIP = b"\x1f\x8b"  # RFC 1952, 2.3.1


class _Source(Protocol):
    def read(self, size: int, /) -> bytes: ...


class ArchiveStore:
    """Files of one archive, below a place in it."""

    absent = Missing.NOT_CAPTURED

    def __init__(self, file: IO[bytes], index: Index, top: str) -> None:
        self._file = file
        self._index = index
        self._top = top
        weakref.finalize(self, file.close)

    def look(self, path: str) -> FileInfo | Unread:
        """As the archive says."""
        return self._index.info(self._place(path)) or Unread(Missing.NOT_CAPTURED, path)

    def content(self, path: str, limit: int) -> bytes | Unread:
        """Bytes of a regular file."""
        found = self._file_at(path)
        if isinstance(found, Unread):
            return found
        if found.size > limit:
            return Unread(Missing.TOO_LARGE, path, f"more than {limit} bytes")
        return self._index.read(self._file, self._place(path))

    def part(self, path: str, offset: int, length: int) -> bytes | Unread:
        """Some of them."""
        found = self._file_at(path)
        return found if isinstance(found, Unread) else self._index.read(self._file, self._place(path), offset, length)

    def _file_at(self, path: str) -> FileInfo | Unread:
        found = self.look(path)
        if not isinstance(found, Unread) and found.kind is not Kind.FILE:
            return Unread(Missing.UNREADABLE, path, "not a regular file")
        return found

    def listing(self, path: str) -> tuple[str, ...] | Unread:
        """Names in a folder."""
        found = self.look(path)
        if isinstance(found, Unread):
            return found
        if found.kind is not Kind.DIR:
            return Unread(Missing.UNREADABLE, path, "not a folder")
        return self._index.names(self._place(path))

    def holds(self, path: str) -> bool:
        """Whether the archive has this path."""
        return self._index.info(self._place(path)) is not None

    def _place(self, path: str) -> str:
        return self._top if path == "/" else self._top + path


def open_archive(path: str) -> RecordedHost:
    """The recorded host in the archive `path`. Raises UnreadableInput."""
    file, size = _unpacked(path)
    try:
        index = read_index(file, size, path)
        base = _base(index, path)
        read = _manifest(file, index, base + MANIFEST, path)
    except BaseException:
        file.close()
        raise
    return RecordedHost(read, ArchiveStore(file, index, base + ROOT), path)


def _base(index: Index, path: str) -> str:
    base = index.base(MANIFEST)
    if base is None:
        raise damaged(path, f"no {MANIFEST} in it", f"其中没有 {MANIFEST}")
    return base


def _manifest(file: IO[bytes], index: Index, place: str, path: str) -> manifest.Manifest:
    where = f"{path}: {place}"
    info = index.info(place)
    if info and info.size > manifest.LIMIT:
        raise unreadable(where, Unread(Missing.TOO_LARGE, place))
    return manifest.parse(index.read(file, place), where)


def _unpacked(path: str) -> tuple[IO[bytes], int]:
    """The plain tar in a nameless temporary file (in memory while small), and its size."""
    from tempfile import SpooledTemporaryFile

    file = cast("IO[bytes]", SpooledTemporaryFile(_IN_MEMORY))  # noqa: SIM115  the store closes it
    try:
        with _opened(path) as packed:
            size = _pour(_source(packed), packed, file, path)
    except PermissionError:
        file.close()
        raise closed(path) from None
    except OSError as error:
        file.close()
        raise damaged(
            path, f"cannot be read ({error.strerror or error})", f"无法读取（{error.strerror or error}）"
        ) from None
    except BaseException:
        file.close()
        raise
    return file, size


def _opened(path: str) -> IO[bytes]:
    # NONBLOCK: a FIFO in the place of the archive must not stop us.
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    found = os.fstat(handle)
    if not stat.S_ISREG(found.st_mode):
        os.close(handle)
        raise hostile(path, "neither a folder nor a regular file", "既不是文件夹也不是普通文件")
    if found.st_size > PACKED_LIMIT:
        os.close(handle)
        raise hostile(path, f"larger than {PACKED_LIMIT >> 20} MiB", f"超过 {PACKED_LIMIT >> 20} MiB")
    return os.fdopen(handle, "rb")


def _source(packed: IO[bytes]) -> _Source:
    """A reader of the decompressed archive."""
    magic = packed.read(4)
    packed.seek(0)
    if magic == _ZSTD:
        import zstandard

        decoder = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
        return decoder.stream_reader(packed, read_across_frames=True, closefd=False)
    if magic[:2] == _GZIP:
        import gzip

        return cast("_Source", gzip.GzipFile(fileobj=packed, mode="rb"))
    return packed


def _pour(source: _Source, packed: IO[bytes], file: IO[bytes], path: str) -> int:
    """Decompress within bounds; how many bytes came out."""
    import zlib

    import zstandard

    total = 0
    try:
        while data := source.read(_CHUNK):
            total += len(data)
            _check_size(total, packed.tell(), path)
            file.write(data)
    except (EOFError, zlib.error, zstandard.ZstdError) as error:
        raise damaged(path, f"cannot be decompressed ({error})", f"无法解压（{error}）") from None
    return total


def _check_size(total: int, packed: int, path: str) -> None:
    if total > TOTAL_LIMIT:
        raise hostile(
            path, f"larger than {TOTAL_LIMIT >> 20} MiB when decompressed", f"解压后超过 {TOTAL_LIMIT >> 20} MiB"
        )
    if total > RATIO_FREE and total > RATIO_LIMIT * packed:
        raise hostile(path, "a decompression bomb", "解压炸弹")
