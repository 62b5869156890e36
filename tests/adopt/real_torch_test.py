"""The whole way with the real CPU build of torch: adopt, export, sync without network elsewhere."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from uv import find_uv_bin

from firstlight.cli.main import main
from tests.checks.conftest import find_wheel, pip_values

from .export_test import without_network

OWN = {name: os.environ.get(name) for name in ("HOME", "UV_CACHE_DIR", "XDG_CACHE_HOME")}
pytestmark = pytest.mark.ladder


def uv(*argv: str) -> None:
    done = subprocess.run([find_uv_bin(), *argv, "--no-config"], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no environment with torch: {done.stderr[-500:]}")


def hand_made(folder: Path, wheel: Path) -> Path:
    env = folder / "hand-made"
    uv("venv", "-q", "--no-project", "-p", sys.executable, str(env))
    indices = [f"--extra-index-url={url}" for url in pip_values("extra-index-url")]
    indices += [f"--index-url={url}" for url in pip_values("index-url")]
    what = f"torch=={wheel.name.split('-')[1]}"
    uv("pip", "install", "-q", "-p", str(env / "bin/python"), "-f", str(wheel.parent), *indices, what)
    return env


def said(capsys: pytest.CaptureFixture[str], *argv: str) -> dict[str, Any]:
    code = main([*argv, "--json"])
    out = capsys.readouterr()
    assert code == 0, out.out + out.err
    answer: dict[str, Any] = json.loads(out.out)
    return answer


def records(root: Path) -> dict[str, bytes]:
    found = root.glob(".firstlight/env/lib/*/site-packages/*.dist-info/RECORD")
    return {path.parent.name: path.read_bytes() for path in found}


def test_a_hand_made_environment_is_had_again_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wheel = find_wheel()
    if wheel is None:
        pytest.skip("no CPU wheel of torch for this Python in the find-links of pip's configuration")
    for name, value in OWN.items():  # the user's own cache: torch is unpacked there already
        monkeypatch.delenv(name, raising=False)
        if value is not None:
            monkeypatch.setenv(name, value)
    env = hand_made(tmp_path, wheel)
    here, there, out = (tmp_path / name for name in ("here", "there", "out"))
    here.mkdir()
    there.mkdir()
    locked = said(capsys, "lock", "--adopt", "--project", str(here), "--environment", str(env))
    assert locked["lost"] == []
    assert locked["backends"][0]["adopted"]
    exported = said(capsys, "lock", "--project", str(here), "--export", str(out))
    assert {"kind": "python", "subject": f"{sys.version_info[0]}.{sys.version_info[1]}"}.items() <= {
        key: value for key, value in exported["needs"][0].items() if key != "text"
    }.items()
    subprocess.run(["sha256sum", "--quiet", "--strict", "-c", "MANIFEST"], cwd=out, check=True)
    said(capsys, "sync", "--project", str(here))
    shutil.rmtree(env)
    alone = ["unshare", "-rn"] if without_network() else []
    argv = [*alone, sys.executable, "-m", "firstlight", "sync", "--project", str(there), "--offline", str(out)]
    environ = {name: value for name, value in os.environ.items() if name != "PIP_FIND_LINKS"}
    environ["UV_CACHE_DIR"] = str(tmp_path / "empty")
    done = subprocess.run(argv, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(records(here)) == len(exported["files"]) - 3
    assert records(there) == records(here)
    python = str(there / ".firstlight/env/bin/python")
    code = "import torch; print(torch.__version__, float((torch.ones(3) @ torch.ones(3))))"
    ran = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == [wheel.name.split("-")[1], "3.0"]
