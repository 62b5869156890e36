"""A machine in memory: what tests say is there is there, everything else is missing for the reason they give."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from firstlight.host.model import (
    READ_LIMIT,
    FileInfo,
    HostKind,
    Kind,
    Missing,
    Outcome,
    Process,
    Space,
    Unread,
)

Content = str | bytes | Missing | FileInfo


class FakeHost:
    """`files`: path -> content, or why it cannot be read, or what a node is. `links`: path -> where it leads,
    as stored. A folder exists if something lies in it or if `folders` names it."""

    def __init__(
        self,
        files: Mapping[str, Content] | None = None,
        *,
        links: Mapping[str, str] | None = None,
        folders: Sequence[str] = (),
        missing: Missing = Missing.ABSENT,
        kind: HostKind = HostKind.RECORDED,
        process: Process | None = None,
        environment: Mapping[str, str] | None = None,
        machine: str | None = None,
        now: float | None = None,
        spaces: Mapping[str, Space] | None = None,
    ) -> None:
        self.kind = kind
        self.label = "fake"
        self.files = dict(files or {})
        self.links = dict(links or {})
        self.missing = missing
        self._process, self._environment, self._machine, self._now = process, environment, machine, now
        self._spaces = dict(spaces or {})
        self._folders: dict[str, set[str]] = {"/": set()}
        for path in (*self.files, *self.links):
            self._note(path)
        for path in folders:
            self._note(f"{path}/.")
            self._folders[path].discard(".")

    def _note(self, path: str) -> None:
        while path != "/":
            parent, _, name = path.rpartition("/")
            self._folders.setdefault(parent or "/", set()).add(name)
            path = parent or "/"

    def read(self, path: str, limit: int = READ_LIMIT) -> bytes | Unread:
        end = self.resolve(path)
        if isinstance(end, Unread):
            return Unread(end.reason, path)
        found = self.files.get(end)
        if isinstance(found, Missing):
            return Unread(found, path)
        if found is None or isinstance(found, FileInfo):
            return Unread(Missing.UNREADABLE, path, "not a regular file")
        data = found.encode() if isinstance(found, str) else found
        return data if len(data) <= limit else Unread(Missing.TOO_LARGE, path)

    def part(self, path: str, offset: int, length: int) -> bytes | Unread:
        data = self.read(path, sys.maxsize)
        return data if isinstance(data, Unread) else data[offset : offset + length]

    def names(self, path: str) -> tuple[str, ...] | Unread:
        end = self.resolve(path)
        if isinstance(end, Unread):
            return Unread(end.reason, path)
        if isinstance(self.files.get(end), Missing):
            return Unread(Missing.DENIED, path)
        found = self._folders.get(end)
        return Unread(Missing.UNREADABLE, path, "not a folder") if found is None else tuple(sorted(found))

    def info(self, path: str) -> FileInfo | Unread:
        parent, _, name = path.rpartition("/")
        end = self.resolve(parent) if parent else "/"
        if isinstance(end, Unread):
            return Unread(end.reason, path)
        return self._look(f"{end.rstrip('/')}/{name}", path)

    def _look(self, real: str, asked: str) -> FileInfo | Unread:
        if real in self.links:
            return FileInfo(kind=Kind.LINK, mode=0o777, uid=0, gid=0, link=self.links[real])
        found = self.files.get(real)
        if isinstance(found, FileInfo):
            return found
        if found in (Missing.ABSENT, Missing.NOT_CAPTURED):
            return Unread(found, asked)
        if found is not None:
            size = len(found) if isinstance(found, (str, bytes)) else 0
            return FileInfo(kind=Kind.FILE, mode=0o644, uid=0, gid=0, size=size)
        if real in self._folders:
            return FileInfo(kind=Kind.DIR, mode=0o755, uid=0, gid=0)
        return Unread(self.missing, asked)

    def resolve(self, path: str) -> str | Unread:
        real, rest, hops = "/", [part for part in path.split("/") if part], 0
        while rest:
            part = rest.pop(0)
            if part in (".", ".."):
                real = real if part == "." else real.rpartition("/")[0] or "/"
                continue
            step = f"{real.rstrip('/')}/{part}"
            if step in self.links:
                hops += 1
                if hops > 40:
                    return Unread(Missing.UNREADABLE, path, "loop of links")
                target = self.links[step]
                real = "/" if target.startswith("/") else real
                rest = [piece for piece in target.split("/") if piece] + rest
                continue
            found = self._look(step, path)
            if isinstance(found, Unread):
                return found
            real = step
        return real

    def process(self) -> Process | Unread:
        return self._process or Unread(Missing.NOT_CAPTURED, "process")

    def environment(self) -> Mapping[str, str] | Unread:
        return Unread(Missing.NOT_CAPTURED, "environment") if self._environment is None else self._environment

    def machine(self) -> str | Unread:
        return self._machine or Unread(Missing.NOT_CAPTURED, "machine")

    def now(self) -> float | Unread:
        return Unread(Missing.NOT_CAPTURED, "now") if self._now is None else self._now

    def space(self, path: str) -> Space | Unread:
        while path not in self._spaces and path:
            path = path.rpartition("/")[0]
        return self._spaces.get(path or "/") or Unread(Missing.NOT_CAPTURED, path)

    def ask(self, argv: Sequence[str], *, timeout: float = 10.0) -> Outcome | Unread:  # noqa: ARG002
        msg = f"facts may not run programs: {list(argv)}"
        raise AssertionError(msg)
