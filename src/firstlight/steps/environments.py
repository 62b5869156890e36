"""Environments: made aside, whole or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sys
from collections.abc import Sequence

from ..errors import NoError
from ..host.model import Outcome
from ..lockfile.model import BackendLock
from ..project.model import Project
from ..routes.interpreters import python_version
from ..routes.model import Wheel
from ..routes.pylock import pylock_text
from ..routes.refusals import refusal
from ..routes.wheels import install, make_environment
from ..words import Words
from .local_wheels import PlaceWheel
from .marker import read_marker, write_marker
from .places import Places, cannot_write


def environment_id(backend: BackendLock) -> str:
    """The same lock gives the same one on every machine."""
    text = "\n".join([backend.backend, backend.pylock_sha256, backend.python])
    return f"{backend.backend}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def is_whole(folder: str, id: str, wheels: Sequence[Wheel]) -> bool:
    """Whether the environment was finished, its Python can be run, and each distribution is still there."""
    marker = read_marker(folder)
    if marker is None or marker.id != id or not os.access(os.path.join(folder, "bin", "python"), os.X_OK):
        return False
    return {_normal(wheel.name) for wheel in wheels} <= _installed(folder, marker.python)


def _installed(folder: str, python: str) -> set[str]:
    try:
        names = os.listdir(os.path.join(folder, "lib", f"python{python}", "site-packages"))
    except OSError:
        return set()
    return {_normal(name[: -len(".dist-info")].rpartition("-")[0]) for name in names if name.endswith(".dist-info")}


def _normal(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")


class MakeEnvironment:
    """An empty environment of the locked Python version."""

    kind = "make-environment"

    def __init__(
        self, project: Project, places: Places, backend: BackendLock, name: str, wheels: Sequence[Wheel]
    ) -> None:
        self.project, self.backend, self.wheels = project, backend, wheels
        self.folder = os.path.join(places.environments, name)
        self.subject = os.path.join("envs", name)

    def check(self) -> bool:
        """A folder without its marker is a leftover, and is made anew."""
        return is_whole(self.folder, environment_id(self.backend), self.wheels)

    def do(self) -> None:
        """Raises NoError: no such Python, no room."""
        self.undo()
        python = interpreter(self.project, self.backend.python)
        outcome = make_environment(python, self.folder, self.project.sources)
        if outcome.code != 0:
            raise _no_environment(self.backend.python, outcome)

    def undo(self) -> None:
        """Remove the folder."""
        with contextlib.suppress(OSError):
            shutil.rmtree(self.folder)


class Install:
    """Every wheel of the lock in the environment, each checked against its hash."""

    kind = "install"

    def __init__(self, made: MakeEnvironment, places: Places, placed: Sequence[PlaceWheel], *, offline: bool) -> None:
        self.made, self.placed, self.offline = made, placed, offline
        self.subject = made.backend.pylock
        # PEP 751: no dot in the name between `pylock.` and `.toml`
        name = os.path.basename(made.folder).replace(".", "-")
        self.list = os.path.join(places.journal, f"pylock.{name}.toml")

    def check(self) -> bool:
        """As for the environment itself."""
        return self.made.check()

    def do(self) -> None:
        """Raises NoError: an index out of reach, a wrong hash, no room."""
        self._write_list()
        python = os.path.join(self.made.folder, "bin", "python")
        outcome = install(python, self.list, self.made.project.sources, offline=self.offline)
        if outcome.code != 0:
            raise _not_installed(outcome)
        self._mark()
        self.undo_list()

    def _write_list(self) -> None:
        """The locked files, local ones by where they lie on this machine."""
        paths = {one.wheel.filename: one.origin() for one in self.placed}
        text = pylock_text(self.made.wheels, self.made.backend.python, paths)
        try:
            with open(self.list, "w", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise cannot_write(error, self.list) from error

    def _mark(self) -> None:
        backend = self.made.backend
        try:
            write_marker(self.made.folder, environment_id(backend), backend.pylock_sha256, backend.python)
        except OSError as error:
            raise cannot_write(error, self.made.folder) from error

    def undo(self) -> None:
        """The environment's own undo removes what was installed."""
        self.undo_list()

    def undo_list(self) -> None:
        """The list names paths of this machine: it serves one run."""
        with contextlib.suppress(OSError):
            os.unlink(self.list)


def interpreter(project: Project, version: str) -> str:
    """What to ask uv for: the path that was said, else the running Python if it fits, else the first on PATH that
    answers as that version (a shim may not); else the version itself, for uv to look. Raises NoError."""
    said = project.goal.python
    if said and os.sep in said:
        return _said(os.path.abspath(os.path.expanduser(said)), version)
    if version == f"{sys.version_info[0]}.{sys.version_info[1]}":
        return os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    paths = [path for one in folders if (path := shutil.which(f"python{version}", path=one))]
    return next((path for path in dict.fromkeys(paths) if python_version(path) == version), version)


def _said(path: str, version: str) -> str:
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


def _no_environment(version: str, outcome: Outcome) -> NoError:
    first, *rest = refusal(outcome.stderr, "uv", timed_out=outcome.timed_out)
    room = first.kind in ("disk-full", "unwritable-cache")
    return NoError(
        Words(f"no environment with Python {version} could be made", f"无法创建 Python {version} 环境"),
        why=Words("; ".join(link.text.en for link in rest), "；".join(link.text.zh for link in rest)),
        next=first.text if room else Words(
            f"install that Python (`uv python install {version}`), or name one with FIRSTLIGHT_PYTHON=PATH",
            f"请安装该版本 Python（`uv python install {version}`），或用 FIRSTLIGHT_PYTHON=路径 指定"),
    )  # fmt: skip


def _not_installed(outcome: Outcome) -> NoError:
    first, *rest = refusal(outcome.stderr, "uv", timed_out=outcome.timed_out)
    said = "; ".join(link.text.en for link in rest)
    return NoError(
        Words(f"the locked files could not be installed: {first.text.en}", f"锁定的文件无法安装：{first.text.zh}"),
        why=Words(f"{said}; the environment that was in use before is untouched", f"{said}；之前使用的环境未受影响"),
        next=Words("mend that, then sync again: what was fetched is kept", "请修正后重新执行 sync：已下载的内容会保留"),
    )
