"""Environments made for real by uv from tiny wheels: killed, damaged, offline, raced."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from firstlight.errors import NoError
from firstlight.host.model import HostKind
from firstlight.lockfile.files import write
from firstlight.lockfile.freeze import chosen_route, freeze, pylock_of
from firstlight.lockfile.model import Lock
from firstlight.progress import Silent
from firstlight.project.model import Goal, Project, Source, Sources
from firstlight.routes.plan import plan
from firstlight.steps import journal as journal_file
from firstlight.steps.guard import only_one
from firstlight.steps.journal import Journal, read_journal
from firstlight.steps.places import env_python
from firstlight.steps.sync import sync
from tests.routes.fake_facts import machine
from tests.routes.tiny_wheels import LINUX, make_index, make_wheel

HERE = f"cp{sys.version_info[0]}{sys.version_info[1]}"
TAG = f"{HERE}-{HERE}-{LINUX}"


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


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path)


def states(results: object) -> set[str]:
    assert isinstance(results, tuple)
    return {result.state for result in results}


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


def test_no_absolute_path_is_in_what_is_committed(ground: Ground, tmp_path: Path) -> None:
    ground.lock()
    for name in ("firstlight.lock", "pylock.cpu.toml"):
        assert str(tmp_path) not in (ground.root / name).read_text()


def test_uv_and_pip_take_the_pylock_as_it_is(ground: Ground, tmp_path: Path) -> None:
    from uv import find_uv_bin

    sync(ground.project, ground.lock(), "cpu")
    uv, env = find_uv_bin(), tmp_path / "by-hand"
    subprocess.run([uv, "venv", "-q", "--no-project", "-p", sys.executable, str(env)], check=True)
    argv = [uv, "pip", "sync", "-q", "--offline", "--preview-features", "pylock", "-p", str(env / "bin/python")]
    subprocess.run([*argv, "pylock.cpu.toml"], cwd=ground.root, check=True)
    answer = subprocess.run([env / "bin/python", "-c", "import torch; print(torch.__version__)"], capture_output=True,
                            text=True, check=True)  # fmt: skip
    assert answer.stdout.strip() == "2.13.0+cpu"


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
    env = ground.root / ".firstlight/env"
    (env.resolve() / "firstlight.json").unlink()
    with pytest.raises(NoError, match="hash"):
        sync(ground.project, lock, "cpu")
    assert ground.version() == "2.13.0+cpu"


def test_a_full_disk_is_said_and_undone(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    sync(ground.project, ground.lock(), "cpu")
    ground.torch("2.14.0+cpu")
    lock = ground.lock()
    before = ground.environments()
    full = OSError(28, "No space left on device")
    monkeypatch.setattr("firstlight.steps.environments.Install._write_list", lambda self: _raise(full, self))
    with pytest.raises(NoError, match="No space left"):
        sync(ground.project, lock, "cpu")
    monkeypatch.undo()
    assert ground.version() == "2.13.0+cpu"
    assert ground.environments() == before
    assert read_journal(str(ground.root / ".firstlight/journal"))[-1].state == "undone"


def _raise(error: OSError, _: object) -> None:
    from firstlight.steps.places import cannot_write

    raise cannot_write(error, "here") from error


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


def test_a_lost_network_is_said(ground: Ground) -> None:
    from msgspec.structs import replace

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


def test_a_damaged_journal_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path), "x")
    journal.note("install", "a", "begin")
    with open(journal.path, "ab") as file:
        file.write(b'{"sync": "x"\n\xff\n' + b"[" * 5000 + b"\n" + json.dumps({"sync": 1}).encode() + b'\n{"sy')
    assert [entry.subject for entry in read_journal(str(tmp_path))] == ["a"]
    assert journal_file.previous_environment(str(tmp_path)) is None


def test_a_long_journal_is_cut_down(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path), "x")
    journal.note("install", "old", "begin")
    line = Path(journal.path).read_bytes()
    Path(journal.path).write_bytes(line * (1 + journal_file.LONG // len(line)))
    journal.note("activate", "env", "begin", "before")
    journal.trim()
    assert len(read_journal(str(tmp_path))) == journal_file.KEPT
    assert journal_file.previous_environment(str(tmp_path)) == "before"


def test_the_interpreter_of_a_plan_is_one_that_runs() -> None:
    from firstlight.routes.interpreters import offered

    first = offered(Goal(), machine(kind=HostKind.LIVE))[0]
    assert first.version == f"{sys.version_info[0]}.{sys.version_info[1]}"
    assert first.path is not None
    assert os.access(first.path, os.X_OK)
