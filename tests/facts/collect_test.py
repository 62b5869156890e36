"""All facts together."""

from __future__ import annotations

import ast
from pathlib import Path

import msgspec
import pytest

import firstlight.facts
from firstlight.facts import Facts, collect
from firstlight.facts.value import Unknown
from firstlight.host.model import HostKind, Missing, Process, Space
from tests.facts.fake_host import FakeHost

EFFECTS = {"os", "io", "pathlib", "subprocess", "shutil", "socket", "glob", "tempfile", "platform", "sysconfig", "site"}
SOURCES = sorted(Path(firstlight.facts.__file__).parent.glob("*.py"))


def unknowns(value: object, where: str = "") -> dict[str, str]:
    """Reason of each unknown value, by its path."""
    if isinstance(value, dict):
        if "unknown" in value and "source" in value:
            return {where: str(value["unknown"])}
        return {path: why for name, one in value.items() for path, why in unknowns(one, f"{where}.{name}").items()}
    if isinstance(value, list):
        return {path: why for one in value for path, why in unknowns(one, f"{where}[]").items()}
    return {}


def test_a_tree_that_holds_nothing_is_unknown_throughout() -> None:
    facts = collect(FakeHost(missing=Missing.NOT_CAPTURED, kind=HostKind.TREE))
    reasons = unknowns(msgspec.to_builtins(facts))
    assert len(reasons) > 50
    assert {path: why for path, why in reasons.items() if why != "not-captured"} == {
        ".python.externally_managed": "absent"
    }
    assert facts.gpus == []
    assert facts.access.absent == []


def test_everything_denied_is_never_taken_for_absent() -> None:
    facts = collect(FakeHost(missing=Missing.DENIED))
    assert "denied" in unknowns(msgspec.to_builtins(facts)).values()
    assert facts.access.absent == []
    assert isinstance(facts.driver.amd.loaded, Unknown)
    assert isinstance(facts.container.kind, Unknown)


def test_the_encoded_facts_read_back_alike() -> None:
    host = FakeHost(
        {"/proc/version": "Linux version 6.1.0 (a@b) #1 SMP Tue Mar  3 10:00:00 UTC 2026"},
        process=Process(uid=0, gid=0, groups=(0,)),
        environment={"PATH": "/usr/bin", "PWD": "/srv/job", "HSA_XNACK": "1"},
        machine="x86_64",
        now=5.0,
        spaces={"/": Space(total=2, free=1)},
    )
    facts = collect(host)
    assert msgspec.json.decode(msgspec.json.encode(facts), type=Facts) == facts
    assert [(disk.role, disk.path) for disk in facts.disks] == [("project", "/srv/job"), ("tmp", "/tmp")]


def test_the_project_is_the_working_folder_unless_told() -> None:
    host = FakeHost(
        links={"/proc/self/cwd": "/home/a/job"}, folders=["/home/a/job"], spaces={"/": Space(total=2, free=1)}
    )
    assert collect(host).disks[0].path == "/home/a/job"
    assert collect(host, project="/elsewhere").disks[0].path == "/elsewhere"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_facts_reach_the_machine_through_the_host_alone(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            assert not EFFECTS.intersection(name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            assert (node.module or "").partition(".")[0] not in EFFECTS
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"open", "exec", "eval", "__import__"}
