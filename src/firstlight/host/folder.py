"""A root that lies unpacked in a folder of this machine."""

from __future__ import annotations

import os

from . import files
from .model import FileInfo, Kind, Missing, Unread


class FolderStore:
    """Files below `root`. No link of the folder is ever followed by the kernel, whoever asks for what."""

    absent = Missing.NOT_CAPTURED

    def __init__(self, root: str) -> None:
        self.root = os.path.realpath(root)
        self._sound: set[str] = {""}

    def look(self, path: str) -> FileInfo | Unread:
        """lstat below the root."""
        return self._unsound(path) or files.look(self.root + path, path, self.absent)

    def content(self, path: str, limit: int) -> bytes | Unread:
        """Bytes of a regular file below the root."""
        return self._unsound(path) or files.content(self.root + path, path, limit, self.absent, follow=False)

    def part(self, path: str, offset: int, length: int) -> bytes | Unread:
        """Some bytes of a regular file below the root."""
        return self._unsound(path) or files.part(self.root + path, path, offset, length, self.absent, follow=False)

    def listing(self, path: str) -> tuple[str, ...] | Unread:
        """Names in a folder below the root."""
        found = self.look(path)
        if isinstance(found, Unread):
            return found
        if found.kind is not Kind.DIR:
            return Unread(Missing.UNREADABLE, path, "not a folder")
        return files.listing(self.root + path, path, self.absent)

    def holds(self, path: str) -> bool:
        """Whether the folder has this path."""
        return not isinstance(self.look(path), Unread)

    def _unsound(self, path: str) -> Unread | None:
        """Why `path` must not be given to the kernel: some folder on the way is a link, or not a folder.

        A host.json may call a folder what is a link on disk, so the callers' own walk is not enough.
        """
        parent = path.rpartition("/")[0]
        if parent in self._sound:
            return None
        here = ""
        for name in parent.split("/")[1:]:
            if name in ("", ".", ".."):
                return Unread(Missing.UNREADABLE, path, "not a path")
            here += "/" + name
            if here in self._sound:
                continue
            found = files.look(self.root + here, here, self.absent)
            if isinstance(found, Unread):
                return found
            if found.kind is not Kind.DIR:
                return Unread(self.absent, path)
            self._sound.add(here)
        return None
