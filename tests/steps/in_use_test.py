"""Which environment a lock is compared with."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from firstlight.cli.main import main
from firstlight.host import open_host
from firstlight.lockfile.files import write
from firstlight.lockfile.model import HostConditions, Lock, Lost
from firstlight.routes.model import Wheel
from firstlight.routes.pylock import pylock_text
from firstlight.steps.in_use import in_use
from firstlight.steps.places import Places
from tests.lockfile.planted_environment import BACKEND, PACKAGES, Planted


@pytest.fixture
def adopted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Planted:
    """A hand-made environment in .venv, with a lock of it in which one distribution is lost."""
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.delenv("CONDA_PREFIX", raising=False)
    monkeypatch.chdir(tmp_path)
    planted = Planted(tmp_path)
    planted.root = planted.root.rename(tmp_path / ".venv")
    planted.site = planted.root / "lib/python3.11/site-packages"
    (planted.site / "own.py").write_text("")
    text = pylock_text([wheel(name) for name in PACKAGES if name != "filelock"], "3.11")
    lost = (Lost(name="filelock", version="4.0.0", why="not-offered"),)
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    backend = replace(BACKEND, route="adopted", adopted=True, lost=lost, pylock_sha256=sha256)
    host = HostConditions(arch="unknown", targets=())
    write(str(tmp_path), Lock(version=1, goal={}, host=host, backends=(backend,)), text)
    return planted


def wheel(name: str) -> Wheel:
    return Wheel(
        name=name, version=PACKAGES[name], filename=f"{name}-1-py3-none-any.whl", sha256="a" * 64, source="x",
        url=f"https://host.example/{name}-1-py3-none-any.whl",
    )  # fmt: skip


def drift(capsys: pytest.CaptureFixture[str]) -> tuple[int, set[tuple[str, str]], list[object]]:
    code = main(["drift", "--json"])
    document = json.loads(capsys.readouterr().out)
    return code, {(one["kind"], one["what"]) for one in document["differences"]}, document["remedy"]


def test_an_adopted_lock_is_compared_with_what_it_was_frozen_from(
    adopted: Planted, capsys: pytest.CaptureFixture[str]
) -> None:
    assert drift(capsys) == (0, set(), [])
    (adopted.site / "later.py").write_text("")
    (adopted.site / "filelock/__init__.py").unlink()
    changed = {("file-added", "later.py"), ("file-missing", "filelock/__init__.py")}
    assert drift(capsys) == (1, changed, [])


def test_where_it_is_gone_there_is_no_environment(adopted: Planted, capsys: pytest.CaptureFixture[str]) -> None:
    (adopted.root / "pyvenv.cfg").unlink()
    assert drift(capsys)[1] == {("no-environment", ".firstlight/env")}
    shutil.rmtree(adopted.root)
    assert drift(capsys)[1] == {("no-environment", ".firstlight/env")}


@pytest.mark.parametrize(("target", "shown"), [("/usr", "/usr"), ("envs/none", "envs/none"), (None, "no link")])
def test_what_is_no_environment_of_ours_is_shown(target: str | None, shown: str, tmp_path: Path) -> None:
    (tmp_path / ".firstlight").mkdir()
    link = tmp_path / ".firstlight/env"
    if target is None:
        link.mkdir()
    else:
        link.symlink_to(target)
    used = in_use(Places(str(tmp_path)), replace(BACKEND, adopted=True), open_host("live"))
    assert (used.folder, used.shown, used.id) == (None, shown, None)
