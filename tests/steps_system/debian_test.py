"""Debian's own ROCm packages, really installed, tried, and rolled back."""

from __future__ import annotations

import os
import shutil
import threading

import pytest

from firstlight.causes.changes import AddToGroup, Install, ModuleOptions, PackageChange, Packages
from firstlight.errors import ConsentNeeded, NoError
from firstlight.steps.system import Ground, SystemChange, apply_system, preview, rollback_system
from firstlight.steps.system.request import exact

from .machine import Machine
from .roots import Root, difference

FULL = os.environ.get("FIRSTLIGHT_FULL") == "1"
WANTED = ("rocminfo", "hipcc") if FULL else ("rocminfo",)


@pytest.mark.timeout(1800)
def test_rocm_is_installed_works_and_is_rolled_back(root: Root) -> None:
    root.run("groupadd", "-g", "992", "render")
    root.run("useradd", "-m", "alice")
    ground = Ground(str(root.path))
    before, status = root.tree(), root.status()
    packages = exact(ground, Install(wanted=WANTED))
    assert {one.name for one in packages.changes} > {"libhsa-runtime64-1", "rocminfo"}
    assert all(one.before is None and one.after for one in packages.changes)
    parts = (
        packages,
        AddToGroup(user="alice", groups=("render",)),
        ModuleOptions(module="amdgpu", options="cwsr_enable=0"),
    )
    apply_system(SystemChange(reason="test", parts=parts), ground=ground)
    installed = root.packages()
    assert all(installed[one.name] == ("ii", one.after) for one in packages.changes)
    auto = set(root.run("apt-mark", "showauto").stdout.split())
    assert {one.name for one in packages.changes if one.auto} <= auto
    assert not auto & set(WANTED)
    assert "ROCk module is NOT loaded" in root.run("rocminfo", check=False).stdout
    if FULL:
        assert "HIP version" in root.run("hipcc", "--version").stdout
    assert rollback_system(ground=ground).left == ()
    assert difference(before, root.tree()) == {}
    assert root.status() == status


def test_packages_from_a_repository_that_is_not_signed_by_the_key_are_refused(machine: Machine) -> None:
    machine.repository.build("tiny", "1.0")
    machine.repository.publish()
    release = (machine.root.path / "srv/repository/InRelease").read_text()
    (machine.root.path / "srv/repository/InRelease").write_text(release.replace("Suite: tiny", "Suite: tony"))
    before = machine.state()
    with pytest.raises(NoError, match="update"):
        machine.apply(*machine.repository.changes())
    machine.assert_like(before)


def test_what_apt_would_do_beside_the_plan_is_told_and_refused(machine: Machine) -> None:
    machine.repository.build("libtiny", "1.0")
    machine.repository.build("tiny", "1.0", Depends="libtiny")
    machine.know()
    before = machine.state()
    plan = Packages(changes=(PackageChange(name="tiny", architecture="all", before=None, after="1.0"),))
    with pytest.raises(NoError, match="not do what was planned") as caught:
        machine.apply(plan)
    assert "+ libtiny:all - -> 1.0" in (caught.value.why.en if caught.value.why else "")
    machine.assert_like(before)
    gone = Packages(changes=(PackageChange(name="tiny", architecture="all", before=None, after="0.9"),))
    with pytest.raises(NoError, match="apt-get"):
        machine.apply(gone)
    moved = Packages(changes=(PackageChange(name="tiny", architecture="all", before="0.8", after="1.0"),))
    with pytest.raises(NoError, match="has changed since"):
        machine.apply(moved)
    machine.assert_like(before)


def test_a_version_that_could_not_be_brought_back_is_told_before_anything_is_done(machine: Machine) -> None:
    old = machine.repository.build("tiny", "1.0")
    machine.know()
    machine.install("tiny")
    old.unlink()
    for cached in (machine.root.path / "var/cache/apt/archives").glob("*.deb"):
        cached.unlink()
    machine.repository.build("tiny", "2.0")
    machine.refresh()
    before = machine.state()
    change = SystemChange(reason="test", parts=(exact(machine.ground, Install(wanted=("tiny",))),))
    assert preview(change, machine.ground).lost == ("tiny 1.0",)
    with pytest.raises(ConsentNeeded, match="could not be undone"):
        machine.apply(*change.parts)
    machine.assert_like(before)
    machine.apply(*change.parts, accept_loss=True)
    assert machine.root.packages()["tiny"] == ("ii", "2.0")
    with pytest.raises(NoError):
        machine.rollback()
    assert machine.root.packages()["tiny"] == ("ii", "2.0")
    assert machine.standings() == ["applied"] * 3  # and nothing else is kept from being changed


def test_what_was_installed_on_top_keeps_a_package_from_being_rolled_back(machine: Machine) -> None:
    machine.repository.build("tiny", "1.0")
    machine.repository.build("above", "1.0", Depends="tiny")
    machine.know()
    machine.install("tiny")
    machine.root.run("apt-get", "-y", "install", "above")
    before = machine.state()
    with pytest.raises(NoError, match="not do what was planned") as caught:
        machine.rollback()
    assert "above" in (caught.value.why.en if caught.value.why else "")
    machine.assert_like(before)
    assert machine.standings() == ["applied"] * 2
    machine.root.run("apt-get", "-y", "purge", "above")
    machine.rollback()
    assert "tiny" not in machine.root.packages()


def test_two_changes_at_once_come_one_after_the_other(machine: Machine) -> None:
    script = {"postinst": "sleep 1"}
    for name in ("one", "two"):
        machine.repository.build(name, "1.0", scripts=script)
    machine.know()
    sets = [exact(machine.ground, Install(wanted=(name,))) for name in ("one", "two")]
    failed: list[Exception] = []

    def run(packages: Packages) -> None:
        try:
            apply_system(SystemChange(reason="test", parts=(packages,)), ground=Ground(str(machine.root.path)))
        except Exception as error:  # noqa: BLE001 - told to the test
            failed.append(error)

    threads = [threading.Thread(target=run, args=(packages,)) for packages in sets]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert {"one", "two"} <= set(machine.root.packages())
    assert machine.standings() == ["applied"] * 3


def test_accounts_and_state_that_a_package_makes_go_with_it(machine: Machine) -> None:
    script = "useradd -r -U tinyd; mkdir -p /var/lib/tiny/db /var/log/tiny; echo 1 > /var/lib/tiny/db/file"
    machine.repository.build("tiny", "1.0", scripts={"postinst": script})
    machine.know()
    before = machine.state()
    machine.install("tiny")
    assert "tinyd" in machine.root.read("/etc/passwd")
    machine.root.write("/var/lib/tiny/db/mine", "data of a user\n")
    shutil.rmtree(machine.root.path / "var/log/tiny")
    done = machine.rollback()
    assert set(done.left) == {"/var/lib/tiny", "/var/lib/tiny/db"}
    assert (machine.root.path / "var/lib/tiny/db/mine").exists()
    assert not (machine.root.path / "var/lib/tiny/db/file").exists()
    shutil.rmtree(machine.root.path / "var/lib/tiny")
    machine.assert_like(before)
