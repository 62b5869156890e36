"""Environments made for real by uv from tiny wheels: killed, damaged, offline, raced."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from firstlight.errors import NoError
from firstlight.lockfile.files import write
from firstlight.progress import Silent
from firstlight.steps.guard import only_one
from firstlight.steps.journal import Journal
from firstlight.steps.sync import sync
from tests.routes.tiny_wheels import make_wheel

from .ground import TAG, Ground, states


def test_the_second_sync_does_nothing(ground: Ground) -> None:
    lock = ground.lock()
    assert states(sync(ground.project, lock, "cpu")) == {"done"}
    assert ground.version() == "2.13.0+cpu"
    before = _times(ground.root)
    began = time.perf_counter()
    assert states(sync(ground.project, lock, "cpu")) == {"right"}
    assert time.perf_counter() - began < 0.2
    assert _times(ground.root) == before
    assert (ground.root / ".firstlight/.gitignore").read_text() == "*\n"


def _times(root: Path) -> dict[str, int]:
    return {str(path): path.lstat().st_mtime_ns for path in root.rglob("*") if "__pycache__" not in path.parts}


def _killed(action: Callable[[], object], after: int) -> bool:
    """Run `action` in a child that kills itself after so many lines of its journal. Whether it came to that."""
    child = os.fork()
    if child == 0:
        left = [after]
        note = Journal.note

        def counted(self: Journal, *said: object, **more: object) -> None:
            note(self, *said, **more)  # type: ignore[arg-type]
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)

        Journal.note = counted  # type: ignore[method-assign]
        try:
            action()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def test_killed_at_any_line_of_the_journal_the_next_run_carries_on(ground: Ground) -> None:
    sync(ground.project, ground.lock(), "cpu")
    killed = 0
    for after in range(1, 40):
        version = f"2.14.{after}+cpu"
        ground.torch(version)
        before, lock = ground.version(), ground.lock()
        if not _killed(lambda lock=lock: sync(ground.project, lock, "cpu"), after):  # type: ignore[misc]
            break
        killed += 1
        assert ground.version() in (before, version)
        sync(ground.project, lock, "cpu")
        assert ground.version() == version
        assert len(ground.environments()) <= 2
        assert states(sync(ground.project, lock, "cpu")) == {"right"}
    assert killed == len({"begin", "done"}) * len({"place", "make", "install", "activate"})


def test_killed_from_outside_at_odd_moments(ground: Ground) -> None:
    lock = ground.lock()
    for moment in (0.005, 0.02, 0.05, 0.09, 0.13):
        child = os.fork()
        if child == 0:
            try:
                sync(ground.project, lock, "cpu")
            finally:
                os._exit(0)
        time.sleep(moment)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        assert ground.version() in (None, "2.13.0+cpu")
    sync(ground.project, lock, "cpu")
    assert ground.version() == "2.13.0+cpu"
    assert states(sync(ground.project, lock, "cpu")) == {"right"}


def test_a_failed_sync_leaves_the_old_environment_and_no_rubbish(ground: Ground) -> None:
    sync(ground.project, ground.lock(), "cpu")
    before = ground.environments()
    wheel = ground.torch("2.14.0+cpu")
    lock = ground.lock()
    wheel.write_bytes(wheel.read_bytes() + b"\0")
    with pytest.raises(NoError, match="in no configured source") as caught:
        sync(ground.project, lock, "cpu")
    assert caught.value.why is not None
    assert "sha256" in caught.value.why.en
    assert ground.version() == "2.13.0+cpu"
    assert ground.environments() == before
    wheel.unlink()
    with pytest.raises(NoError, match=r"torch-2\.14\.0"):
        sync(ground.project, lock, "cpu")
    assert ground.version() == "2.13.0+cpu"


def test_a_wheel_swapped_under_its_link_is_refused_by_its_hash(ground: Ground) -> None:
    lock = ground.lock()
    sync(ground.project, lock, "cpu")
    make_wheel(ground.house, "torch", "2.13.0+cpu", TAG, requires=["filelock"], code="__version__ = '2.13.0+cpx'\n")
    info = next((ground.root / ".firstlight/env").glob("lib/*/site-packages/filelock-*.dist-info"))
    shutil.rmtree(info)
    with pytest.raises(NoError, match="hash"):
        sync(ground.project, lock, "cpu")
    assert ground.version() == "2.13.0+cpu"


def test_what_a_killed_run_left_is_cleared_away(ground: Ground) -> None:
    lock = ground.lock()
    sync(ground.project, lock, "cpu")
    own = ground.root / ".firstlight"
    (own / "envs/cpu-0000000000000000.1").mkdir()
    (own / "journal/pylock.cpu-0000000000000000-1.toml").write_text("x")
    assert states(sync(ground.project, lock, "cpu")) == {"right"}
    assert len(ground.environments()) == 1
    assert os.listdir(own / "journal") == ["sync.jsonl"]


def test_a_damaged_environment_is_made_anew_beside_itself(ground: Ground) -> None:
    lock = ground.lock()
    sync(ground.project, lock, "cpu")
    old = (ground.root / ".firstlight/env").resolve()
    for folder in old.glob("lib/*/site-packages/torch-*"):
        subprocess.run(["rm", "-r", str(folder)], check=True)
    results = sync(ground.project, lock, "cpu")
    assert [one.kind for one in results if one.state == "done"] == ["make-environment", "install", "activate"]
    assert (ground.root / ".firstlight/env").resolve() != old
    assert ground.version() == "2.13.0+cpu"


def test_a_lost_network_is_said(ground: Ground) -> None:
    lock = ground.lock()
    text = (ground.root / "pylock.cpu.toml").read_text()
    entry = 'path = ".firstlight/wheels/filelock-4.0.0-py3-none-any.whl"'
    assert entry in text
    text = text.replace(entry, 'url = "http://127.0.0.1:9/filelock-4.0.0-py3-none-any.whl"')
    digest = hashlib.sha256(text.encode()).hexdigest()
    frozen = lock.backends[0]
    local = tuple(one for one in frozen.local if one.name != "filelock")
    lock = replace(lock, backends=(replace(frozen, pylock_sha256=digest, local=local),))
    write(str(ground.root), lock, text)
    with pytest.raises(NoError, match="cannot be reached"):
        sync(ground.project, lock, "cpu")
    with pytest.raises(NoError, match="offline"):
        sync(ground.project, lock, "cpu", offline=True)
    assert not ground.environments()


def test_two_at_once_do_not_collide(ground: Ground) -> None:
    lock = ground.lock()
    errors: list[BaseException] = []

    def one() -> None:
        try:
            sync(ground.project, lock, "cpu")
        except BaseException as error:  # noqa: BLE001  whatever it is, the test must see it
            errors.append(error)

    threads = [threading.Thread(target=one) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert len(ground.environments()) == 1
    assert ground.version() == "2.13.0+cpu"


def test_waiting_for_another_sync_ends(tmp_path: Path) -> None:
    with (
        only_one(str(tmp_path), Silent()),
        pytest.raises(NoError, match="another sync"),
        only_one(str(tmp_path), Silent(), wait=0.1),
    ):
        pass
