"""Wheels and sdists: the one member that tells what the distribution is. Nothing is unpacked to disk."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import IO, cast

from ..words import Words
from .core_metadata import LIMIT
from .filenames import normal, version
from .trouble import Failed, damaged, quoted

UNPACKED = 64 << 20
"""Bytes of an sdist that are unpacked in search of PKG-INFO, which stands near the start."""
MEMBERS = 100_000


class Without(Failed):
    """An archive that does not hold what is looked for."""


def metadata_in_wheel(file: io.IOBase, project: str, wanted: str) -> bytes:
    """METADATA of a wheel. Raises Failed."""
    return _in_zip(file, lambda name: _is_wheels(name, project, wanted), "METADATA")


def metadata_in_sdist(data: bytes, filename: str) -> bytes:
    """PKG-INFO of an sdist. Raises Failed."""
    if filename.endswith(".zip"):
        return _in_zip(io.BytesIO(data), _is_sdists, "PKG-INFO")
    return _in_tar(data)


def member_of_sdist(data: bytes, filename: str, member: str) -> bytes | None:
    """Another file of its own folder; None if it is not there, or not within the limits. Raises Failed for an archive
    that is broken before it comes."""
    try:
        if filename.endswith(".zip"):
            return _in_zip(io.BytesIO(data), lambda name: _is_own(name, member), member)
        return _in_tar(data, member)
    except Without:
        return None


def _is_wheels(name: str, project: str, wanted: str) -> bool:
    folder, _, rest = name.partition("/")
    told, _, number = folder.removesuffix(".dist-info").partition("-")
    fits = folder.endswith(".dist-info") and normal(told) == project and version(number) == wanted
    return fits and rest == "METADATA"


def _is_sdists(name: str) -> bool:
    return _is_own(name, "PKG-INFO")


def _is_own(name: str, member: str) -> bool:
    folder, _, rest = name.removeprefix("./").partition("/")
    return folder != "" and rest == member


def _in_zip(file: io.IOBase, is_it: Callable[[str], bool], member: str) -> bytes:
    import struct
    import zipfile
    import zlib

    try:
        with zipfile.ZipFile(cast("IO[bytes]", file)) as archive:
            found = [entry for entry in archive.infolist() if is_it(entry.filename)]
            if len(found) != 1 or found[0].file_size > LIMIT:
                raise _without(member, len(found))
            with archive.open(found[0]) as opened:
                return opened.read(LIMIT + 1)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, struct.error) as error:
        raise _broken(error) from error
    # RuntimeError: encrypted; NotImplementedError: a method of compression that Python lacks
    except (EOFError, RuntimeError, ValueError, OverflowError, OSError) as error:
        raise _broken(error) from error


def _in_tar(data: bytes, wanted: str = "PKG-INFO") -> bytes:
    import tarfile
    import zlib

    try:
        with tarfile.open(fileobj=_Unpacked(data), mode="r|", errorlevel=2) as archive:
            for number, member in enumerate(archive):
                if number > MEMBERS:
                    break
                if member.isreg() and _is_own(member.name, wanted):
                    if member.size > LIMIT:
                        break
                    opened = archive.extractfile(member)
                    return opened.read(LIMIT + 1) if opened else b""
    except (tarfile.TarError, zlib.error, EOFError, ValueError, OverflowError, OSError) as error:
        raise _broken(error) from error
    raise _without(wanted, 0)


class _Unpacked(io.RawIOBase):
    """What a gzip stream holds, to a limit."""

    def __init__(self, data: bytes) -> None:
        import gzip

        self._file, self._left = gzip.GzipFile(fileobj=io.BytesIO(data)), UNPACKED

    def read(self, size: int | None = -1, /) -> bytes:
        """The next bytes."""
        if self._left <= 0:
            raise damaged(f"PKG-INFO is not among its first {UNPACKED} bytes", f"前 {UNPACKED} 字节中没有 PKG-INFO")
        piece = self._file.read(min(self._left, 1 << 16 if size is None or size < 0 else size))
        self._left -= len(piece)
        return piece


def _without(member: str, count: int) -> Failed:
    if count > 1:
        return damaged(f"it holds {member} {count} times", f"其中有 {count} 个 {member}")
    said = Words(f"it holds no {member} of a sensible size", f"其中没有大小合理的 {member}")
    return Without("damaged-index", said)


def _broken(error: Exception) -> Failed:
    said = quoted(str(error) or type(error).__name__)
    return damaged(f"the archive is broken ({said})", f"压缩包已损坏（{said}）")
