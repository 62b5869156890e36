"""A project over a wheelhouse and an index on disk, for tests that sync it for real."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from firstlight.host.model import HostKind
from firstlight.lockfile.files import write
from firstlight.lockfile.freeze import chosen_route, freeze, pylock_of
from firstlight.lockfile.model import Lock
from firstlight.project.model import Goal, Project, Source, Sources
from firstlight.routes.plan import plan
from firstlight.steps.places import env_python
from tests.routes.fake_facts import machine
from tests.routes.tiny_wheels import LINUX, make_index, make_wheel

_HERE = f"cp{sys.version_info[0]}{sys.version_info[1]}"
TAG = f"{_HERE}-{_HERE}-{LINUX}"


class Ground:
    """A project over a wheelhouse and an index on disk."""

    def __init__(self, folder: Path) -> None:
        self.root, self.house = folder / "project", folder / "house"
        self.root.mkdir()
        self.torch("2.13.0+cpu")
        files = [make_wheel(folder / "files", "filelock", "4.0.0", "py3-none-any")]
        index = Source(name="default", url=make_index(folder / "simple", files), kind="index", origin="test")
        wheelhouse = Source(name="wheelhouse", url=str(self.house), kind="folder", origin="test")
        sources = Sources(default_indices=(index,), wheelhouses=(wheelhouse,), torch_indices=())
        self.project = Project(root=str(self.root), goal=Goal(), sources=sources)

    def torch(self, version: str) -> Path:
        return make_wheel(self.house, "torch", version, TAG, requires=["filelock"])

    def lock(self) -> Lock:
        facts = machine(kind=HostKind.LIVE)
        found = plan(self.project, facts)
        return write(str(self.root), freeze(self.project, facts, found), pylock_of(chosen_route(found)))

    def version(self) -> str | None:
        """Of the torch that the project's environment imports; None if there is no environment."""
        python = env_python(self.project)
        if python is None:
            return None
        code = "import torch, filelock; print(torch.__version__)"
        answer = subprocess.run([python, "-I", "-c", code], capture_output=True, text=True, check=True)
        return answer.stdout.strip()

    def environments(self) -> list[str]:
        return os.listdir(self.root / ".firstlight" / "envs")


def states(results: object) -> set[str]:
    assert isinstance(results, tuple)
    return {result.state for result in results}
