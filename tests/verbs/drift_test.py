"""`firstlight drift` and `rollback` from the command line, over projects that are synced for real."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from firstlight.cli.main import main
from firstlight.facts.model import Facts, Unknown
from firstlight.host.model import HostKind
from firstlight.lockfile.files import write
from firstlight.steps.sync import sync
from firstlight.verbs import drift
from tests.routes.fake_facts import machine
from tests.steps.conftest import _own_cache, ground, uv_cache  # noqa: F401 - fixtures
from tests.steps.ground import Ground

from .schema_test import checked


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Callable[[Facts], None]:
    """Say what is read of this machine."""

    def tell(facts: Facts) -> None:
        monkeypatch.setattr(drift, "read_facts", lambda *_: facts)

    tell(machine(kind=HostKind.LIVE))
    return tell


@pytest.fixture
def synced(ground: Ground, here: object, monkeypatch: pytest.MonkeyPatch) -> Ground:  # noqa: ARG001, F811
    sync(ground.project, ground.lock(), "cpu")
    monkeypatch.chdir(ground.root)
    return ground


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    """Exit code and document of `firstlight ... --json`, which fits its schema."""
    code = main([*arguments, "--json"])
    document = json.loads(capsys.readouterr().out)
    checked("error" if code in (2, 70) or "what" in document else arguments[0], document)
    return code, document


def found(document: Any) -> list[tuple[str, str, str | None, str | None]]:
    return [(one["kind"], one["what"], one["lock"], one["host"]) for one in document["differences"]]


def test_after_a_sync_nothing_differs(synced: Ground, capsys: pytest.CaptureFixture[str]) -> None:
    code, document = asked(capsys, "drift")
    assert (code, document["differences"], document["remedy"]) == (0, [], [])
    assert document["environment"] in synced.environments()
    assert document["checked"]["distributions"] == 2
    assert document["checked"]["files"] > document["checked"]["hashed"] == 0
    assert asked(capsys, "drift", "--deep")[1]["checked"]["hashed"] > 0
    assert main(["drift", "--lang", "zh"]) == 0
    assert "没有差异" in capsys.readouterr().out


def test_a_changed_file_is_shown_with_the_way_back(synced: Ground, capsys: pytest.CaptureFixture[str]) -> None:
    path = next((synced.root / ".firstlight/env").glob("lib/*/site-packages/torch/__init__.py"))
    text = path.read_text()
    path.unlink()  # not to write into uv's cache
    path.write_text(text.replace("2.13", "2.99"))
    code, document = asked(capsys, "drift")
    assert code == 1
    assert [(kind, what) for kind, what, _, _ in found(document)] == [("file-changed", "torch/__init__.py")]
    assert document["differences"][0]["since"].endswith("Z")
    folder = f".firstlight/envs/{document['environment']}"
    assert [one["argv"] for one in document["remedy"]] == [["rm", "-r", folder], ["firstlight", "sync"]]
    assert main(["drift"]) == 1
    assert f"rm -r {folder}" in capsys.readouterr().out


def test_a_change_through_a_hard_link_is_cleaned_from_uvs_cache(
    synced: Ground, capsys: pytest.CaptureFixture[str]
) -> None:
    """What `remedy` says really brings the locked file back."""
    import subprocess

    from uv import find_uv_bin

    path = next((synced.root / ".firstlight/env").glob("lib/*/site-packages/torch/__init__.py"))
    if path.stat().st_nlink < 2:
        pytest.skip("uv made no hard links on this file system")
    before = path.read_text()
    path.write_text(before + "\nbroken = True\n")
    remedy = [one["argv"] for one in asked(capsys, "drift")[1]["remedy"]]
    assert remedy[0] == ["uv", "cache", "clean", "torch"]
    subprocess.run([find_uv_bin(), *remedy[0][1:]], check=True, capture_output=True)
    subprocess.run(remedy[1], check=True)
    assert main(["sync", "--quiet"]) == 0
    capsys.readouterr()
    assert next((synced.root / ".firstlight/env").glob("lib/*/site-packages/torch/__init__.py")).read_text() == before
    assert asked(capsys, "drift", "--deep")[0] == 0


def test_two_kinds_at_once(synced: Ground, here: Callable[[Facts], None], capsys: pytest.CaptureFixture[str]) -> None:
    next((synced.root / ".firstlight/env").glob("lib/*/site-packages/filelock/__init__.py")).unlink()
    here(machine(kind=HostKind.LIVE, libc="glibc 2.17"))
    code, document = asked(capsys, "drift")
    assert code == 1
    assert {one[:2] for one in found(document)} == {("file-missing", "filelock/__init__.py"), ("libc", "libc")}


def test_no_environment_and_another_locks(synced: Ground, capsys: pytest.CaptureFixture[str]) -> None:
    older = asked(capsys, "drift")[1]["environment"].split(".")[0]
    synced.torch("2.14.0+cpu")
    synced.lock()
    code, document = asked(capsys, "drift")
    assert code == 1
    ((_, _, _, host), version) = found(document)
    assert host == older
    assert version == ("distribution-version", "torch", "2.14.0+cpu", "2.13.0+cpu")
    (synced.root / ".firstlight/env").unlink()
    code, document = asked(capsys, "drift")
    assert (code, document["environment"]) == (1, None)
    assert [one[0] for one in found(document)] == ["no-environment"]
    (synced.root / ".firstlight/env").symlink_to("/usr")
    assert found(asked(capsys, "drift")[1])[0][3] == "/usr"


def test_a_pylock_edited_by_hand(synced: Ground, capsys: pytest.CaptureFixture[str]) -> None:
    path = synced.root / "pylock.cpu.toml"
    path.write_text(path.read_text().replace("4.0.0", "4.0.1"))
    code, document = asked(capsys, "drift")
    assert code == 1
    kinds = {one[:2] for one in found(document)}
    assert kinds == {("pylock", "pylock.cpu.toml"), ("distribution-version", "filelock")}
    assert document["remedy"] == []


def test_variables(synced: Ground, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    lock = synced.lock()
    needs = replace(lock, backends=(replace(lock.backends[0], variables={"FIRST": "1", "SECOND": "2"}),))
    write(str(synced.root), needs, (synced.root / "pylock.cpu.toml").read_text())
    monkeypatch.setenv("FIRST", "1")
    monkeypatch.delenv("SECOND", raising=False)
    code, document = asked(capsys, "drift")
    assert (code, found(document)) == (1, [("variable", "SECOND", "2", None)])
    monkeypatch.setenv("SECOND", "2")
    assert asked(capsys, "drift")[0] == 0


def test_only_unknowns_cannot_tell(
    synced: Ground,  # noqa: ARG001
    here: Callable[[Facts], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    facts = machine(kind=HostKind.LIVE)
    here(replace(facts, os=replace(facts.os, libc=Unknown("denied", "/lib"))))
    code, document = asked(capsys, "drift")
    assert code == 3
    assert [(one["kind"], one["host"], one["unknown"]) for one in document["differences"]] == [
        ("libc", None, "denied: /lib")
    ]


def test_of_a_recorded_machine_only_the_host_is_compared(
    synced: Ground, tmp_path: Path, capsys: pytest.CaptureFixture[str], here: Callable[[Facts], None]
) -> None:
    (tmp_path / "recorded/root/proc").mkdir(parents=True)
    next((synced.root / ".firstlight/env").glob("lib/*/site-packages/filelock/__init__.py")).unlink()
    here(machine(arch="aarch64"))
    code, document = asked(capsys, "drift", "--host", str(tmp_path / "recorded"))
    assert (code, document["environment"]) == (1, None)
    assert found(document) == [("arch", "arch", "x86_64", "aarch64")]
    assert "not captured" in document["why"]


@pytest.mark.parametrize(
    "damage", [None, "version = [", "version = 1\nbackend = []\n[host]\narch = 'x'\ntargets = []\n[goal]\n"]
)
def test_without_a_lock_or_with_a_damaged_one(
    damage: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if damage is not None:
        (tmp_path / "firstlight.lock").write_text(damage)
    assert asked(capsys, "drift", "--project", str(tmp_path))[0] == 2


def test_a_backend_that_is_not_locked(synced: Ground, capsys: pytest.CaptureFixture[str]) -> None:  # noqa: ARG001
    assert asked(capsys, "drift", "--backend", "cuda")[0] == 1


def test_rollback(synced: Ground, capsys: pytest.CaptureFixture[str]) -> None:
    older = asked(capsys, "drift")[1]["environment"]
    synced.torch("2.14.0+cpu")
    sync(synced.project, synced.lock(), "cpu")
    newer = asked(capsys, "drift")[1]["environment"]
    code, document = asked(capsys, "rollback")
    assert (code, document["from"], document["to"]) == (0, newer, older)
    assert document["python"] == str(synced.root / ".firstlight/env/bin/python")
    assert document["changes"] == [{"name": "torch", "before": "2.14.0+cpu", "after": "2.13.0+cpu"}]
    code, document = asked(capsys, "rollback")
    assert code == 1
    assert "nothing to roll back" in document["what"]
    code, document = asked(capsys, "drift")
    assert code == 1
    assert [one[0] for one in found(document)] == ["environment", "distribution-version"]
    assert main(["sync", "--quiet"]) == 0
    capsys.readouterr()
    assert asked(capsys, "drift")[1]["environment"] == newer


@pytest.mark.parametrize(("since", "told"), [(None, None), (0.0, "1970-01-01T00:00:00Z"), (1e300, None)])
def test_any_time_can_be_told(since: float | None, told: str | None) -> None:
    assert drift.moment(since) == told
