"""Every file of a lock in one folder; a sync from there, without any network."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from firstlight.errors import NoError, UnreadableInput, UsageError
from firstlight.lockfile.files import read
from firstlight.progress import Silent
from firstlight.project.model import Project
from firstlight.steps.export import export
from firstlight.steps.export_files import ExportedFile
from firstlight.steps.places import env_python
from firstlight.steps.store import bring_lock
from firstlight.steps.sync import sync
from firstlight.verbs.sync import SyncRequest
from firstlight.verbs.sync import sync as sync_verb

from .hand_made import TORCH, HandMade

WHEELS = {f"torch-{TORCH}", "filelock-4.0.0"}


@pytest.fixture
def project(made: HandMade) -> Project:
    made.frozen()
    return made.project()


def exported(project: Project, folder: Path) -> tuple[ExportedFile, ...]:
    lock = read(project.root)
    return export(project, lock, lock.backends, str(folder), reporter=Silent())


def names(folder: Path) -> set[str]:
    return {"-".join(path.name.split("-")[:2]) for path in (folder / "wheels").iterdir()}


def test_the_folder_holds_all_and_its_manifest_agrees(project: Project, tmp_path: Path) -> None:
    out = tmp_path / "out"
    states = {file.path.split("-")[0]: file.state for file in exported(project, out)}
    assert states["wheels/torch"] == "copied"
    assert states["wheels/filelock"] == "fetched"
    assert names(out) == WHEELS
    assert {path.name for path in out.iterdir()} == {"wheels", "MANIFEST", "firstlight.lock", "pylock.cpu.toml"}
    for name in ("firstlight.lock", "pylock.cpu.toml"):
        assert (out / name).read_bytes() == (Path(project.root) / name).read_bytes()
    subprocess.run(["sha256sum", "--strict", "-c", "MANIFEST"], cwd=out, check=True, capture_output=True)
    assert str(tmp_path) not in (out / "MANIFEST").read_text()


def test_a_second_export_keeps_what_is_right_and_mends_what_is_not(project: Project, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "wheels").mkdir(parents=True)
    (out / "wheels" / "mine-1.0-py3-none-any.whl").write_text("mine")
    (out / "notes.txt").write_text("mine")
    exported(project, out)
    torch = next((out / "wheels").glob("torch-*"))
    torch.write_bytes(torch.read_bytes()[:-1] + b"x")
    states = {file.path.split("-")[0]: file.state for file in exported(project, out)}
    assert (states["wheels/torch"], states["wheels/filelock"]) == ("copied", "kept")
    assert (out / "notes.txt").read_text() == "mine"
    assert (out / "wheels" / "mine-1.0-py3-none-any.whl").read_text() == "mine"


def test_files_of_an_earlier_lock_go_and_nothing_else(made: HandMade, project: Project, tmp_path: Path) -> None:
    out = tmp_path / "out"
    exported(project, out)
    victim = tmp_path / "victim.whl"
    victim.write_text("x")
    with (out / "MANIFEST").open("a") as file:
        file.write(f"{'0' * 64}  ../victim.whl\n{'0' * 64}  {victim}\n{'0' * 64}  wheels/../../victim.whl\n")
    made.wheel("filelock", "4.1.0")
    made.install("filelock==4.1.0")
    made.frozen()
    exported(made.project(), out)
    assert names(out) == {f"torch-{TORCH}", "filelock-4.1.0"}
    assert victim.exists()


def test_a_link_in_the_folder_is_not_taken_for_the_file(project: Project, tmp_path: Path) -> None:
    out = tmp_path / "out"
    exported(project, out)
    torch = next((out / "wheels").glob("torch-*"))
    moved = tmp_path / "moved.whl"
    torch.rename(moved)
    torch.symlink_to(moved)
    exported(project, out)
    assert not torch.is_symlink()
    assert moved.exists()


@pytest.mark.parametrize("after", range(1, 12))
def test_killed_midway_the_next_run_carries_on(project: Project, tmp_path: Path, after: int) -> None:
    out = tmp_path / "out"
    child = os.fork()
    if child == 0:
        left, replace = [after], os.replace

        def counted(source: str, target: str) -> None:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            replace(source, target)

        os.replace = counted  # type: ignore[assignment]  # of this child alone
        try:
            exported(project, out)
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    exported(project, out)
    assert names(out) == WHEELS
    assert not list(out.rglob("*.part"))
    subprocess.run(["sha256sum", "--strict", "-c", "MANIFEST"], cwd=out, check=True, capture_output=True)


def test_what_cannot_be_had_is_named(made: HandMade, project: Project, tmp_path: Path) -> None:
    out = tmp_path / "out"
    served = made.index.folder / "filelock-4.0.0-py3-none-any.whl"
    data = served.read_bytes()
    served.write_bytes(data[:-1] + b"x")
    with pytest.raises(NoError, match=r"filelock-4\.0\.0.* could not be fetched"):
        exported(project, out)
    served.unlink()
    with pytest.raises(NoError, match=r"filelock-4\.0\.0.* could not be fetched"):
        exported(project, out)
    with pytest.raises(NoError, match=r"filelock-4\.0\.0.* could not be fetched"):
        exported(made.project(FIRSTLIGHT_OFFLINE="1"), out)
    assert not (out / "MANIFEST").exists()
    served.write_bytes(data)
    house = next(made.house.glob("torch-*"))
    house.write_bytes(house.read_bytes() + b"x")
    with pytest.raises(NoError, match=r"torch-2\.13"):
        exported(project, tmp_path / "fresh")
    (tmp_path / "file").write_text("")
    with pytest.raises(NoError, match="cannot write"):
        exported(project, tmp_path / "file")


def test_a_lock_that_was_edited_writes_nowhere_else(project: Project, tmp_path: Path) -> None:
    path = Path(project.root) / "pylock.cpu.toml"
    text = path.read_text().replace('name = "filelock-4.0.0-py3-none-any.whl"', 'name = "../../evil.whl"')
    path.write_text(text)
    lock_path = Path(project.root) / "firstlight.lock"
    old = read(project.root).backends[0].pylock_sha256
    lock_path.write_text(lock_path.read_text().replace(old, hashlib.sha256(text.encode()).hexdigest()))
    with pytest.raises(UnreadableInput, match="without a folder"):
        exported(project, tmp_path / "a" / "b")
    assert not (tmp_path / "evil.whl").exists()


def test_a_sync_from_the_folder_needs_nothing_else(made: HandMade, project: Project, tmp_path: Path) -> None:
    sync(project, read(project.root), "cpu")
    out, there = tmp_path / "out", tmp_path / "there"
    exported(project, out)
    shutil.rmtree(made.house)
    shutil.rmtree(made.index.folder)
    there.mkdir()
    bring_lock(str(there), str(out))
    elsewhere = Project(root=str(there), goal=project.goal, sources=project.sources)
    sync(elsewhere, read(str(there)), "cpu", store=str(out))
    for record in Path(project.root).glob(".firstlight/env/lib/*/site-packages/*.dist-info/RECORD"):
        other = there / record.relative_to(project.root)
        assert other.read_bytes() == record.read_bytes()
    shutil.rmtree(out)  # a stick that is pulled out again
    again = sync(elsewhere, read(str(there)), "cpu")
    assert {one.state for one in again} == {"right"}
    python = env_python(elsewhere)
    assert python is not None
    code = "import torch, filelock; print(torch.__version__)"
    assert subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout == f"{TORCH}\n"


def test_a_missing_or_tampered_file_is_named_and_the_old_environment_works(
    made: HandMade, project: Project, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    exported(project, out)
    sync(project, read(project.root), "cpu", store=str(out))
    before = os.readlink(Path(project.root) / ".firstlight/env")
    made.wheel("filelock", "4.1.0")
    made.install("filelock==4.1.0")
    made.frozen()
    with pytest.raises(NoError, match=r"does not hold what is locked: filelock-4\.1\.0") as caught:
        sync(project, read(project.root), "cpu", store=str(out))
    assert caught.value.why is not None
    assert "missing" in caught.value.why.en
    exported(made.project(), out)
    for wheel in (out / "wheels").iterdir():
        wheel.write_bytes(wheel.read_bytes()[:-1] + b"x")
    with pytest.raises(NoError, match=r"filelock-4\.1\.0.*torch-2\.13|torch-2\.13.*filelock-4\.1\.0"):
        sync(project, read(project.root), "cpu", store=str(out))
    assert os.readlink(Path(project.root) / ".firstlight/env") == before
    python = env_python(project)
    assert python is not None
    subprocess.run([python, "-c", "import torch, filelock"], check=True)
    with pytest.raises(UsageError, match="no folder wheels"):
        sync(project, read(project.root), "cpu", store=str(tmp_path / "nowhere"))


def test_a_dry_run_from_the_folder_writes_nothing(project: Project, tmp_path: Path) -> None:
    out, there = tmp_path / "out", tmp_path / "there"
    exported(project, out)
    there.mkdir()
    answer = sync_verb(SyncRequest(project=str(there), store=str(out), dry_run=True), Silent())
    assert {step.state for step in answer.steps} == {"todo"}
    assert not list(there.iterdir())
    next((out / "wheels").glob("filelock-*")).unlink()
    with pytest.raises(NoError, match="does not hold what is locked: filelock"):
        sync_verb(SyncRequest(project=str(there), store=str(out), dry_run=True), Silent())


def test_a_damaged_lock_in_the_folder_is_not_brought(project: Project, tmp_path: Path) -> None:
    out, there = tmp_path / "out", tmp_path / "there"
    exported(project, out)
    there.mkdir()
    lock = out / "firstlight.lock"
    text = lock.read_text()
    lock.write_text(text.replace("3.", "2."))
    with pytest.raises(NoError, match=r"does not hold what is locked: firstlight\.lock"):
        bring_lock(str(there), str(out))
    lock.write_text(text)
    (out / "pylock.cpu.toml").write_text("x")
    with pytest.raises(NoError, match=r"pylock\.cpu\.toml is not the file"):
        bring_lock(str(there), str(out))
    assert not list(there.iterdir())


def without_network() -> bool:
    tried = subprocess.run(["unshare", "-rn", "true"], capture_output=True, check=False) if _has_unshare() else None
    return tried is not None and tried.returncode == 0


def _has_unshare() -> bool:
    return shutil.which("unshare") is not None


def test_without_any_network_for_real(project: Project, tmp_path: Path) -> None:
    """The whole program in a network namespace with nothing in it, not even loopback, and an empty cache."""
    if not without_network():
        pytest.skip("this kernel gives no network namespace to this user")
    out, there = tmp_path / "out", tmp_path / "there"
    exported(project, out)
    there.mkdir()
    argv = ["unshare", "-rn", sys.executable, "-m", "firstlight", "sync", "--offline", str(out), "--json"]
    environ = {**os.environ, "UV_CACHE_DIR": str(tmp_path / "empty"), "XDG_CACHE_HOME": str(tmp_path / "empty-too")}
    done = subprocess.run(argv, cwd=there, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (there / ".firstlight/env/bin/python").exists()
    again = subprocess.run(argv, cwd=there, env=environ, capture_output=True, text=True, check=True)
    assert '"state": "done"' not in again.stdout
