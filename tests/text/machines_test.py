"""Recorded machines, from their files to what a person reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from firstlight.cli.main import main
from tests.planted.builder import FIXTURES
from tests.planted.machines import MACHINES
from tests.planted.plants import PLANTS

from ..snapshots.driver import check

pytestmark = pytest.mark.skipif(not FIXTURES.is_dir(), reason="the shared fixtures are not beside the project")


def said(arguments: str, name: str, plants: tuple[str, ...], code: int, capsys: pytest.CaptureFixture[str]) -> str:
    """What `firstlight VERB --host host` prints of the machine with the plants in it."""
    machine = MACHINES[name](Path("host"))
    for plant in plants:
        PLANTS[plant].do(machine)
    machine.save()
    assert main([*arguments.split(), "--host", "host"]) == code
    out, err = capsys.readouterr()
    assert err == ""
    return out


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", ["phoenix-apu", "mi300x-server", "rtx3090-desktop", "laptop-without-gpu"])
def test_facts(name: str, lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    check(f"facts-{name}-{lang}", said(f"facts --lang {lang}", name, (), 0, capsys))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_doctor_of_a_healthy_machine(lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    check(f"doctor-healthy-{lang}", said(f"doctor --lang {lang}", "navi31-desktop", (), 0, capsys))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("plant", ["no-permission"])
def test_doctor_of_a_faulty_machine(plant: str, lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    check(f"doctor-{plant}-{lang}", said(f"doctor --lang {lang}", "phoenix-apu", (plant,), 1, capsys))
