"""What a killed run leaves: a uv that still writes, half-made names, a swap that did not come about."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from firstlight.steps.activation import Activate
from firstlight.steps.journal import Journal, previous_environment
from firstlight.steps.marker import read_marker, write_marker
from firstlight.steps.places import Places
from firstlight.steps.sync import sync

from .ground import Ground, states
from .killing import MAIN, Scene

SLOW = """#!/bin/sh
if [ "$1" = pip ]; then echo > {began}; sleep 2; fi
exec {uv} "$@"
"""


def test_a_uv_that_outlives_a_killed_sync_is_waited_for(tmp_path: Path, uv_cache: Path) -> None:
    from uv import find_uv_bin

    scene = Scene(tmp_path / "scene", uv_cache)
    scene.lock(1)
    assert scene.run("sync").returncode == 0
    scene.lock(2)
    reference, began, slow = scene.kept(), tmp_path / "began", tmp_path / "uv"
    slow.write_text(SLOW.format(began=began, uv=find_uv_bin()))
    slow.chmod(0o755)
    argv = [sys.executable, "-c", MAIN, str(slow), "sync"]
    with subprocess.Popen(argv, cwd=scene.root, env=scene.variables, stderr=subprocess.DEVNULL) as child:
        until = time.monotonic() + 30
        while not began.exists() and time.monotonic() < until:
            time.sleep(0.01)
        child.kill()
    assert child.returncode == -signal.SIGKILL
    assert scene.works() == "2.1+cpu"
    start = time.monotonic()
    answer = scene.run("sync")
    assert answer.returncode == 0, answer.stderr
    assert time.monotonic() - start > 1
    assert "waiting" in answer.stderr
    assert scene.works() == "2.2+cpu"
    assert scene.kept() == sorted([*reference, "envs/cpu-N"])


LEFT = ("env.tmp", "wheels/x.whl.123.tmp", "journal/pylock.cpu-0.toml", "journal/build.cpu-0.txt",
        "journal/build.cpu-0.toml", "journal/sync.jsonl.tmp", "../pylock.cpu.toml.tmp", "../firstlight.lock.tmp",
        "../pylock.rocm.toml.tmp")  # fmt: skip


@pytest.mark.parametrize("name", LEFT)
def test_half_made_names_are_cleared_away_even_if_all_else_is_right(ground: Ground, name: str) -> None:
    lock = ground.lock()
    sync(ground.project, lock, "cpu")
    path = ground.root / ".firstlight" / name
    path.symlink_to("/nowhere") if name == "env.tmp" else path.write_text("x")
    assert states(sync(ground.project, lock, "cpu")) == {"right"}
    assert not os.path.lexists(path)


@pytest.mark.parametrize("made", ["", "wheels", "wheels envs journal"])
def test_folders_that_were_half_made_are_completed(ground: Ground, made: str) -> None:
    own = ground.root / ".firstlight"
    own.mkdir()
    for name in made.split():
        (own / name).mkdir()
    if made == "wheels":
        (own / ".gitignore").touch()
    sync(ground.project, ground.lock(), "cpu")
    assert (own / ".gitignore").read_text() == "*\n"
    assert ground.version() == "2.13.0+cpu"


def test_a_swap_that_did_not_come_about_does_not_lose_what_was_in_use_before(ground: Ground) -> None:
    sync(ground.project, ground.lock(), "cpu")
    first = Places(str(ground.root)).active_name()
    ground.torch("2.14.0+cpu")
    lock = ground.lock()
    sync(ground.project, lock, "cpu")
    places = Places(str(ground.root))
    journal = Journal(places.journal, "cpu-0123456789abcdef.1")
    journal.note("activate", "env", "begin", places.active_name())
    assert previous_environment(places.journal, places.active_name()) == first
    assert states(sync(ground.project, lock, "cpu")) == {"right"}
    assert first in ground.environments()


def test_the_first_swap_is_taken_back_to_nothing(ground: Ground) -> None:
    places = Places(str(ground.root))
    places.make()
    swap = Activate(places, "cpu-0123456789abcdef.1")
    swap.do()
    swap.undo()
    assert not os.path.lexists(places.active)


def test_a_marker_holds_for_the_folder_it_was_written_into_only(tmp_path: Path) -> None:
    made = tmp_path / "made"
    made.mkdir()
    (made / "pyvenv.cfg").write_text("home = x\n")
    write_marker(str(made), "a", "b", "3.11")
    assert read_marker(str(made)) is not None
    shutil.copytree(made, tmp_path / "copy")
    assert read_marker(str(tmp_path / "copy")) is None
    made.rename(tmp_path / "moved")
    assert read_marker(str(tmp_path / "moved")) is not None
    (tmp_path / "moved/pyvenv.cfg").unlink()
    assert read_marker(str(tmp_path / "moved")) is None


def test_a_marker_that_came_with_a_checkout_would_have_to_know_the_second(tmp_path: Path) -> None:
    made = tmp_path / "made"
    made.mkdir()
    (made / "pyvenv.cfg").write_text("home = x\n")
    write_marker(str(made), "a", "b", "3.11")
    text = (made / "firstlight.json").read_text()
    second = str(int((made / "pyvenv.cfg").stat().st_ctime))
    (made / "firstlight.json").write_text(text.replace(second, str(int(second) - 1)))
    assert read_marker(str(made)) is None


def test_an_environment_with_another_version_of_a_package_is_not_whole(ground: Ground) -> None:
    lock = ground.lock()
    sync(ground.project, lock, "cpu")
    info = next((ground.root / ".firstlight/env").glob("lib/*/site-packages/torch-*.dist-info"))
    info.rename(info.with_name("torch-2.12.0+cpu.dist-info"))
    assert "done" in states(sync(ground.project, lock, "cpu"))
    assert ground.version() == "2.13.0+cpu"
    assert next((ground.root / ".firstlight/env").glob("lib/*/site-packages/torch-2.13.0+cpu.dist-info"))
