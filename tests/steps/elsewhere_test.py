"""What is committed serves on another machine and other tools; what was edited is noticed."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from firstlight.errors import UnreadableInput
from firstlight.lockfile.files import read
from firstlight.project.model import Goal, Project, Source
from firstlight.steps.sync import sync
from tests.routes.tiny_wheels import make_wheel

from .ground import TAG, Ground


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


def test_local_wheels_that_differ_between_the_two_files_are_noticed(ground: Ground) -> None:
    lock = ground.lock()
    frozen = lock.backends[0]
    other = replace(frozen.local[0], sha256="0" * 64)
    for local in ((), (other, *frozen.local[1:]), (*frozen.local, replace(other, filename="x-1-py3-none-any.whl"))):
        edited = replace(lock, backends=(replace(frozen, local=local),))
        with pytest.raises(UnreadableInput, match="local wheels"):
            sync(ground.project, edited, "cpu")
    assert not (ground.root / ".firstlight").exists()


def test_the_lock_serves_elsewhere(ground: Ground, tmp_path: Path) -> None:
    lock = ground.lock()
    sync(ground.project, lock, "cpu")
    there, moved = tmp_path / "another place" / "deep", tmp_path / "moved"
    there.mkdir(parents=True)
    for name in ("firstlight.lock", "pylock.cpu.toml"):
        text = (ground.root / name).read_text()
        assert str(tmp_path) not in text
        (there / name).write_text(text)
    ground.house.rename(moved)
    make_wheel(tmp_path / "decoy", "torch", "2.13.0+cpu", TAG, requires=["filelock"], code="__version__ = 'decoys'\n")
    decoy, house = (
        Source(name=name, url=str(tmp_path / name), kind="folder", origin="test") for name in ("decoy", "moved")
    )
    sources = replace(ground.project.sources, wheelhouses=(decoy, house))
    sync(Project(root=str(there), goal=Goal(), sources=sources), read(str(there)), "cpu")
    assert _contents(there) == _contents(ground.root)


def _contents(root: Path) -> dict[str, str]:
    """sha256 of every file that came from a wheel."""
    packages = next((root / ".firstlight/env/lib").glob("python*")) / "site-packages"
    files = [path for path in packages.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    own = ("RECORD", "uv_cache.json", "direct_url.json")  # what uv writes about where it came from
    return {
        str(path.relative_to(packages)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
        if path.name not in own
    }
