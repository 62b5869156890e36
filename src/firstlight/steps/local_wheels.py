"""Wheels that come from no index: found by name and hash, kept in the project as links."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterator

from ..errors import NoError
from ..project.model import Project, Source
from ..project.simple_index import linked
from ..project.urls import local_path, redact
from ..routes.model import Wheel
from ..words import Words
from .places import Places, cannot_write


class PlaceWheel:
    """One local wheel in `.firstlight/wheels`, where its pylock says that it is."""

    kind = "place-wheel"

    def __init__(self, project: Project, places: Places, wheel: Wheel, *, copied: bool = False) -> None:
        """`copied`: from a medium that may be taken away again; a link would then lead nowhere."""
        self.project, self.copied = project, copied
        self.wheel = wheel
        self.subject = wheel.filename
        self.path = os.path.join(places.wheels, wheel.filename)

    def check(self) -> bool:
        """By name and size; uv checks its hash when it is installed."""
        try:
            size = os.stat(self.path).st_size
        except OSError:
            return False
        return self.wheel.size is None or size == self.wheel.size

    def do(self) -> None:
        """Raises NoError if no configured source has the file."""
        source = find(self.project, self.wheel)
        if self.copied:
            copy(source, self.path)
        else:
            place(source, self.path)

    def undo(self) -> None:
        """Take the link away."""
        with contextlib.suppress(OSError):
            os.unlink(self.path)

    def origin(self) -> str:
        """The path to install from. uv's cache knows a wheel by its path: at its source it is unpacked already."""
        for path in found_at(self.project, self.wheel):
            with contextlib.suppress(OSError):
                if os.path.samefile(path, self.path):
                    return path
        return self.path


def place(source: str, path: str) -> None:
    """A symbolic link. A hard link would change the file's ctime, by which uv's cache knows that it is unchanged:
    measured, a warm install of torch's CPU wheel then takes 3 s instead of 0.1 s."""
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        os.symlink(os.path.abspath(source), temporary)
        os.replace(temporary, path)
    except OSError as error:
        raise cannot_write(error, path) from error


def copy(source: str, path: str) -> None:
    """The file itself, whole or not at all."""
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        with open(source, "rb") as file, open(temporary, "xb") as out:
            while block := file.read(1 << 20):
                out.write(block)
            out.flush()
            os.fsync(out.fileno())
        os.replace(temporary, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise cannot_write(error, path) from error


def find(project: Project, wheel: Wheel) -> str:
    """Path of a file with that name and hash in a configured source. The only one of the locked size is taken without
    reading it: uv checks each hash when it installs, and torch with its libraries is gigabytes. Raises NoError."""
    paths = list(dict.fromkeys(os.path.realpath(path) for path in found_at(project, wheel)))
    fits = [path for path in paths if wheel.size is not None and _size(path) == wheel.size]
    if len(fits) == 1 and len(paths) == 1:
        return fits[0]
    seen = []
    for path in paths:
        problem = _problem(path, wheel)
        if problem is None:
            return path
        seen.append(f"{path}: {problem}")
    raise _lost(wheel, project, seen)


def _size(path: str) -> int | None:
    try:
        return os.stat(path).st_size
    except OSError:
        return None


def _problem(path: str, wheel: Wheel) -> str | None:
    """Why the file is not the locked one; None if it is."""
    try:
        found = sha256_of(path)
    except OSError as error:
        return error.strerror
    return None if found == wheel.sha256 else f"sha256 {found}"


def _lost(wheel: Wheel, project: Project, seen: list[str]) -> NoError:
    looked = seen or [redact(one.url) for one in project.sources.wheelhouses] or ["-"]
    return NoError(
        Words(f"the wheel {wheel.filename} of the lock is in no configured source",
              f"锁文件中的 wheel {wheel.filename} 在已配置的来源中找不到"),
        why=Words(f"sha256 {wheel.sha256} is wanted, from `{wheel.source}`; looked at: {'; '.join(looked)}",
                  f"需要 sha256 {wheel.sha256}，来源 `{wheel.source}`；已查找：{'；'.join(looked)}"),
        next=Words("put the file into a find-links folder, or freeze anew with `firstlight lock`",
                   "请把该文件放入 find-links 文件夹，或用 `firstlight lock` 重新锁定"),
    )  # fmt: skip


def found_at(project: Project, wheel: Wheel) -> Iterator[str]:
    """Paths of that name, the named source first."""
    from ..routes.declared import declared_sources

    own = project.sources
    sources = (*declared_sources(project), *own.wheelhouses, *own.torch_indices, *own.default_indices)
    for source in sorted(sources, key=lambda one: one.name != wheel.source):
        path = _in_source(source, wheel)
        if path is not None and os.path.isfile(path):
            yield path


def _in_source(source: Source, wheel: Wheel) -> str | None:
    folder = local_path(source.url) if source.url else None
    if folder is None:
        return None
    if source.kind == "folder":
        return os.path.join(folder, wheel.filename)
    return next((path for path in linked(folder, wheel.name) if os.path.basename(path) == wheel.filename), None)


def sha256_of(path: str) -> str:
    """Of a whole file, 1 MiB at a time."""
    total = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            total.update(block)
    return total.hexdigest()
