"""From the vendors' indices into an environment: what was tampered with on the way is refused, and nothing is left."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import msgspec
import pytest

from firstlight.cli.main import main
from firstlight.facts import Facts
from firstlight.host.model import HostKind
from firstlight.lockfile.files import backend_of, read
from firstlight.progress import Silent
from firstlight.routes.plan import plan
from firstlight.verbs.lock import frozen
from firstlight.verbs.sync import applied

from .planning import facts_of, project_in
from .server import Fault, Vendors


def _project(folder: Path, vendors: Vendors, fault: Fault | None = None) -> Path:
    changed = {"pytorch-cpu": vendors.url("pytorch-cpu", fault)} if fault else None
    return Path(project_in(folder, vendors, changed=changed).root)


def _run(capsys: pytest.CaptureFixture[str], verb: str, root: Path, *more: str) -> tuple[int, dict[str, object]]:
    capsys.readouterr()
    code = main([verb, "--project", str(root), "--json", *more])
    answer: dict[str, object] = json.loads(capsys.readouterr().out)
    return code, answer


def _torch(root: Path) -> str | None:
    """The one that the project's environment imports."""
    python = root / ".firstlight" / "env" / "bin" / "python"
    if not python.exists():
        return None
    code = "import torch, filelock; print(torch.__version__)"
    return subprocess.run([python, "-I", "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_lock_and_sync_from_the_indices(tmp_path: Path, vendors: Vendors, capsys: pytest.CaptureFixture[str]) -> None:
    root = _project(tmp_path, vendors)
    assert _run(capsys, "lock", root, "--backend", "cpu")[0] == 0
    assert _run(capsys, "sync", root)[0] == 0
    assert _torch(root) == "2.14.1+cpu"
    vendors.down = True
    assert _run(capsys, "sync", root)[0] == 0  # nothing is left to do


@pytest.mark.parametrize("fault", ["tampered", "gone", "cut", "wrong-hash"])
def test_what_is_not_the_locked_file_is_refused(
    fault: Fault, tmp_path: Path, vendors: Vendors, capsys: pytest.CaptureFixture[str]
) -> None:
    root = _project(tmp_path, vendors, fault)
    code, answer = _run(capsys, "lock", root, "--backend", "cpu")
    if code == 0:
        code, answer = _run(capsys, "sync", root)
    assert code in (1, 3), answer
    assert answer["schema"] == "firstlight.error/1"
    assert _torch(root) is None
    folder = root / ".firstlight" / "envs"
    assert not folder.is_dir() or not os.listdir(folder)


def test_the_old_environment_still_works_when_the_new_one_is_tampered_with(
    tmp_path: Path, vendors: Vendors, capsys: pytest.CaptureFixture[str]
) -> None:
    root = _project(tmp_path, vendors)
    assert _run(capsys, "lock", root, "--backend", "cpu", "--torch", "==2.13.0")[0] == 0
    assert _run(capsys, "sync", root)[0] == 0
    _project(tmp_path, vendors, "tampered")
    assert _run(capsys, "lock", root, "--backend", "cpu")[0] == 0
    assert _run(capsys, "sync", root)[0] in (1, 3)
    assert _torch(root) == "2.13.0+cpu"


def test_a_tampered_lock_is_refused(tmp_path: Path, vendors: Vendors, capsys: pytest.CaptureFixture[str]) -> None:
    root = _project(tmp_path, vendors)
    assert _run(capsys, "lock", root, "--backend", "cpu")[0] == 0
    path = root / "pylock.cpu.toml"
    for old, new in (
        ("/whl/cpu/torch-2.14.1", "/evil/simple/torch-2.14.1"),
        ('version = "2.14.1+cpu"', 'version = "99.0"'),
    ):
        true = path.read_text()
        assert old in true
        path.write_text(true.replace(old, new))
        code, answer = _run(capsys, "sync", root)
        assert code in (1, 2)
        assert answer["schema"] == "firstlight.error/1"
        path.write_text(true)
    assert not any("/evil/" in one for one in vendors.paths())
    assert _torch(root) is None


def _here(found: Facts) -> Facts:
    """The recorded machine's GPU in this one, so that its environment can be built here."""
    return msgspec.structs.replace(found, origin=msgspec.structs.replace(found.origin, kind=HostKind.LIVE))


@pytest.mark.usefixtures("setuptools")
@pytest.mark.parametrize("index", ["amd-rocm10", "amd-rocm10-bare"])
def test_a_split_build_is_installed_for_its_chip(index: str, tmp_path: Path, vendors: Vendors) -> None:
    """The `rocm` sdist is built for the locked target, though this machine has no GPU; also where the index states no
    hash."""
    project = project_in(tmp_path, vendors, changed={"amd-rocm10": vendors.url(index)})
    facts = _here(facts_of("gfx1151", tmp_path))
    frozen(project, facts, plan(project, facts), consent=False)
    lock = read(project.root)
    locked = backend_of(lock, "rocm")
    assert (locked.route, locked.targets) == ("amd-rocm10", ("gfx1151",))
    assert locked.build_variables == {"ROCM_SDK_TARGET_FAMILY": "gfx1151"}
    pylock = msgspec.toml.decode((Path(project.root) / locked.pylock).read_bytes())
    files = [one for package in pylock["packages"] for one in (*package.get("wheels", ()), package.get("sdist")) if one]
    assert all(len(one["hashes"]["sha256"]) == 64 for one in files)
    answer = applied(project, lock, "rocm", Silent())
    assert answer.exit_code == 0
    code = (
        "import torch, rocm_sdk._target as t, importlib.metadata as m;"
        "print(torch.__version__, t.TARGET, m.version('amd-torch-device-gfx115x'), m.version('rocm'))"
    )
    said = subprocess.run([str(answer.python), "-I", "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["2.14.0+rocm10.1.0", "gfx1151", "2.14.0+rocm10.1.0", "10.1.0"]
