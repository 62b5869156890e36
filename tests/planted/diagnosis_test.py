"""Whole way on recorded machines: open, read facts, judge. A planted fault comes first; a healthy machine has none."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from firstlight.causes import diagnose
from firstlight.causes.model import Finding
from firstlight.facts import collect
from firstlight.host import open_host
from tests.planted.builder import FIXTURES
from tests.planted.machines import MACHINES
from tests.planted.plants import PLANTS

pytestmark = pytest.mark.skipif(not FIXTURES.is_dir(), reason="the shared fixtures are not beside the project")

ONE = [(name, plant) for plant, spec in PLANTS.items() for name in spec.machines]
TWO = {
    frozenset({PLANTS[first].cause, PLANTS[second].cause}): (name, first, second)
    for first, second in reversed(list(combinations(PLANTS, 2)))
    for name in PLANTS[first].machines
    if name in PLANTS[second].machines and PLANTS[first].layer != PLANTS[second].layer
}
"""One machine and one pair of plants for each pair of causes."""


def diagnosed(folder: Path, name: str, *plants: str) -> list[Finding]:
    """What is found on the machine once the plants are in it, best first."""
    machine = MACHINES[name](folder / "host")
    for plant in plants:
        PLANTS[plant].do(machine)
    facts = collect(open_host(str(machine.save())))
    return [finding for finding in diagnose(facts) if finding.verdict == "found"]


@pytest.mark.parametrize("name", MACHINES)
def test_nothing_blocks_on_a_healthy_machine(name: str, tmp_path: Path) -> None:
    assert [f.id for f in diagnosed(tmp_path, name) if f.severity == "blocking"] == []


@pytest.mark.parametrize(("name", "plant"), ONE)
def test_a_planted_fault_comes_first(name: str, plant: str, tmp_path: Path) -> None:
    found = diagnosed(tmp_path, name, plant)
    assert found, "nothing was found"
    assert found[0].id == PLANTS[plant].cause, [f.id for f in found]


@pytest.mark.parametrize(("name", "first", "second"), TWO.values())
def test_of_two_planted_faults_one_comes_first(name: str, first: str, second: str, tmp_path: Path) -> None:
    found = diagnosed(tmp_path, name, first, second)
    wanted = {PLANTS[first].cause, PLANTS[second].cause}
    assert found, "nothing was found"
    assert found[0].id in wanted, [f.id for f in found]


def test_a_recording_that_left_sysfs_out_finds_nothing_missing(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "host.json").write_text('{"schema": "firstlight.host/1", "created": 1796083200.0, "paths": {}}')
    assert [f.id for f in diagnose(collect(open_host(str(tmp_path)))) if f.verdict == "found"] == []
