"""Which Python an environment is made with."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from firstlight.errors import NoError
from firstlight.host.model import HostKind
from firstlight.project.model import Goal, Project, Sources
from firstlight.steps.environments import interpreter
from firstlight.steps.places import env_python
from firstlight.steps.sync import sync
from tests.routes.fake_facts import machine

from .ground import Ground, states


def test_a_lost_interpreter_is_noticed(ground: Ground) -> None:
    lock = ground.lock()
    sync(ground.project, lock, "cpu")
    python = (ground.root / ".firstlight/env").resolve() / "bin/python"
    python.unlink()
    python.symlink_to("/nowhere/python")
    assert env_python(ground.project) is None
    assert "done" in states(sync(ground.project, lock, "cpu"))
    assert ground.version() == "2.13.0+cpu"


def test_a_python_that_is_not_here_is_named(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = ground.lock()
    monkeypatch.setattr("firstlight.steps.environments.interpreter", lambda *_: "/nowhere/python3.11")
    with pytest.raises(NoError, match="no environment with Python"):
        sync(ground.project, lock, "cpu")


@pytest.mark.parametrize("said", ["/nowhere/python", "/etc/passwd"])
def test_a_python_that_does_not_answer_is_named(ground: Ground, said: str) -> None:
    lock = ground.lock()
    with pytest.raises(NoError, match=said):
        sync(replace(ground.project, goal=Goal(python=said)), lock, "cpu")
    assert not ground.environments()


def test_a_python_of_another_version_is_refused(ground: Ground, tmp_path: Path) -> None:
    lock = ground.lock()
    fake = tmp_path / "python3.98"
    fake.write_text("#!/bin/sh\necho 3.98\n")
    fake.chmod(0o755)
    with pytest.raises(NoError, match=r"is Python 3\.98"):
        sync(replace(ground.project, goal=Goal(python=str(fake))), lock, "cpu")


def test_a_shim_that_does_not_answer_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = Project(
        root=str(tmp_path), goal=Goal(), sources=Sources(default_indices=(), wheelhouses=(), torch_indices=())
    )
    for folder, says in (("shims", "exit 127"), ("bin", "echo 3.98")):
        path = tmp_path / folder / "python3.98"
        path.parent.mkdir()
        path.write_text(f"#!/bin/sh\n{says}\n")
        path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/shims:{tmp_path}/bin:{tmp_path}/nowhere")
    assert interpreter(project, "3.98") == str(tmp_path / "bin/python3.98")
    assert interpreter(project, "3.97") == "3.97"


def test_the_interpreter_of_a_plan_is_one_that_runs() -> None:
    from firstlight.routes.interpreters import offered

    first = offered(Goal(), machine(kind=HostKind.LIVE))[0]
    assert first.version == f"{sys.version_info[0]}.{sys.version_info[1]}"
    assert first.path is not None
    assert os.access(first.path, os.X_OK)
