"""Whole files, to disk: checked before they bear their name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from ..words import Words
from .address import on_disk
from .disk import failure, opened
from .fetch import CHUNK, LOADING, Network, once_more
from .hashes import compare
from .model import IndexFile
from .statuses import check
from .trouble import Failed

DAYS = 7 * 86400.0
"""Seconds that one file may take."""


def download(network: Network, file: IndexFile, path: str) -> None:
    """The file at `path`. Raises Failed, and OSError where `path` cannot be written; then nothing is left there."""
    once_more(lambda: _download(network, file, path))


def _download(network: Network, file: IndexFile, path: str) -> None:
    from hashlib import sha256

    part = f"{path}.part"
    digest, size = sha256(), 0
    try:
        with open(part, "wb", opener=_opener) as out:
            with _pieces(network, file) as pieces:
                for piece in pieces:
                    size += len(piece)
                    _check_size(size, file.size, ended=False)
                    digest.update(piece)
                    out.write(piece)
            out.flush()
            os.fsync(out.fileno())
        _check_size(size, file.size, ended=True)
        if file.sha256 is not None:
            compare(digest.hexdigest(), file.sha256)
        os.replace(part, path)
    except BaseException:
        _remove(part)
        raise
    _sync_folder(path)


def _opener(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, 0o666)


@contextmanager
def _pieces(network: Network, file: IndexFile) -> Iterator[Iterator[bytes]]:
    path = on_disk(file.url)
    if path is not None:
        yield _of_disk(path)
        return
    with network.opened("GET", file.url, {}, silence=LOADING) as reply:
        if reply.status != 200:
            check(reply.status, reply.headers, reply.start(), authorized=reply.authorized)
            raise Failed("server-error", Words(f"status {reply.status}", f"状态码 {reply.status}"))
        yield reply.chunks(DAYS)


def _of_disk(path: str) -> Iterator[bytes]:
    try:
        with opened(path) as file:
            while piece := file.read(CHUNK):
                yield piece
    except (OSError, ValueError) as error:
        raise failure(error) from error


def _check_size(size: int, stated: int | None, *, ended: bool) -> None:
    if stated is not None and (size > stated or (ended and size != stated)):
        raise Failed("wrong-hash", Words(f"it is not {stated} bytes long", f"长度不是 {stated} 字节"))


def _sync_folder(path: str) -> None:
    """So that the new name survives a power failure."""
    folder = os.open(os.path.dirname(path) or ".", os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)
