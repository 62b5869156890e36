"""What is installed is frozen as it is; what cannot be had again is named, with the right reason."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from uv import find_uv_bin

from firstlight.errors import CannotTell, NoError
from firstlight.facts.model import Variable
from firstlight.host.model import HostKind
from firstlight.lockfile.files import read
from firstlight.lockfile.lost import TEXTS, nothing_lost
from firstlight.progress import Silent
from firstlight.routes.pylock import wheels_of
from firstlight.steps.sync import sync
from firstlight.verbs.adopt import AdoptRequest, adopt
from firstlight.verbs.sync import SyncRequest
from firstlight.verbs.sync import sync as sync_verb
from tests.routes.fake_facts import machine

from .hand_made import PURE, TAG, TORCH, HandMade, lost


def test_everything_is_found_again_just_as_it_is(made: HandMade) -> None:
    made.wheel("filelock", "5.0.0")  # a newer one is no reason to lock another
    found = made.adopted()
    frozen = found.lock.backends[0]
    assert (frozen.backend, frozen.route, frozen.adopted, frozen.lost) == ("cpu", "adopted", True, ())
    assert (frozen.tier, frozen.source) == ("local", "wheelhouse")
    wheels = {one.name: one for one in wheels_of(found.pylock, (), {})}
    assert {name: one.version for name, one in wheels.items()} == {"filelock": "4.0.0", "torch": TORCH}
    assert (wheels["filelock"].url or "").startswith("http://127.0.0.1")
    assert [one.name for one in frozen.local] == ["torch"]
    assert str(made.folder) not in found.pylock


def test_uv_takes_the_pylock_and_a_sync_gives_the_same_files(made: HandMade, tmp_path: Path) -> None:
    frozen = made.frozen()
    assert not frozen.lost
    sync(made.project(), read(str(made.root)), "cpu")
    ours = next((made.root / ".firstlight/env").glob("lib/*/site-packages"))
    for info in made.site.glob("*.dist-info"):
        theirs = _rows(info / "RECORD")
        assert theirs
        assert _rows(ours / info.name / "RECORD") == theirs
    env = tmp_path / "by-hand"
    made.run("venv", "-q", "--no-project", "-p", sys.executable, str(env))
    argv = [find_uv_bin(), "pip", "sync", "-q", "--preview-features", "pylock", "-p", str(env / "bin/python")]
    subprocess.run([*argv, "pylock.cpu.toml"], cwd=made.root, check=True)


def _rows(record: Path) -> set[str]:
    """Without what each installer writes about itself."""
    own = ("uv_cache.json", "direct_url.json", "INSTALLER", "REQUESTED")
    return {row for row in record.read_text().splitlines() if not any(f"/{one}," in row for one in own)}


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"dir_info": {"editable": True}}, "editable"),
        ({"dir_info": {}}, "from-a-folder"),
        ({"vcs_info": {"vcs": "git", "commit_id": "0" * 40}}, "from-version-control"),
        ({"archive_info": {}}, "built-from-source"),
        ({}, "malformed"),
        ({"archive_info": [], "url": 3}, "malformed"),
    ],
)
def test_where_it_came_from_is_told(made: HandMade, said: dict[str, object], why: str) -> None:
    info = made.site / "filelock-4.0.0.dist-info"
    (info / "direct_url.json").write_text(json.dumps({"url": "file:///home/alice/filelock.tar.gz", **said}))
    assert lost(made.frozen()) == {"filelock": why}


def test_an_archive_is_found_by_its_hash_its_content_or_its_name(made: HandMade) -> None:
    info = made.site / "filelock-4.0.0.dist-info"
    url = "file:///home/alice/{}"
    for name, sha256, why in (
        ("other-4.0.0-py3-none-any.whl", None, "other-file"),
        ("filelock-4.0.0-py3-none-any.whl", None, None),
        ("filelock-4.0.0-py3-none-any.whl", "0" * 64, "other-file"),
    ):
        hashes = {"hashes": {"sha256": sha256}} if sha256 else {}
        (info / "direct_url.json").write_text(json.dumps({"url": url.format(name), "archive_info": hashes}))
        assert lost(made.frozen()).get("filelock") == why
    (made.index.folder / "filelock-4.0.0-py3-none-any.whl").unlink()
    assert lost(made.frozen()) == {"filelock": "from-an-archive"}


def test_a_wheel_from_an_address_is_found_there(made: HandMade) -> None:
    wheel = made.wheel("flash-attn", "2.8.0", at=made.folder / "release")
    shutil.copy(wheel, made.index.folder / wheel.name)  # served as a file, and by the index: hide it from the index
    address = f"{made.index.url('files')}{wheel.name}"
    made.run("pip", "install", "-q", "-p", str(made.env / "bin/python"), "--no-deps", address)
    frozen = made.frozen(PIP_INDEX_URL=made.index.url("missing"), PIP_EXTRA_INDEX_URL="")
    assert "flash-attn" not in lost(frozen)
    named = {one.name: one for one in wheels_of((made.root / "pylock.cpu.toml").read_text(), (), {})}
    assert named["flash-attn"].url == address


def test_what_no_source_offers_is_lost(made: HandMade) -> None:
    made.wheel("gone", "1.0", at=made.folder / "elsewhere")
    made.wheel("filelock", "3.0.0", at=made.folder / "elsewhere")
    made.install("gone", "filelock==3.0.0", at=made.folder / "elsewhere")
    frozen = made.frozen()
    assert lost(frozen) == {"gone": "not-offered", "filelock": "not-offered"}
    assert frozen.tier == "local"
    with pytest.raises(NoError, match=r"filelock 3\.0\.0, gone 1\.0") as caught:
        nothing_lost(frozen)
    assert caught.value.why is not None
    assert "no source offers" in caught.value.why.en


def test_another_file_of_the_same_version_is_not_taken_for_it(made: HandMade) -> None:
    made.wheel("torch", TORCH, TAG, at=made.house, requires=("filelock",), code="__version__ = 'evil'\n")
    assert lost(made.frozen()) == {"torch": "other-file"}


def test_other_metadata_beside_the_wheel_tells_of_another_file(made: HandMade) -> None:
    mine = (made.site / "filelock-4.0.0.dist-info/METADATA").read_bytes()
    beside = made.index.folder / "filelock-4.0.0-py3-none-any.whl.metadata"
    beside.write_bytes(mine)
    assert not lost(made.frozen())
    beside.write_bytes(mine + b"Requires-Dist: more\n")
    assert lost(made.frozen()) == {"filelock": "other-file"}


def test_an_extra_index_with_the_same_version_is_only_asked_for_what_the_main_one_lacks(made: HandMade) -> None:
    evil = made.folder / "evil"
    made.wheel("filelock", "4.0.0", at=evil, code="evil = 1\n")
    from tests.routes.loopback import serving

    with serving(evil) as extra:
        frozen = made.frozen(PIP_EXTRA_INDEX_URL=extra.url("simple"))
        assert not frozen.lost
        assert not [path for path in extra.asked if "filelock" in path]
        made.wheel("torch", TORCH, TAG, at=evil, code="evil = 1\n")
        text = (made.root / "pylock.cpu.toml").read_text()
        assert {one.source for one in frozen.local} == {"wheelhouse"}
        assert f"127.0.0.1:{extra.server_address[1]}" not in text


def test_an_index_out_of_reach_is_no_proof_of_a_loss(made: HandMade) -> None:
    frozen = made.frozen(PIP_INDEX_URL="http://127.0.0.1:9/simple/")
    assert lost(frozen) == {"filelock": "unreachable"}
    assert lost(made.frozen(PIP_INDEX_URL=made.index.url("broken"))) == {"filelock": "server-error"}
    with pytest.raises(NoError, match=r"filelock 4\.0\.0"):
        nothing_lost(frozen)


def test_files_that_were_changed_or_removed_since_are_noticed(made: HandMade) -> None:
    code = made.site / "filelock" / "__init__.py"
    text = code.read_text()
    code.unlink()
    code.write_text(text)  # the same bytes again
    assert not lost(made.frozen())
    code.unlink()
    code.write_text(text.replace("4.0.0", "4.0.1"))
    import os

    later = (made.site / "filelock-4.0.0.dist-info/RECORD").stat().st_mtime + 60
    os.utime(code, (later, later))
    assert lost(made.frozen()) == {"filelock": "changed"}
    code.unlink()
    assert lost(made.frozen()) == {"filelock": "changed"}


def test_odd_metadata_is_lost_and_never_reaches_uv(made: HandMade) -> None:
    for folder, name, version in (
        ("a-1", "--index-url http://127.0.0.1:1/", "1.0"), ("b-1", "b", "1.0\n--pre"), ("c-1", "c", "latest"),
        ("~orch-2.0", "torch", "2.0"),
    ):  # fmt: skip
        info = made.site / f"{folder}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (made.site / "old-1.0.egg-info").write_text("Name: old\n")
    (made.site / "mine.egg-link").write_text("/home/alice/mine\n")
    twice = made.site / "filelock-3.0.0.dist-info"
    shutil.copytree(made.site / "filelock-4.0.0.dist-info", twice)
    (twice / "METADATA").write_text("Metadata-Version: 2.1\nName: filelock\nVersion: 3.0.0\n")
    found = made.adopted().lock.backends[0].lost
    kinds = {(one.name, one.why) for one in found}
    assert ("old", "not-from-a-wheel") in kinds
    assert ("mine", "editable") in kinds
    assert [(one.version, one.why) for one in found if one.name == "filelock"] == [("3.0.0, 4.0.0", "installed-twice")]
    assert ("c", "malformed") in kinds
    assert ("index-url http://127-0-0-1:1/", "malformed") in kinds
    assert ("b", "no-record") in kinds  # a header ends with its line
    assert not [one for one in found if one.name == "torch"]


def test_what_other_tools_installed_is_named(made: HandMade) -> None:
    record = made.site / "filelock-4.0.0.dist-info/RECORD"
    text = record.read_text()
    for odd in ("a,b\n", "x" * 100, '"open,,\n'):
        record.write_text(odd)
        assert lost(made.frozen()) == {"filelock": "no-record"}
    record.unlink()
    assert lost(made.frozen()) == {"filelock": "no-record"}
    record.write_text(text)
    (made.site / "filelock-4.0.0.dist-info/INSTALLER").write_text("conda\n")
    assert lost(made.frozen()) == {"filelock": "from-conda"}


def test_which_environment_is_meant(made: HandMade, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NoError, match="looked at") as caught:
        made.adopted(None)
    assert str(made.root / ".venv") in str(caught.value)
    assert "VIRTUAL_ENV" in str(caught.value)
    (made.root / ".venv").symlink_to(made.env)
    assert made.adopted(None).environment == str(made.root / ".venv")
    monkeypatch.setenv("CONDA_PREFIX", str(made.env))
    assert made.adopted(None).environment == str(made.env)
    monkeypatch.setenv("VIRTUAL_ENV", str(made.folder / "nowhere"))
    assert made.adopted(None).environment == str(made.env)
    assert made.adopted(str(made.env / "bin/python")).environment == str(made.env)
    with pytest.raises(NoError, match="--environment"):
        made.adopted(str(made.folder / "nowhere"))


def test_the_torch_build_tells_the_backend(made: HandMade) -> None:
    with pytest.raises(NoError, match="is a build for cpu, not for rocm"):
        made.adopted(FIRSTLIGHT_BACKEND="rocm")
    info = made.site / "torch-2.13.0+cpu.dist-info"
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: torch\nVersion: 2.13.0+xpu\n")
    with pytest.raises(CannotTell, match="xpu"):
        made.adopted()
    shutil.rmtree(info)
    with pytest.raises(NoError, match="there is no torch"):
        made.adopted()
    assert made.adopted(FIRSTLIGHT_BACKEND="cpu").lock.backends[0].backend == "cpu"


def test_variables_that_steer_are_kept_but_no_path_and_no_secret(made: HandMade) -> None:
    said = {
        "HSA_OVERRIDE_GFX_VERSION": "11.0.0", "HIP_VISIBLE_DEVICES": "0", "MIOPEN_USER_DB_PATH": "/home/alice/db",
        "UV_TORCH_BACKEND": "cpu", "NVIDIA_SOMETHING": "x", "LD_LIBRARY_PATH": "/opt/rocm/lib:/x",
    }  # fmt: skip
    listed = [Variable(name=name, value=value) for name, value in said.items()]
    found = made.adopted(facts=machine(kind=HostKind.LIVE, environment=listed))
    assert found.lock.backends[0].variables == {"HSA_OVERRIDE_GFX_VERSION": "11.0.0", "HIP_VISIBLE_DEVICES": "0"}
    assert set(found.left_out) == {"MIOPEN_USER_DB_PATH", "LD_LIBRARY_PATH"}


def test_the_verb_writes_the_lock_in_both_cases_and_sync_refuses(
    made: HandMade, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {
        "PIP_CONFIG_FILE": "/dev/null", "PIP_INDEX_URL": made.index.url("simple"), "PIP_FIND_LINKS": str(made.house),
        "FIRSTLIGHT_SOURCE_PYTORCH_CPU": made.index.url("missing"), "PIP_EXTRA_INDEX_URL": "", "UV_NO_CONFIG": "1",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    request = AdoptRequest(project=str(made.root), environment=str(made.env), lang="zh")
    answer = adopt(request, Silent())
    assert (answer.exit_code, answer.lost, answer.backends[0].adopted) == (0, (), True)
    (made.site / "filelock-4.0.0.dist-info/direct_url.json").write_text('{"url": "file:///x", "dir_info": {}}')
    answer = adopt(request, Silent())
    assert [(one.name, one.version, one.why, one.text) for one in answer.lost] == [
        ("filelock", "4.0.0", "from-a-folder", TEXTS["from-a-folder"].zh)
    ]
    assert answer.exit_code == 1
    assert read(str(made.root)).backends[0].lost[0].name == "filelock"
    for dry in (False, True):
        with pytest.raises(NoError, match="cannot be made again: filelock"):
            sync_verb(SyncRequest(project=str(made.root), dry_run=dry), Silent())
    assert not (made.root / ".firstlight").exists()


def test_nothing_in_the_environment_is_run(made: HandMade, tmp_path: Path) -> None:
    witness = tmp_path / "ran"
    (made.site / "evil.pth").write_text(f"import os; open({str(witness)!r}, 'w')\n")
    (made.site / "sitecustomize.py").write_text(f"open({str(witness)!r}, 'w')\n")
    python = made.env / "bin/python"
    python.unlink()
    python.write_text(f"#!/bin/sh\ntouch '{witness}'\n")
    python.chmod(0o755)
    assert not lost(made.frozen())
    assert not witness.exists()


def test_pure_wheels_may_bear_other_tags_than_the_platform(made: HandMade) -> None:
    made.wheel("numpy", "2.0.0", TAG)
    made.wheel("numpy", "2.0.0", f"{TAG.rsplit('-', 1)[0]}-manylinux_2_17_x86_64", code="other = 1\n")
    made.wheel("numpy", "2.0.0", PURE, code="pure = 1\n")
    made.run("pip", "install", "-q", "-p", str(made.env / "bin/python"),
             str(made.index.folder / f"numpy-2.0.0-{PURE}.whl"))  # fmt: skip
    (made.site / "numpy-2.0.0.dist-info/direct_url.json").unlink()
    made.frozen()
    named = {one.name: one for one in wheels_of((made.root / "pylock.cpu.toml").read_text(), (), {})}
    assert named["numpy"].filename == f"numpy-2.0.0-{PURE}.whl"
