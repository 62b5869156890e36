"""What was written is on the disk, not only in memory, before what depends on it is written."""

from __future__ import annotations

import contextlib
import errno
import os

_UNKNOWN = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)
"""What some network and FUSE file systems say of a call that they do not know."""


def sync_folder(path: str) -> None:
    """The folder's own entries: what was created, renamed or removed in it (fsync(2): syncing a file does not sync
    its name). Raises OSError."""
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _UNKNOWN:
            raise
    finally:
        os.close(handle)


def sync_file_system(path: str) -> None:
    """All that was written to the file system that holds `path`, whoever wrote it: for thousands of files this is far
    quicker than fsync of each. Raises OSError if some of it was lost (told since Linux 5.8)."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        number = _syncfs(handle)
    finally:
        os.close(handle)
    if number in _UNKNOWN:
        os.sync()
    elif number:
        raise OSError(number, os.strerror(number), path)


def _syncfs(handle: int) -> int:
    """syncfs(2), which Python's standard library does not have; 0, or the number of its error."""
    try:
        import ctypes

        call = ctypes.CDLL(None, use_errno=True).syncfs
    except (ImportError, OSError, AttributeError):  # no libffi, a static Python, a C library before 2.14
        return errno.ENOSYS
    return 0 if call(handle) == 0 else ctypes.get_errno()


def put_link(target: str, path: str, temporary: str) -> None:
    """A symbolic link at `path`, in place of what may be there, in one system call. Its folder is not synced.
    Raises OSError."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(temporary)
    os.symlink(target, temporary)
    os.replace(temporary, path)
