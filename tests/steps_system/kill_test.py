"""Killed at any system call that commits something, the next run brings the machine to one of its two good states.

`FIRSTLIGHT_FULL=1 pytest -s tests/steps_system/kill_test.py` strikes at every call (two hours); without it at some.
"""

from __future__ import annotations

import os
import shutil
import sys

import pytest

from firstlight.causes.changes import ModuleOptions, PackageChange, Packages
from firstlight.steps.system import SystemChange
from tests.steps.killing import Point, cannot_trace

from .killing import Killer
from .machine import Machine, State

FULL = os.environ.get("FIRSTLIGHT_FULL") == "1"
SOME = {
    ("apply", "own"): (Point("own", "fsync", 5), Point("own", "fsync", 9)),
    ("apply", "apt"): (Point("apt", "rename", 1),),
    ("apply", "dpkg"): (Point("dpkg", "rename", 4), Point("dpkg", "unlink", 3)),
    ("rollback", "own"): (Point("own", "unlink", 2),),
    ("rollback", "apt"): (Point("apt", "write", 3),),
    ("rollback", "dpkg"): (Point("dpkg", "fsync", 3),),
}
"""What is struck without FIRSTLIGHT_FULL."""
pytestmark = [
    pytest.mark.timeout(14400 if FULL else 300),
    pytest.mark.skipif(bool(cannot_trace()), reason=cannot_trace()),
]


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


def test_it_is_there_wholly_or_not_at_all(machine: Machine) -> None:
    killer = prepared(machine)
    before = machine.state()
    assert killer.run("apply").returncode == 0
    after = machine.state()
    assert killer.run("rollback").returncode == 0
    machine.assert_like(before)
    for (verb, who), some in SOME.items():
        every = passed(killer, verb, who) if FULL else list(some)
        struck = sum(strike(killer, verb, kill, before) for kill in every)
        sys.stdout.write(f"\n{verb}, {who}: {len(every)} points, {struck} struck\n")
        assert struck > 0, (verb, who)
    assert killer.run("apply").returncode == 0
    machine.assert_like(after, "applied again")


def passed(killer: Killer, verb: str, who: str) -> list[Point]:
    """Every point that a clean run passes."""
    if verb == "rollback":
        assert killer.run("apply").returncode == 0
    assert not killer.traced(who, verb)
    every = killer.points(who)
    if verb == "apply":
        assert killer.run("rollback").returncode == 0
    return every


def strike(killer: Killer, verb: str, kill: Point, before: State) -> bool:
    """Kill there, then roll back: everything is as before. Whether it was reached."""
    if verb == "rollback":
        assert killer.run("apply").returncode == 0, kill
    struck = killer.traced(kill.who, verb, kill)
    undone = killer.run("rollback")
    killer.machine.assert_like(before, (kill, undone.stderr))
    return struck


def test_the_same_change_asked_for_again_is_finished(machine: Machine) -> None:
    killer = prepared(machine)
    assert killer.run("apply").returncode == 0
    after = machine.state()
    assert killer.run("rollback").returncode == 0
    for kill in (Point("own", "fsync", 6), Point("dpkg", "rename", 5)):
        assert killer.traced(kill.who, "apply", kill)
        assert killer.run("apply").returncode == 0
        machine.assert_like(after, kill)
        assert killer.run("rollback").returncode == 0
