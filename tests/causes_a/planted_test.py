"""A planted fault comes first, with its consequences under it; healthy machines have nothing blocking."""

from __future__ import annotations

from itertools import combinations

import pytest

from firstlight.causes import diagnose
from firstlight.causes.model import Finding
from firstlight.facts.model import Facts
from tests.causes_a.planting import PLANTS
from tests.machines_facts import MACHINES, bare_tree

ONE = [(name, plant) for plant, spec in PLANTS.items() for name in spec.machines]
EXCLUSIVE = {frozenset({"driver", other}) for other in ("access", "iommu", "kernel", "library")}
"""A GPU without a driver has no nodes to be refused; the others would overwrite what was planted first."""
TWO = [
    (name, first, second)
    for first, second in combinations(PLANTS, 2)
    for name in PLANTS[first].machines
    if name in PLANTS[second].machines
    and PLANTS[first].layer != PLANTS[second].layer
    and frozenset({PLANTS[first].layer, PLANTS[second].layer}) not in EXCLUSIVE
]


def found(facts: Facts) -> list[Finding]:
    """What is found, best first."""
    return [one for one in diagnose(facts) if one.verdict == "found"]


@pytest.mark.parametrize("name", MACHINES)
def test_nothing_blocks_on_a_healthy_machine(name: str) -> None:
    assert [one.id for one in found(MACHINES[name]()) if one.severity == "blocking"] == []


@pytest.mark.parametrize(("name", "plant"), ONE)
def test_a_planted_fault_comes_first(name: str, plant: str) -> None:
    findings = found(PLANTS[plant].do(MACHINES[name]()))
    assert findings, "nothing was found"
    assert findings[0].id == PLANTS[plant].cause, [one.id for one in findings]
    assert findings[0].follows is None


@pytest.mark.parametrize(("name", "plant"), ONE)
def test_consequences_follow_from_the_planted_fault(name: str, plant: str) -> None:
    findings = found(PLANTS[plant].do(MACHINES[name]()))
    roots = {one.id: one.follows for one in findings}
    for consequence in PLANTS[plant].also:
        assert roots.get(consequence) == PLANTS[plant].cause, roots
    blocking = [one.id for one in findings if one.severity == "blocking" and one.follows is None]
    assert set(blocking) <= {PLANTS[plant].cause}, blocking


@pytest.mark.parametrize(("name", "first", "second"), TWO)
def test_two_planted_faults_are_both_named(name: str, first: str, second: str) -> None:
    facts = PLANTS[second].do(PLANTS[first].do(MACHINES[name]()))
    findings = found(facts)
    wanted = {PLANTS[first].cause, PLANTS[second].cause}
    assert findings[0].id in wanted, [one.id for one in findings]
    assert wanted <= {one.id for one in findings}, [one.id for one in findings]


@pytest.mark.parametrize(("name", "plant"), ONE)
def test_diagnosis_is_deterministic(name: str, plant: str) -> None:
    facts = PLANTS[plant].do(MACHINES[name]())
    assert diagnose(facts) == diagnose(facts)


def test_a_bare_tree_proves_nothing() -> None:
    assert found(bare_tree()) == []
