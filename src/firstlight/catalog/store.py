"""What was read, kept on disk under the name of a hash. Whatever is wrong with it, it is as if it were not there."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TypeVar

import msgspec

from .. import __version__

FORMAT = 1
LIMIT = 128 << 20
"""Bytes of one entry."""
DIGEST = 16
UNUSED = 180 * 86400
"""Seconds after which an entry goes."""
T = TypeVar("T")


class Store:
    """A folder of records. Safe to use from several threads and processes."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._usable: bool | None = None
        self._pruned = False

    def read(self, key: str, type: type[T]) -> T | None:
        """The record of that key, type and version of this program; None if there is none."""
        try:
            with open(self._path(key, type), "rb") as file:
                data = file.read(LIMIT + 1)
            if not self._is_ours() or len(data) > LIMIT:
                return None
            body = memoryview(data)[DIGEST:]
            good = data[:DIGEST] == _digest(body, self._path(key, type))
            return msgspec.msgpack.decode(body, type=type) if good else None
        except (OSError, ValueError, RecursionError, msgspec.MsgspecError):
            return None

    def write(self, key: str, record: object) -> None:
        """Keep a record. A disk that is full, or may not be written, only costs the next reader time."""
        from ..host.state import private

        body = msgspec.msgpack.encode(record)
        path = self._path(key, type(record))
        part = f"{path}.{os.getpid()}-{os.urandom(4).hex()}"
        try:
            private(os.path.dirname(self._folder))
            private(self._folder)
            if not self._is_ours():
                return
            with open(part, "xb") as file:
                file.write(_digest(memoryview(body), path))
                file.write(body)
            os.replace(part, path)
            self._prune()
        except OSError:
            _remove(part)

    def _prune(self) -> None:
        """Drop, once in a process, what nobody has written for long: also what a killed one left half done."""
        from time import time

        if self._pruned:
            return
        self._pruned = True
        with os.scandir(self._folder) as entries:
            old = [one.path for one in entries if time() - one.stat(follow_symlinks=False).st_mtime > UNUSED]
        for path in old:
            _remove(path)

    def _path(self, key: str, type: type[object]) -> str:
        from hashlib import sha256

        named = f"{FORMAT} {__version__} {type.__name__} {key}"
        return os.path.join(self._folder, sha256(named.encode("utf-8", "surrogatepass")).hexdigest())

    def _is_ours(self) -> bool:
        """Nobody else may have written there: a page tells which files are the right ones."""
        if self._usable is None:
            found = os.stat(self._folder)
            mine = found.st_uid == os.geteuid() or os.geteuid() == 0
            self._usable = mine and not found.st_mode & 0o022
        return self._usable


def _digest(body: memoryview, path: str) -> bytes:
    """Of the record and of its name: an entry that was moved is none."""
    from hashlib import blake2b

    return blake2b(body, digest_size=DIGEST, key=os.path.basename(path).encode()).digest()


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)
