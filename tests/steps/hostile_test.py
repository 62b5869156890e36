"""A checkout that came with a `.firstlight` of its own: nothing outside is written or removed, nothing in it is run."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from firstlight.errors import NoError
from firstlight.steps import sync
from firstlight.steps.environments import environment_id
from firstlight.steps.places import env_python
from tests.steps.ground import Ground


@pytest.mark.parametrize("name", ["envs", "journal", "wheels", ""])
def test_a_link_in_place_of_a_folder_is_refused(name: str, ground: Ground, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "thesis").mkdir(parents=True)
    (elsewhere / "pylock.cpu-0.toml").write_text("mine")
    link = ground.root / ".firstlight" / name if name else ground.root / ".firstlight"
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(elsewhere)
    with pytest.raises(NoError, match="is a link"):
        sync(ground.project, ground.lock(), "cpu")
    assert (elsewhere / "thesis").is_dir()
    assert (elsewhere / "pylock.cpu-0.toml").read_text() == "mine"


@pytest.mark.parametrize("file", ["journal/sync.jsonl", "lock"])
def test_a_linked_file_is_not_written_through(file: str, ground: Ground, tmp_path: Path) -> None:
    target = tmp_path / "bashrc"
    target.write_text("mine\n")
    link = ground.root / ".firstlight" / file
    link.parent.mkdir(parents=True)
    link.symlink_to(target)
    with pytest.raises(NoError):
        sync(ground.project, ground.lock(), "cpu")
    assert target.read_text() == "mine\n"


def test_only_environments_are_ever_removed(ground: Ground) -> None:
    kept = ground.root / ".firstlight/envs/notes"
    kept.mkdir(parents=True)
    (kept.parent / "cpu-0123456789abcdef.1").symlink_to(kept)
    sync(ground.project, ground.lock(), "cpu")
    assert kept.is_dir()


def test_an_environment_that_came_with_the_checkout_is_not_run(ground: Ground) -> None:
    lock = ground.lock()
    backend = lock.backends[0]
    name = f"{environment_id(backend)}.1"
    folder = ground.root / ".firstlight/envs" / name
    site = folder / f"lib/python{backend.python}/site-packages"
    for wheel in ("torch-2.13.0+cpu", "filelock-4.0.0"):
        (site / f"{wheel}.dist-info").mkdir(parents=True)
    (folder / "bin").mkdir()
    python = folder / "bin/python"
    python.write_text("#!/bin/sh\ntouch ran\n")
    python.chmod(0o755)
    fields = {"id": environment_id(backend), "pylock_sha256": backend.pylock_sha256, "python": backend.python}
    (folder / "firstlight.json").write_text(json.dumps({**fields, "folder": [1, 2]}))
    os.symlink(f"envs/{name}", ground.root / ".firstlight/env")
    assert env_python(ground.project) is None
    sync(ground.project, lock, "cpu")
    assert ground.version() == "2.13.0+cpu"
    assert os.readlink(ground.root / ".firstlight/env") != f"envs/{name}"
