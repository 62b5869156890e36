"""Writes the archive of a recorded host."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Mapping
from contextlib import ExitStack
from typing import IO, cast

from .bundle import MANIFEST, ROOT

SUFFIXES = (".tar.zst", ".tar.gz", ".tgz", ".tar")


def write(file: IO[bytes], name: str, manifest: bytes, contents: Mapping[str, bytes]) -> None:
    """host.json first, so that a reader may stop there, then root/ in order of path."""
    with ExitStack() as stack:
        packed = _packer(file, name, stack)
        archive = stack.enter_context(
            tarfile.open(fileobj=packed, mode="w|", format=tarfile.GNU_FORMAT, encoding="utf-8")
        )
        _add(archive, MANIFEST, manifest)
        for path in sorted(contents):
            _add(archive, ROOT + path, contents[path])


def _packer(file: IO[bytes], name: str, stack: ExitStack) -> IO[bytes]:
    if name.endswith(".zst"):
        import zstandard

        compressor = zstandard.ZstdCompressor(level=10, write_checksum=True)
        return cast("IO[bytes]", stack.enter_context(compressor.stream_writer(file, closefd=False)))
    if name.endswith(("gz",)):
        # No time and no name in the header: the same recording is the same bytes.
        return cast("IO[bytes]", stack.enter_context(gzip.GzipFile("", "wb", fileobj=file, mtime=0)))
    return file


def _add(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(data)
    member.mode = 0o644
    archive.addfile(member, io.BytesIO(data))
