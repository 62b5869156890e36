"""Questions put to real files: what live hosts and unpacked recordings answer with."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable

from .model import FileInfo, Kind, Missing, Unread

_KINDS = {
    stat.S_IFREG: Kind.FILE,
    stat.S_IFDIR: Kind.DIR,
    stat.S_IFLNK: Kind.LINK,
    stat.S_IFCHR: Kind.CHAR,
    stat.S_IFBLK: Kind.BLOCK,
    stat.S_IFIFO: Kind.FIFO,
    stat.S_IFSOCK: Kind.SOCKET,
}
_GONE = frozenset((errno.ENOENT, errno.ENOTDIR, errno.ESRCH))
_REFUSED = frozenset((errno.EACCES, errno.EPERM))
# NONBLOCK: a FIFO that took the place of a file must not stop us. NOCTTY: a terminal must not become ours.
_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY


def unread(error: Exception, path: str, absent: Missing = Missing.ABSENT) -> Unread:
    """Why `error` kept `path` from being read; `absent` is the reason for what is not there. In a recording that is
    NOT_CAPTURED, and so is what is closed to this process there: it says nothing about the machine.

    The detail is the name of the error (`EACCES`), not its text: it must not depend on the language.
    """
    if not isinstance(error, OSError):  # ValueError: a NUL or an undecodable sign in the path
        return Unread(Missing.UNREADABLE, path, "not a path")
    number = error.errno or 0
    if number in _GONE:
        return Unread(absent, path)
    refused = Missing.DENIED if absent is Missing.ABSENT else absent
    reason = refused if number in _REFUSED else Missing.UNREADABLE
    return Unread(reason, path, errno.errorcode.get(number, str(number)))


def printable(text: str) -> str:
    """`text` with bytes that are not UTF-8 as `\\xNN`, so that it can be printed and stored."""
    if text.isascii():
        return text
    return os.fsencode(text).decode("utf-8", "backslashreplace")


def look(real: str, asked: str, absent: Missing = Missing.ABSENT) -> FileInfo | Unread:
    """lstat of the file `real`, which the host calls `asked`."""
    try:
        found = os.lstat(real)
        kind = _KINDS.get(stat.S_IFMT(found.st_mode), Kind.FILE)
        link = printable(os.readlink(real)) if kind is Kind.LINK else None
    except (OSError, ValueError) as error:
        return unread(error, asked, absent)
    device = kind in (Kind.CHAR, Kind.BLOCK)
    return FileInfo(
        kind=kind,
        mode=stat.S_IMODE(found.st_mode),
        uid=found.st_uid,
        gid=found.st_gid,
        size=found.st_size,
        rdev=(os.major(found.st_rdev), os.minor(found.st_rdev)) if device else None,
        link=link,
        mtime=found.st_mtime,
    )


def content(real: str, asked: str, limit: int, absent: Missing = Missing.ABSENT, *, follow: bool) -> bytes | Unread:
    """Bytes of the regular file `real`. Nothing else is ever opened: opening a device can have effects."""
    data = _taken(real, asked, absent, lambda handle: _all(handle, limit + 1), follow=follow)
    return data if isinstance(data, Unread) else bounded(data, asked, limit)


def part(
    real: str, asked: str, offset: int, length: int, absent: Missing = Missing.ABSENT, *, follow: bool
) -> bytes | Unread:
    """`length` bytes of the regular file `real` from `offset` on, fewer only at its end."""
    return _taken(real, asked, absent, lambda handle: _stretch(handle, offset, length), follow=follow)


def _taken(real: str, asked: str, absent: Missing, take: Callable[[int], bytes], *, follow: bool) -> bytes | Unread:
    try:
        if not stat.S_ISREG((os.stat(real) if follow else os.lstat(real)).st_mode):
            return Unread(Missing.UNREADABLE, asked, "not a regular file")
        handle = os.open(real, _FLAGS if follow else _FLAGS | os.O_NOFOLLOW)
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):  # it was swapped between stat and open
                raise OSError(errno.EINVAL, "not a regular file")
            return take(handle)
        finally:
            os.close(handle)
    except (OSError, ValueError) as error:
        return unread(error, asked, absent)


def bounded(data: bytes, asked: str, limit: int) -> bytes | Unread:
    """`data`, or TOO_LARGE where it is longer than `limit`."""
    if len(data) > limit:
        return Unread(Missing.TOO_LARGE, asked, f"more than {limit} bytes")
    return data


def _all(handle: int, limit: int) -> bytes:
    """Up to `limit` bytes; sysfs and proc give a file in pieces and tell no true size."""
    pieces = []
    while limit > 0 and (piece := os.read(handle, min(limit, 1 << 20))):
        pieces.append(piece)
        limit -= len(piece)
    return b"".join(pieces)


def _stretch(handle: int, offset: int, length: int) -> bytes:
    pieces = []
    while length > 0 and (piece := os.pread(handle, length, offset)):
        pieces.append(piece)
        offset += len(piece)
        length -= len(piece)
    return b"".join(pieces)


def listing(real: str, asked: str, absent: Missing = Missing.ABSENT) -> tuple[str, ...] | Unread:
    """Sorted names in the folder `real`."""
    try:
        return tuple(sorted(map(printable, os.listdir(real))))
    except (OSError, ValueError) as error:
        if isinstance(error, NotADirectoryError) and os.path.lexists(real):
            return Unread(Missing.UNREADABLE, asked, "not a folder")
        return unread(error, asked, absent)
