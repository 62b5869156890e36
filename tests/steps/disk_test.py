"""A disk that is full, really and at odd moments; one that cannot be written."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from firstlight.errors import NoError
from firstlight.lockfile.files import write
from firstlight.steps.journal import read_journal
from firstlight.steps.places import Places
from firstlight.steps.sync import sync

from .ground import Ground, states


def _mounted(folder: Path, kilobytes: int) -> bool:
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(folder)]
    return os.geteuid() == 0 and subprocess.run(mount, capture_output=True, check=False).returncode == 0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 2 MiB."""
    folder = tmp_path / "disk"
    if not _mounted(folder, 2048):
        pytest.skip("mounting a file system takes root in a machine that allows it")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_disk_that_is_really_full(small_disk: Path) -> None:
    ground = Ground(small_disk)
    sync(ground.project, ground.lock(), "cpu")
    ground.torch("2.14.0+cpu")
    lock, before = ground.lock(), ground.environments()
    filler = small_disk / "filler"
    handle = os.open(filler, os.O_WRONLY | os.O_CREAT)
    with contextlib.suppress(OSError):
        while True:
            os.write(handle, bytes(4096))
    os.close(handle)
    files = sorted(os.listdir(ground.root))
    with pytest.raises(NoError, match=r"No space left|the disk is full|no environment with Python") as caught:
        sync(ground.project, lock, "cpu")
    assert any("space left" in words.en or "disk is full" in words.en
               for words in (caught.value.what, caught.value.why) if words)  # fmt: skip
    with pytest.raises(NoError, match="cannot write the lock"):
        write(str(ground.root), lock, (ground.root / "pylock.cpu.toml").read_text())
    assert sorted(os.listdir(ground.root)) == files
    assert (ground.version(), ground.environments()) == ("2.13.0+cpu", before)
    filler.unlink()
    sync(ground.project, lock, "cpu")
    assert ground.version() == "2.14.0+cpu"


def test_a_full_disk_is_said_and_undone(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    sync(ground.project, ground.lock(), "cpu")
    ground.torch("2.14.0+cpu")
    lock = ground.lock()
    before = ground.environments()
    full = OSError(28, "No space left on device")
    monkeypatch.setattr("firstlight.steps.environments.Install._lists", lambda self: _raise(full, self))
    with pytest.raises(NoError, match="No space left"):
        sync(ground.project, lock, "cpu")
    monkeypatch.undo()
    assert ground.version() == "2.13.0+cpu"
    assert ground.environments() == before
    assert read_journal(str(ground.root / ".firstlight/journal"))[-1].state == "undone"


def _raise(error: OSError, _: object) -> None:
    from firstlight.steps.places import cannot_write

    raise cannot_write(error, "here") from error


def test_where_all_is_right_nothing_is_written(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = ground.lock()
    sync(ground.project, lock, "cpu")
    monkeypatch.setattr(Places, "make", lambda self: _raise(OSError(30, "Read-only file system"), self))
    assert states(sync(ground.project, lock, "cpu")) == {"right"}
