"""Environments: made aside, whole or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sys
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from ..errors import NoError
from ..host.durable import sync_file_system
from ..lockfile.model import BackendLock
from ..project.model import Project
from ..routes.model import Wheel
from ..routes.pylock import pylock_text
from ..words import Words
from .building import constraints, digest, settings
from .local_wheels import PlaceWheel
from .marker import read_marker, write_marker
from .model import NOTHING
from .places import Places, cannot_write
from .settle import settle


def environment_id(backend: BackendLock) -> str:
    """The same lock gives the same one on every machine."""
    built = [digest(backend)] if backend.build or backend.build_variables else []
    text = "\n".join([backend.backend, backend.pylock_sha256, backend.python, *built])
    return f"{backend.backend}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def is_whole(folder: str, id: str, wheels: Sequence[Wheel]) -> bool:
    """Whether the environment was finished, its Python can be run, and each distribution is still there."""
    marker = read_marker(folder)
    if marker is None or marker.id != id or not os.access(os.path.join(folder, "bin", "python"), os.X_OK):
        return False
    there = _installed(folder, marker.python)
    return all(_same(there.get(_normal(wheel.name)), wheel.version) for wheel in wheels)


def _installed(folder: str, python: str) -> dict[str, str]:
    """Name -> version, by the folders of metadata. No file is read."""
    try:
        names = os.listdir(os.path.join(folder, "lib", f"python{python}", "site-packages"))
    except OSError:
        return {}
    parts = (name[: -len(".dist-info")].rpartition("-") for name in names if name.endswith(".dist-info"))
    return {_normal(name): version for name, _, version in parts}


def _same(found: str | None, locked: str) -> bool:
    """Versions may be written in several ways (PEP 440): `1.0.0` and `1.0`, `+cu130.git` and `+cu130_git`."""
    if found is None or found == locked:
        return found is not None
    from packaging.version import InvalidVersion, Version

    try:
        return Version(found.replace("_", "-")) == Version(locked)
    except InvalidVersion:
        return False


def _normal(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")


class MakeEnvironment:
    """An empty environment of the locked Python version."""

    kind = "make-environment"

    def __init__(
        self, project: Project, places: Places, backend: BackendLock, name: str, wheels: Sequence[Wheel]
    ) -> None:
        self.project, self.backend, self.wheels, self.held = project, backend, wheels, places.held
        self.folder = os.path.join(places.environments, name)
        self.subject = os.path.join("envs", name)

    def check(self) -> bool:
        """A folder without its marker is a leftover, and is made anew."""
        return is_whole(self.folder, environment_id(self.backend), self.wheels)

    def do(self) -> None:
        """Raises NoError: no such Python, no room."""
        from ..routes.wheels import make_environment
        from .failures import no_environment

        self.undo()
        python = interpreter(self.project, self.backend.python)
        outcome = make_environment(python, self.folder, self.project.sources, held=self.held)
        if outcome.code != 0:
            raise no_environment(self.backend.python, outcome)

    def undo(self) -> None:
        """Remove the folder."""
        with contextlib.suppress(OSError):
            shutil.rmtree(self.folder)


class Install:
    """Every file of the lock in the environment, each checked against its hash."""

    kind = "install"

    def __init__(
        self, made: MakeEnvironment, places: Places, placed: Sequence[PlaceWheel], *, offline: bool,
        stored: Mapping[str, str] = NOTHING,
    ) -> None:  # fmt: skip
        """`stored`: file name -> path of those that are taken from an exported folder."""
        self.made, self.places, self.placed, self.offline, self.stored = made, places, placed, offline, stored
        self.subject = made.backend.pylock
        # PEP 751: no dot in the name between `pylock.` and `.toml`
        name = os.path.basename(made.folder).replace(".", "-")
        self.list = os.path.join(places.journal, f"pylock.{name}.toml")
        self.constraints = os.path.join(places.journal, f"build.{name}.txt")
        self.settings = os.path.join(places.journal, f"build.{name}.toml")
        self.sdists = [wheel.name for wheel in made.wheels if wheel.is_source]

    def check(self) -> bool:
        """As for the environment itself."""
        return self.made.check()

    def do(self) -> None:
        """Raises NoError: an index out of reach, a wrong hash, no room."""
        from ..routes.wheels import install
        from .failures import not_installed

        for path, text in self._lists().items():
            _write(path, text)
        outcome = install(
            os.path.join(self.made.folder, "bin", "python"), self.list, self.made.project.sources,
            offline=self.offline, sdists=self.sdists, build_constraints=self.constraints if self.sdists else None,
            settings=self.settings if self.sdists else None, held=self.places.held,
        )  # fmt: skip
        if outcome.code != 0:
            raise not_installed(outcome, self.made.wheels)
        self._mark()
        self.undo_lists()

    def _lists(self) -> dict[str, str]:
        """The locked files, local ones by where they lie on this machine; and what sdists are built with."""
        backend = self.made.backend
        paths = {**{one.wheel.filename: one.origin() for one in self.placed}, **self.stored}
        wheels, build = ([self._here(one) for one in some] for some in (self.made.wheels, backend.build))
        found = {self.list: pylock_text(wheels, backend.python, paths)}
        if self.sdists:
            found[self.constraints] = constraints(build, paths)
            found[self.settings] = settings(backend, self.sdists)
        return found

    def _here(self, wheel: Wheel) -> Wheel:
        return replace(wheel, url=None) if wheel.filename in self.stored else wheel

    def _mark(self) -> None:
        """All that uv wrote is on the disk before the marker says so."""
        backend = self.made.backend
        try:
            settle(self.made.folder, backend.python)
            sync_file_system(self.made.folder)
            write_marker(self.made.folder, environment_id(backend), backend.pylock_sha256, backend.python)
        except OSError as error:
            raise cannot_write(error, self.made.folder) from error

    def undo(self) -> None:
        """The environment's own undo removes what was installed."""
        self.undo_lists()

    def undo_lists(self) -> None:
        """They name paths of this machine: they serve one run."""
        for path in (self.list, self.constraints, self.settings):
            with contextlib.suppress(OSError):
                os.unlink(path)


def _write(path: str, text: str) -> None:
    """A new file: what a killed run, or somebody else, left under that name is not written through."""
    try:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        with open(path, "x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise cannot_write(error, path) from error


def interpreter(project: Project, version: str) -> str:
    """What to ask uv for: the path that was said, else the running Python if it fits, else the first on PATH that
    answers as that version (a shim may not); else the version itself, for uv to look. Raises NoError."""
    from ..routes.interpreters import python_version

    said = project.goal.python
    if said and os.sep in said:
        return _said(os.path.abspath(os.path.expanduser(said)), version)
    if version == f"{sys.version_info[0]}.{sys.version_info[1]}":
        return os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    paths = [path for one in folders if (path := shutil.which(f"python{version}", path=one))]
    return next((path for path in dict.fromkeys(paths) if python_version(path) == version), version)


def _said(path: str, version: str) -> str:
    from ..routes.interpreters import python_version

    found = python_version(path)
    if found == version:
        return path
    tells = Words(f"is Python {found}", f"是 Python {found}") if found else Words("does not answer", "没有响应")
    raise NoError(
        Words(f"the lock is for Python {version}, and {path} {tells.en}",
              f"锁文件针对 Python {version}，而 {path} {tells.zh}"),
        next=Words("name another Python, or freeze anew with `firstlight lock`",
                   "请另指定 Python，或用 `firstlight lock` 重新锁定"),
    )  # fmt: skip
