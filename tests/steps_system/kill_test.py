"""Killed at any system call that commits something, the next run brings the machine to one of its two good states.

`FIRSTLIGHT_FULL=1 pytest -s tests/steps_system/kill_test.py` strikes at every call (two hours); without it a sample is
taken, the same every time."""

from __future__ import annotations

import os
import random
import shutil
import sys

import pytest

from firstlight.causes.changes import ModuleOptions, PackageChange, Packages
from firstlight.steps.system import SystemChange
from tests.steps.killing import Point, cannot_trace

from .killing import Killer
from .machine import Machine

FULL = os.environ.get("FIRSTLIGHT_FULL") == "1"
SAMPLE = 2
pytestmark = [
    pytest.mark.timeout(7200 if FULL else 300),
    pytest.mark.skipif(bool(cannot_trace()), reason=cannot_trace()),
]


def chosen(every: list[Point]) -> list[Point]:
    return every if FULL else random.Random(7).sample(every, min(SAMPLE, len(every)))


def prepared(machine: Machine) -> Killer:
    """An old package, which is to be upgraded, a new one with a configuration file and a script, and a repository that
    apt does not know yet."""
    if not (machine.root.path / "usr/bin/strace").exists():
        pytest.skip("the system has no strace in it")
    build = machine.repository.build
    build("old", "1.0", files={"/etc/old.conf": "1\n", "/usr/share/old/data": "1\n"}, conffiles=("/etc/old.conf",))
    machine.know()
    machine.root.run("apt-get", "-y", "install", "old")
    machine.rollback()
    machine.root.write("/etc/old.conf", "mine\n")
    build("old", "2.0", files={"/etc/old.conf": "2\n", "/usr/share/old/new": "2\n"}, conffiles=("/etc/old.conf",))
    scripts = {"postinst": "echo made > /etc/made.conf; mkdir -p /var/lib/new"}
    files = {"/etc/new.conf": "n\n", "/usr/share/new/data": "n\n"}
    build("new", "1.0", Depends="old (>= 2.0)", files=files, conffiles=("/etc/new.conf",), scripts=scripts)
    machine.repository.publish()
    shutil.copy(machine.root.path / "srv/repository/old_1.0_all.deb", machine.root.path / "var/cache/apt/archives")
    packages = Packages(changes=(
        PackageChange(name="old", architecture="all", before="1.0", after="2.0"),
        PackageChange(name="new", architecture="all", before=None, after="1.0"),
    ))  # fmt: skip
    options = ModuleOptions(module="amdgpu", options="cwsr_enable=0")
    return Killer(machine, SystemChange(reason="kill", parts=(*machine.repository.changes(), packages, options)))


@pytest.mark.parametrize("who", ["own", "apt", "dpkg"])
@pytest.mark.parametrize("verb", ["apply", "rollback"])
def test_it_is_there_wholly_or_not_at_all(machine: Machine, who: str, verb: str) -> None:
    killer = prepared(machine)
    before = machine.state()
    assert killer.run("apply").returncode == 0
    after = machine.state()
    assert killer.run("rollback").returncode == 0
    machine.assert_like(before)
    if verb == "rollback":
        assert killer.run("apply").returncode == 0
    assert not killer.traced(who, verb)
    every = killer.points(who)
    if verb == "apply":
        assert killer.run("rollback").returncode == 0
    struck = 0
    for kill in chosen(every):
        if verb == "rollback":
            assert killer.run("apply").returncode == 0, kill
        struck += killer.traced(who, verb, kill)
        undone = killer.run("rollback")
        said = (kill, undone.stderr)
        machine.assert_like(before, said)
    assert killer.run("apply").returncode == 0
    machine.assert_like(after, "applied again")
    sys.stdout.write(f"\n{verb}, {who}: {len(every)} points, {struck} struck\n")
    assert struck > 0


def test_the_same_change_asked_for_again_is_finished(machine: Machine) -> None:
    killer = prepared(machine)
    assert killer.run("apply").returncode == 0
    after = machine.state()
    assert killer.run("rollback").returncode == 0
    assert not killer.traced("dpkg", "apply")
    kills = [point for point in killer.points("dpkg") if point.call == "rename"]
    assert killer.run("rollback").returncode == 0
    for kill in kills[:: max(1, len(kills) // 3)]:
        killer.traced("dpkg", "apply", kill)
        assert killer.run("apply").returncode == 0
        machine.assert_like(after)
        assert killer.run("rollback").returncode == 0
