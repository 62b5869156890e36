"""A tarball of wheels, opened once into the user's cache under its sha256."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil

from ..host.durable import sync_folder
from ..host.state import private, user_cache
from .archive_members import BLOCK, BYTES_LIMIT, BadArchive, Member, blocks, wheels_of
from .declared_reasons import bad_archive, bad_record, unreadable_archive, wrong_archive_hash
from .model import Because
from .wheel_record import check_record

SPARE = 256 << 20
"""Bytes that must stay free on the disk of the cache."""


def archives_folder(cache: str | None = None) -> str:
    """Where opened tarballs lie. `cache`: the user's cache, for tests."""
    return os.path.join(cache or user_cache(os.environ), "routes")


def opened(sha256: str, cache: str | None = None) -> str | None:
    """Folder of the wheels of a tarball that was opened before; None if it was not."""
    folder = os.path.join(archives_folder(cache), sha256)
    return folder if os.path.isdir(folder) else None


def open_archive(path: str, sha256: str | None, subject: str, cache: str | None = None) -> str | Because:
    """Folder with the wheels of the tarball at `path`; a Because if it is not the file with that sha256, damaged,
    hostile, or cannot be written. Its torch wheels are checked against their RECORD. Costs reading it twice, the first
    time only."""
    known = sha256 or _seen(path, cache)
    if known and (folder := opened(known, cache)):
        return folder
    try:
        found = _sha256_of(path)
        if sha256 is not None and found != sha256:
            return wrong_archive_hash(subject, found)
        folder = opened(found, cache) or _unpack(path, found, cache)
        if sha256 is None:
            _note(path, found, cache)
    except _BadWheel as error:
        return bad_record(error.filename, error.en, error.zh)
    except BadArchive as error:
        return bad_archive(subject, error.en, error.zh)
    except OSError as error:
        return unreadable_archive(subject, error.strerror or type(error).__name__)
    return folder


class _BadWheel(BadArchive):
    """One wheel of it."""

    def __init__(self, filename: str, error: BadArchive) -> None:
        super().__init__(error.en, error.zh)
        self.filename = filename


def _unpack(path: str, sha256: str, cache: str | None) -> str:
    """Aside first, then in one step to its place: a folder that is there is whole."""
    above = private(archives_folder(cache))
    final, aside = os.path.join(above, sha256), os.path.join(above, f"{sha256}.{os.getpid()}.tmp")
    shutil.rmtree(aside, ignore_errors=True)
    os.mkdir(aside, 0o700)
    try:
        with open(path, "rb") as file:
            left = BYTES_LIMIT
            for member in wheels_of(file, os.path.basename(path)):
                left -= _write(member, aside, left)
        _check_torch(aside)
        sync_folder(aside)
        with contextlib.suppress(FileExistsError):
            _put(aside, final)
        sync_folder(above)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return final


def _put(aside: str, final: str) -> None:
    try:
        os.rename(aside, final)
    except OSError:  # another run was first, with the same content
        if not os.path.isdir(final):
            raise


def _write(member: Member, folder: str, left: int) -> int:
    """Bytes written. Raises BadArchive where it asks for more than may be, OSError where the disk is full."""
    count = 0
    with open(os.path.join(folder, member.filename), "xb") as file:
        for block in blocks(member):
            count += len(block)
            if count > left:
                raise BadArchive("it holds too much", "内容过多")
            if shutil.disk_usage(folder).free < SPARE:
                raise OSError(28, "no room for its wheels in the cache")
            file.write(block)
        file.flush()
        os.fsync(file.fileno())
    return count


def _check_torch(folder: str) -> None:
    for name in sorted(os.listdir(folder)):
        if name.startswith("torch-"):
            try:
                check_record(os.path.join(folder, name))
            except BadArchive as error:
                raise _BadWheel(name, error) from error


def _sha256_of(path: str) -> str:
    total = hashlib.sha256()
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        while block := file.read(BLOCK):
            total.update(block)
    return total.hexdigest()


def _mark(path: str, cache: str | None) -> str:
    """Where it is noted which sha256 this very file had: by place, inode, size and times."""
    found = os.stat(path)
    numbers = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
    told = "\0".join([os.path.realpath(path), *map(str, numbers)])
    return os.path.join(
        archives_folder(cache), "seen", hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()
    )


def _seen(path: str, cache: str | None) -> str | None:
    try:
        with open(_mark(path, cache), encoding="ascii") as file:
            text = file.read(65).strip()
    except (OSError, ValueError):
        return None
    return text if len(text) == 64 and all(sign in "0123456789abcdef" for sign in text) else None


def _note(path: str, sha256: str, cache: str | None) -> None:
    """A convenience: that it cannot be written only costs the next run another reading."""
    with contextlib.suppress(OSError):
        mark = _mark(path, cache)
        private(os.path.dirname(mark))
        temporary = f"{mark}.{os.getpid()}.tmp"
        with open(temporary, "w", encoding="ascii") as file:
            file.write(sha256)
        os.replace(temporary, mark)
