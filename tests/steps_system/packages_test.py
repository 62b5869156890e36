"""Packages of every kind of change, and what a rollback gives back."""

from __future__ import annotations

import pytest

from firstlight.causes.changes import PackageChange, Packages, Pin
from firstlight.errors import NoError

from .machine import Machine

CONF = {"/etc/tiny.conf": "one = 1\n", "/usr/share/tiny/data": "1\n"}


def test_a_repository_and_its_packages_come_and_go_in_one_change(machine: Machine) -> None:
    machine.repository.build("libtiny", "1.0")
    machine.repository.build("tiny", "1.0", Depends="libtiny (= 1.0)")
    before = machine.state()
    machine.know()
    machine.apply(Pin(name="tiny", package="*", pin="release o=Tiny", priority=900))
    done = machine.install("tiny")
    assert [one.state for one in done.steps] == ["done"]
    assert machine.root.packages()["tiny"] == ("ii", "1.0")
    assert "libtiny" in machine.root.run("apt-mark", "showauto").stdout
    assert "Pin-Priority: 900" in machine.root.run("cat", "/etc/apt/preferences.d/firstlight-tiny.pref").stdout
    assert [machine.rollback().earlier for _ in range(3)] == [2, 1, 0]
    machine.assert_like(before)


def test_an_upgrade_goes_back_to_the_former_version_although_it_is_offered_no_more(machine: Machine) -> None:
    old = machine.repository.build("tiny", "1.0", files=CONF, conffiles=("/etc/tiny.conf",))
    machine.know()
    machine.install("tiny")
    machine.root.write("/etc/tiny.conf", "one = mine\n", 0o600)
    before = machine.state()
    files = {"/etc/tiny.conf": "two = 2\n", "/etc/new.conf": "", "/usr/lib/t": ""}
    machine.repository.build("tiny", "2.0", files=files, conffiles=("/etc/tiny.conf", "/etc/new.conf"))
    machine.refresh()
    machine.install("tiny")
    assert machine.root.packages()["tiny"] == ("ii", "2.0")
    assert machine.root.read("/etc/tiny.conf") == "one = mine\n"
    old.unlink()
    machine.refresh()
    assert machine.rollback().left == ()
    machine.assert_like(before)


def test_a_downgrade_a_removal_and_a_hold_are_undone(machine: Machine) -> None:
    for version in ("1.0", "2.0"):
        machine.repository.build("tiny", version)
    machine.repository.build("other", "1.0", Conflicts="tiny (<< 2.0)")
    machine.know()
    machine.install("tiny=2.0", "other")
    machine.root.run("apt-mark", "hold", "tiny")
    machine.root.run("apt-mark", "auto", "other")
    before = machine.state()
    with pytest.raises(NoError, match="failed"):
        machine.install("tiny=1.0", "other-")
    machine.apply(Packages(changes=(
        PackageChange(name="tiny", architecture="all", before="2.0", after="1.0", held=True),
        PackageChange(name="other", architecture="all", before="1.0", after=None),
    )))  # fmt: skip
    assert machine.root.packages()["tiny"][1] == "1.0"
    assert "other" not in machine.root.packages()
    machine.rollback()
    machine.assert_like(before)


def test_configuration_that_was_left_of_a_removed_package_is_left_again(machine: Machine) -> None:
    old = machine.repository.build(
        "tiny", "1.0", files=CONF, conffiles=("/etc/tiny.conf",), scripts={"postrm": "exit 0"}
    )
    machine.know()
    machine.install("tiny")
    machine.root.run("dpkg", "--remove", "tiny")
    machine.root.write("/etc/tiny.conf", "one = mine\n")
    old.unlink()
    machine.repository.build("tiny", "2.0", files={"/etc/tiny.conf": "two = 2\n"}, conffiles=("/etc/tiny.conf",))
    machine.refresh()
    before = machine.state()
    assert machine.root.packages()["tiny"] == ("rc", "1.0")
    machine.install("tiny")
    assert machine.root.packages()["tiny"] == ("ii", "2.0")
    machine.rollback()
    machine.assert_like(before)
