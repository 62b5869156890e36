"""Temporary folders of killed runs are cleared away; those of others are not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from firstlight.host import scratch as module
from firstlight.host.scratch import scratch

KILLED = (
    "import os, signal; from firstlight.host.scratch import scratch\nwith scratch() as one: os.kill(os.getpid(), 9)"
)


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    module._sweep.cache_clear()


def test_it_is_gone_afterwards(tmp_path: Path) -> None:
    with scratch() as folder:
        Path(folder, "x").write_text("x")
        assert os.path.dirname(folder) == str(tmp_path)
    assert not list(tmp_path.iterdir())


def test_what_a_killed_run_left_is_cleared_away_by_the_next(tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    ended = subprocess.run([sys.executable, "-c", KILLED], env=environment, check=False)
    assert ended.returncode == -signal.SIGKILL
    assert len(list(tmp_path.iterdir())) == 1
    with scratch():
        assert len(list(tmp_path.iterdir())) == 1
    assert not list(tmp_path.iterdir())


def test_what_is_in_use_or_not_ours_is_kept(tmp_path: Path) -> None:
    with scratch() as folder:
        own = os.path.basename(folder)
        space, process, began = own.split("-")[1:4]
        there = tmp_path / "there"
        there.mkdir()
        kept = {own, "there", f"firstlight-{int(space) + 1}-999999999-1-abc", "firstlight-0-999999999-1-abc",
                "firstlight-x", f"firstlight-{space}-{process}-{began}-other"}  # fmt: skip
        for name in kept:
            (tmp_path / name).mkdir(exist_ok=True)
        (tmp_path / f"firstlight-{space}-999999999-1-link").symlink_to(there)
        for name in (f"firstlight-{space}-999999999-1-abc", f"firstlight-{space}-{process}-1-again"):
            (tmp_path / name / "deep").mkdir(parents=True)
        module._sweep.cache_clear()
        with scratch() as second:
            found = {path.name for path in tmp_path.iterdir()} - {os.path.basename(second)}
    assert found - {f"firstlight-{space}-999999999-1-link"} == kept
    assert there.is_dir()


def test_where_nothing_can_be_told_nothing_is_cleared_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_space", lambda: "0")
    (tmp_path / "firstlight-0-999999999-0-abc").mkdir()
    with scratch():
        pass
    assert (tmp_path / "firstlight-0-999999999-0-abc").is_dir()
