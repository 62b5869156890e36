"""A hand-made environment of tiny wheels, installed by uv for real, over an index on loopback and a wheelhouse."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from uv import find_uv_bin

from firstlight.catalog.index import Catalog
from firstlight.facts.model import Facts
from firstlight.host import open_host
from firstlight.host.model import HostKind
from firstlight.lockfile.adopt import Adopted, adopt
from firstlight.lockfile.files import read, write
from firstlight.lockfile.model import BackendLock
from firstlight.progress import Silent
from firstlight.project.load import load
from firstlight.project.model import Project
from firstlight.verbs.adopt import comparing
from tests.routes.fake_facts import machine
from tests.routes.loopback import Index
from tests.routes.tiny_wheels import LINUX, make_wheel

HERE = f"cp{sys.version_info[0]}{sys.version_info[1]}"
TAG = f"{HERE}-{HERE}-{LINUX}"
PURE = "py3-none-any"
TORCH = "2.13.0+cpu"


class HandMade:
    """torch from a wheelhouse and filelock from the main index, installed in `env`; `root` is the project."""

    def __init__(self, folder: Path, index: Index) -> None:
        self.folder, self.index = folder, index
        self.root, self.house, self.env = folder / "project", folder / "house", folder / "hand made"
        self.root.mkdir()
        self.wheel("torch", TORCH, TAG, at=self.house, requires=("filelock",))
        self.wheel("filelock", "4.0.0")
        self.run("venv", "-q", "--no-project", "-p", sys.executable, str(self.env))
        self.install("torch", "filelock")

    def wheel(
        self, name: str, version: str, tag: str = PURE, *, at: Path | None = None, requires: tuple[str, ...] = (),
        code: str = "",
    ) -> Path:  # fmt: skip
        """In the index, or in a folder."""
        return make_wheel(at or self.index.folder, name, version, tag, requires=requires, code=code)

    def install(self, *what: str, at: Path | None = None) -> None:
        """Any requirement of pip's."""
        links = ["-f", str(self.index.folder), "-f", str(self.house), *(["-f", str(at)] if at else [])]
        self.run("pip", "install", "-q", "--no-index", "-p", str(self.env / "bin/python"), *links, *what)

    def run(self, *argv: str) -> None:
        subprocess.run([find_uv_bin(), *argv, "--no-config"], check=True, capture_output=True, text=True)

    @property
    def site(self) -> Path:
        return next(self.env.glob("lib/*/site-packages"))

    def project(self, **environ: str) -> Project:
        """`PYTORCH_CPU` of the built-in indices serves nothing unless it is said otherwise."""
        said = {
            "HOME": str(self.folder / "home"), "PIP_INDEX_URL": self.index.url("simple"),
            "PIP_FIND_LINKS": str(self.house), "FIRSTLIGHT_SOURCE_PYTORCH_CPU": self.index.url("missing"), **environ,
        }  # fmt: skip
        return load(str(self.root), environ=said, etc=str(self.folder / "etc"))

    def adopted(self, said: str | None = "", *, facts: Facts | None = None, **environ: str) -> Adopted:
        """`said`: the environment, by default the hand-made one."""
        project = self.project(**environ)
        where = str(self.env) if said == "" else said
        agrees = comparing(Catalog(project.sources), str(self.folder))
        known = facts or machine(kind=HostKind.LIVE)
        return adopt(project, known, open_host("live"), where, agrees=agrees, reporter=Silent())

    def frozen(self, **environ: str) -> BackendLock:
        """What the adopted lock holds, through its file."""
        found = self.adopted("", facts=None, **environ)
        write(str(self.root), found.lock, found.pylock)
        return read(str(self.root)).backends[0]


def lost(frozen: BackendLock) -> dict[str, str]:
    return {one.name: one.why for one in frozen.lost}
