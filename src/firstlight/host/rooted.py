"""Links followed inside a root of our own choosing: shared by every host that is not wholly the live machine.

The kernel must not follow the links of a recording: an absolute one, or one with enough `..`, would lead out of it.
So every path is walked here, component by component, against a `Store` that knows only physical paths.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from .model import READ_LIMIT, FileInfo, Kind, Missing, Unread

_A = TypeVar("_A")

HOPS = 40
"""Links followed at most for one path: Linux's own bound (MAXSYMLINKS, include/linux/namei.h)."""


class Store(Protocol):
    """Files by physical path: absolute, normal, no component but perhaps the last is a link."""

    absent: Missing
    """Reason for a path below something that is not a folder."""

    def look(self, path: str) -> FileInfo | Unread:
        """lstat."""

    def content(self, path: str, limit: int) -> bytes | Unread:
        """Bytes of a regular file."""

    def part(self, path: str, offset: int, length: int) -> bytes | Unread:
        """Some of them."""

    def listing(self, path: str) -> tuple[str, ...] | Unread:
        """Sorted names in a folder."""

    def holds(self, path: str) -> bool:
        """Whether the store itself has an answer for this very path."""


def components(path: str) -> list[str]:
    """Names of a path without empty ones and dots; `..` stays, as it must be walked."""
    return [name for name in path.split("/") if name not in ("", ".")]


def follow(start: str, names: list[str], look: Callable[[str], FileInfo | Unread], absent: Missing) -> str | Unread:
    """Physical path of `names` seen from the physical folder `start` ("" is the root), every link followed.

    At most HOPS links, so the work is bounded whatever the links say. The path of an `Unread` is the physical
    place where the walk ended.
    """
    here, todo, hops = start, names[::-1], 0
    while todo:
        name = todo.pop()
        if name == "..":
            here = here.rpartition("/")[0]
            continue
        there = f"{here}/{name}"
        found = look(there)
        if isinstance(found, Unread):
            return found
        if found.kind is Kind.LINK:
            hops += 1
            target = found.link or ""
            if hops > HOPS or not target:
                return Unread(Missing.UNREADABLE, there, "ELOOP")
            here = "" if target.startswith("/") else here
            todo.extend(reversed(components(target)))
        elif todo and found.kind is not Kind.DIR:
            return Unread(absent, there)
        else:
            here = there
    return here or "/"


class Rooted:
    """Reading through a store, links followed inside it. Where folders lie is remembered: recordings do not change."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._folders: dict[str, str] = {"": ""}

    def read(self, path: str, limit: int = READ_LIMIT) -> bytes | Unread:
        """Content of a regular file, links followed inside the root."""
        near = self._physical(path, last=False)
        data = near if isinstance(near, Unread) else self.store.content(near, limit)
        if isinstance(data, bytes):  # most often: no link at the end of the path, so no need to look first
            return data
        real = self._physical(path, last=True)
        if isinstance(real, Unread) or real == near:
            return _asked(real if isinstance(real, Unread) else data, path)
        return _asked(self.store.content(real, limit), path)

    def part(self, path: str, offset: int, length: int) -> bytes | Unread:
        """Some bytes of a regular file, links followed inside the root."""
        real = self._physical(path, last=True)
        return _asked(real if isinstance(real, Unread) else self.store.part(real, offset, length), path)

    def names(self, path: str) -> tuple[str, ...] | Unread:
        """Sorted names in a folder."""
        real = self._physical(path, last=True)
        return _asked(real if isinstance(real, Unread) else self.store.listing(real), path)

    def info(self, path: str) -> FileInfo | Unread:
        """lstat: the last component is not followed."""
        real = self._physical(path, last=False)
        return _asked(real if isinstance(real, Unread) else self.store.look(real), path)

    def resolve(self, path: str) -> str | Unread:
        """Absolute path with every link followed inside the root."""
        return _asked(self._physical(path, last=True), path)

    def _physical(self, path: str, *, last: bool) -> str | Unread:
        """Where `path` lies; `last`: it must be there, and if it is a link it is followed."""
        if not path.startswith("/") or "\0" in path:
            return Unread(Missing.UNREADABLE, path, "not an absolute path")
        head, _, tail = path.rstrip("/").rpartition("/")
        if tail in ("", ".", ".."):
            return self._walk("", components(path))
        folder = self._folder(head)
        if isinstance(folder, Unread):
            return self._exactly(path) or folder
        if last:
            return self._walk(folder, [tail])
        return f"{folder}/{tail}"

    def _walk(self, start: str, names: list[str]) -> str | Unread:
        return follow(start, names, self.store.look, self.store.absent)

    def _exactly(self, path: str) -> Unread | None:
        """What the store says of a path whose folder it does not know: a recording may list the one path alone."""
        names = components(path)
        here = "/" + "/".join(names)
        if ".." in names or not self.store.holds(here):
            return None
        found = self.store.look(here)
        return found if isinstance(found, Unread) else None

    def _folder(self, path: str) -> str | Unread:
        """Physical place of a folder, "" for the root."""
        known = self._folders.get(path)
        if known is not None:
            return known
        found = self._find(path)
        if not isinstance(found, Unread):
            self._folders[path] = found
        return found

    def _find(self, path: str) -> str | Unread:
        """From the folder above where that is known: its thousand neighbours were looked for there too."""
        head, _, tail = path.rpartition("/")
        above = self._folders.get(head)
        if above is not None and tail not in ("", ".", ".."):
            found = self._walk(above, [tail])
        else:
            found = self._walk("", components(path))
        if isinstance(found, Unread):
            return found
        found = "" if found == "/" else found
        at = self.store.look(found or "/")
        if isinstance(at, Unread):
            return at
        return found if at.kind is Kind.DIR else Unread(self.store.absent, found)


def _asked(answer: _A | Unread, path: str) -> _A | Unread:
    """The same answer; an `Unread` names the path as it was asked for."""
    if isinstance(answer, Unread) and answer.path != path:
        return Unread(answer.reason, path, answer.detail)
    return answer
