"""Files of root: what they are, and how they are changed in one rename."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec.structs import replace

from ...errors import NoError
from ...words import Words
from .ground import Ground
from .safe_folder import open_folder

LARGEST = 512 << 20
"""Bytes of a file whose content is kept."""
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
CHUNK = 1 << 20


class FileState(msgspec.Struct, frozen=True, kw_only=True):
    """One path. `other`: a device, a socket, a file too large to keep."""

    kind: Literal["absent", "file", "link", "folder", "other"]
    mode: int = 0
    """Permission bits."""
    uid: int = 0
    gid: int = 0
    size: int = 0
    mtime_ns: int = 0
    sha256: str = ""
    """Of a file's content."""
    link: str = ""
    """Text of a link."""

    def same(self, other: FileState) -> bool:
        """But for the times."""
        return self.likeness == other.likeness

    @property
    def likeness(self) -> tuple[object, ...]:
        """What counts of it."""
        mode = 0 if self.kind == "link" else self.mode
        return (self.kind, mode, self.uid, self.gid, self.sha256, self.link)


ABSENT = FileState(kind="absent")


def temporary(path: str) -> str:
    """Name, in the same folder, of a file in the making. It is hidden, and ends in nothing that any reader of such
    folders (apt, modprobe, grub-mkconfig) takes for its own."""
    return f".{os.path.basename(path)}.firstlight-new"


def look(ground: Ground, path: str) -> FileState:
    """What is there. Raises NoError where that cannot be told, or where the way there is not safe."""
    try:
        with _parent(ground, path) as folder:
            return state_of(folder, os.path.basename(path))
    except (FileNotFoundError, NotADirectoryError):
        return ABSENT
    except OSError as error:
        raise cannot(error, path) from error


def state_of(folder: int, name: str) -> FileState:
    """One entry of an open folder. Raises OSError."""
    found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    state = FileState(
        kind="other", mode=stat.S_IMODE(found.st_mode), uid=found.st_uid, gid=found.st_gid, size=found.st_size,
        mtime_ns=found.st_mtime_ns,
    )  # fmt: skip
    if stat.S_ISLNK(found.st_mode):
        return replace(state, kind="link", link=os.readlink(name, dir_fd=folder))
    if stat.S_ISDIR(found.st_mode):
        return replace(state, kind="folder", size=0)
    if stat.S_ISREG(found.st_mode) and found.st_size <= LARGEST:
        return replace(state, kind="file", sha256=_hash(folder, name))
    return state


def _hash(folder: int, name: str) -> str:
    digest = hashlib.sha256()
    with open(os.open(name, _READ, dir_fd=folder), "rb") as file:
        while data := file.read(CHUNK):
            digest.update(data)
    return digest.hexdigest()


def copy_out(ground: Ground, path: str, target: str) -> None:
    """The content of a file into a new one of our own, for root alone. Raises OSError, NoError."""
    with _parent(ground, path) as folder:
        source = os.open(os.path.basename(path), _READ, dir_fd=folder)
    with open(source, "rb") as file, open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
        while data := file.read(CHUNK):
            out.write(data)


def put(ground: Ground, path: str, content: bytes | str, like: FileState) -> None:
    """A file in place of what is there, in one rename, with the mode, owner and (if it has one) time of `like`.
    `content`: bytes, or the path of a file of ours. Raises NoError."""
    name, new = os.path.basename(path), temporary(path)
    try:
        with _parent(ground, path, make=True) as folder:
            _unlink(folder, new)
            handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600,
                             dir_fd=folder)  # fmt: skip
            with open(handle, "wb") as file:
                _fill(file.fileno(), content)
                _attributes(file.fileno(), folder, name, like)
                os.fsync(file.fileno())
            os.replace(new, name, src_dir_fd=folder, dst_dir_fd=folder)
            os.fsync(folder)
    except OSError as error:
        raise cannot(error, path) from error


def _fill(handle: int, content: bytes | str) -> None:
    if isinstance(content, bytes):
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(handle, rest) :]
        return
    with open(content, "rb") as source:
        while data := source.read(CHUNK):
            _fill(handle, data)


def _attributes(handle: int, folder: int, name: str, like: FileState) -> None:
    """Owner first: chown(2) clears the set-id bits. Labels and ACLs are those of the file that is replaced."""
    os.fchown(handle, like.uid, like.gid)
    os.fchmod(handle, like.mode)
    with contextlib.suppress(OSError):
        old = os.open(name, _READ, dir_fd=folder)
        try:
            for label in os.listxattr(old):
                os.setxattr(handle, label, os.getxattr(old, label))
        finally:
            os.close(old)
    if like.mtime_ns:
        os.utime(handle, ns=(like.mtime_ns, like.mtime_ns))


def put_link(ground: Ground, path: str, like: FileState) -> None:
    """A symbolic link in place of what is there. Raises NoError."""
    name, new = os.path.basename(path), temporary(path)
    try:
        with _parent(ground, path, make=True) as folder:
            _unlink(folder, new)
            os.symlink(like.link, new, dir_fd=folder)
            os.chown(new, like.uid, like.gid, dir_fd=folder, follow_symlinks=False)
            os.replace(new, name, src_dir_fd=folder, dst_dir_fd=folder)
            os.fsync(folder)
    except OSError as error:
        raise cannot(error, path) from error


def put_folder(ground: Ground, path: str, like: FileState) -> None:
    """A folder that is to be there, with its mode and owner. Raises NoError."""
    try:
        handle = open_folder(ground, path, make=True)
        try:
            os.fchown(handle, like.uid, like.gid)
            os.fchmod(handle, like.mode)
        finally:
            os.close(handle)
    except OSError as error:
        raise cannot(error, path) from error


def remove(ground: Ground, path: str) -> bool:
    """A file, a link, or a folder if it is empty. Whether it is gone. Raises NoError."""
    name = os.path.basename(path)
    try:
        with _parent(ground, path) as folder:
            if stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
                os.rmdir(name, dir_fd=folder)
            else:
                os.unlink(name, dir_fd=folder)
            os.fsync(folder)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError as error:
        if error.errno in (39, 17, 16):  # ENOTEMPTY, EEXIST, EBUSY
            return False
        raise cannot(error, path) from error
    return True


def clear(ground: Ground, path: str) -> None:
    """What a kill left of a file in the making."""
    with contextlib.suppress(OSError, NoError), _parent(ground, path) as folder:
        _unlink(folder, temporary(path))


@contextlib.contextmanager
def _parent(ground: Ground, path: str, *, make: bool = False) -> Iterator[int]:
    folder = open_folder(ground, os.path.dirname(path), make=make)
    try:
        yield folder
    finally:
        os.close(folder)


def _unlink(folder: int, name: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(name, dir_fd=folder)


@contextlib.contextmanager
def raised(path: str) -> Iterator[None]:
    """What the system refuses as NoError."""
    try:
        yield
    except OSError as error:
        raise cannot(error, path) from error


def cannot(error: OSError, path: str) -> NoError:
    """What the system says."""
    said = error.strerror or str(error)
    return NoError(
        Words(f"cannot change {path}: {said}", f"无法更改 {path}：{said}"),
        next=Words("look at what stands in the way there, then run it again", "请查看那里的问题，然后重新运行"),
    )
