"""Lock and pylock are two files, and both change or none: also for who is killed in between.

Both new files lie beside the old ones, whole and on the disk, before the lock takes its place. That one rename decides:
before it the old pair counts; after it the new lock names, by its hash, the new pylock, which is read from where it
lies until it takes its own place."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
from collections.abc import Iterator, Mapping

from ..errors import UnreadableInput
from ..host.durable import sync_folder
from ..project.toml_file import read_small

END = ".tmp"


def put(folder: str, first: str, texts: Mapping[str, str]) -> None:
    """Write the files `texts` (name -> text) of a folder, the one that decides being `first`. Raises OSError; then
    nothing has changed."""
    paths = [os.path.join(folder, name) for name in sorted(texts, key=lambda name: name != first)]
    with _alone(folder):
        try:
            for path in paths:
                _new(path + END, texts[os.path.basename(path)])
            sync_folder(folder)
            for path in paths:
                os.replace(path + END, path)
        except OSError:
            remove(path + END for path in paths)
            raise
        sync_folder(folder)


def _new(path: str, text: str) -> None:
    remove([path])
    with open(path, "x", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def pending(path: str, sha256: str) -> bytes | None:
    """What is to take the place of the file at `path`, if it has that hash."""
    try:
        data = None if os.path.islink(path + END) else read_small(path + END)
    except UnreadableInput:
        return None
    return data if data is not None and hashlib.sha256(data).hexdigest() == sha256 else None


def settle(folder: str, first: str, hashes: Mapping[str, str]) -> None:
    """End what a killed `put` began. `hashes`: name -> sha256 of the files that the one which decides now names. What
    cannot be written is left as it is."""
    paths = [os.path.join(folder, name) for name in (first, *hashes)]
    if not any(os.path.lexists(path + END) for path in paths):
        return
    with contextlib.suppress(OSError), _alone(folder):
        for name, sha256 in hashes.items():
            path = os.path.join(folder, name)
            if pending(path, sha256) is not None:
                os.replace(path + END, path)
        remove(path + END for path in paths)
        sync_folder(folder)


def remove(paths: Iterator[str] | list[str]) -> None:
    """Those that are there."""
    for path in paths:
        with contextlib.suppress(OSError):
            os.unlink(path)


@contextlib.contextmanager
def _alone(folder: str) -> Iterator[None]:
    """One writer at a time, where the file system can say so of a folder (NFS cannot)."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
