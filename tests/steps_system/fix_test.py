"""`doctor --fix` and `rollback --system` on a whole system, through the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .inside import Inside, amd_gpu, cannot
from .machine import Machine
from .roots import Root, difference

FIXTURE = Path(__file__).resolve().parents[3] / "shared/fixtures/kfd/phoenix-gfx1103"
GPU = "overlay:/srv/gpu"
pytestmark = [
    pytest.mark.skipif(not FIXTURE.is_dir(), reason="the shared fixtures are not beside the project"),
    pytest.mark.skipif(bool(cannot()), reason=cannot()),
]


@pytest.fixture
def inside(root: Root) -> Inside:
    made = Inside(root)
    amd_gpu(root.path / "srv/gpu", FIXTURE)
    return made


@pytest.fixture
def shut_out(inside: Inside) -> Inside:
    """The nodes belong to a group that the user is not in."""
    inside.root.run("groupadd", "-g", "992", "render")
    inside.node("/dev/kfd", 992, 1)
    inside.node("/dev/dri/renderD128", 992)
    return inside


def test_a_user_joins_the_group_through_sudo_and_leaves_it_again(shut_out: Inside) -> None:
    before = shut_out.root.tree()
    code, plain = shut_out.json("doctor", "--host", GPU, user="alice")
    assert code == 1
    assert "kfd-permission-render-group" in [one["id"] for one in plain["findings"] if one["verdict"] == "found"]
    code, answer = shut_out.json("doctor", "--host", GPU, "--fix", "kfd-permission-render-group", "--yes", user="alice")
    (fixed,) = answer["fixed"]
    assert (fixed["state"], fixed["waits_for"]) == ("waits", "login"), fixed
    assert fixed["commands"] == [["usermod", "-aG", "render", "alice"]]
    assert "alice" in shut_out.root.read("/etc/group").split("render:")[1].splitlines()[0]
    code, again = shut_out.json("doctor", "--host", GPU, user="alice")
    assert "kfd-permission-render-group" not in [one["id"] for one in again["findings"] if one["verdict"] == "found"]
    code, undone = shut_out.json("rollback", "--system", "--yes", user="alice")
    assert (code, undone["reason"]) == (0, "kfd-permission-render-group")
    assert difference(before, shut_out.root.tree()) == {}
    assert shut_out.run("rollback", "--system", "--yes", user="alice").returncode == 1


def test_without_consent_nothing_happens_and_the_commands_are_told(shut_out: Inside) -> None:
    before = shut_out.root.tree()
    done = shut_out.run("doctor", "--host", GPU, "--fix", user="alice")
    assert done.returncode == 4, done.stderr
    assert "sudo usermod -aG render alice" in done.stdout
    assert difference(before, shut_out.root.tree()) == {}
    assert not (shut_out.root.path / "var/lib/firstlight").exists()


def test_a_person_is_asked_and_a_no_is_a_no(shut_out: Inside) -> None:
    before = shut_out.root.tree()
    code, seen = shut_out.typed("doctor", "--host", GPU, "--fix", user="alice", types="no\n" * 4)
    assert code == 4, seen
    assert "sudo usermod -aG render alice" in seen
    assert "[y/N]" in seen
    assert difference(before, shut_out.root.tree()) == {}
    code, seen = shut_out.typed("doctor", "--host", GPU, "--fix", user="alice", types="y\nn\nn\n")
    assert "alice" in shut_out.root.read("/etc/group").split("render:")[1].splitlines()[0], seen
    code, seen = shut_out.typed("rollback", "--system", user="alice", types="n\n")
    assert (code, "gpasswd -d alice render" in seen) == (4, True), seen
    code, seen = shut_out.typed("rollback", "--system", user="alice", types="yes\n")
    assert code == 0, seen
    assert difference(before, shut_out.root.tree()) == {}


def test_without_sudo_it_ends_in_4(shut_out: Inside) -> None:
    (shut_out.root.path / "etc/sudoers.d/alice").unlink()
    done = shut_out.run("doctor", "--host", GPU, "--fix", "--yes", user="alice")
    assert done.returncode == 4, (done.stdout, done.stderr)
    assert "sudo usermod -aG render alice" in done.stdout
    assert "sudo" in done.stdout


def test_module_options_wait_for_the_reboot_and_go_with_the_initramfs(inside: Inside) -> None:
    inside.tool("update-initramfs", "echo made >> /boot/initrd.img-1")
    inside.root.write("/boot/initrd.img-1", "before\n")
    before = inside.root.tree()
    _, answer = inside.json("doctor", "--host", GPU, "--fix", "apu-gtt-limit-too-low", "--yes")
    (fixed,) = answer["fixed"]
    assert (fixed["state"], fixed["waits_for"], fixed["change"]) == ("waits", "reboot", "000001"), fixed
    assert [one["kind"] for one in fixed["steps"]] == ["module-options", "initramfs"]
    assert inside.root.read("/etc/modprobe.d/firstlight-ttm.conf").startswith("options ttm pages_limit=")
    assert inside.called() == ["update-initramfs -u"]
    assert inside.json("rollback", "--system", "--yes")[1]["left"] == []
    assert difference(before, inside.root.tree()) == {}


def test_a_change_that_was_cut_off_comes_to_its_end_first(inside: Inside) -> None:
    inside.tool("update-initramfs")
    arguments = ("doctor", "--host", GPU, "--fix", "apu-gtt-limit-too-low", "--yes")
    assert inside.json(*arguments)[1]["fixed"][0]["state"] == "waits"
    journal = inside.root.path / "var/lib/firstlight/system.jsonl"
    journal.write_text("".join(journal.read_text().splitlines(keepends=True)[:-1]))  # killed before its last line
    assert inside.run("doctor", "--host", GPU, "--fix").returncode == 4
    _, answer = inside.json(*arguments)
    assert [(one["id"], one["state"]) for one in answer["fixed"]] == [
        ("unfinished-change", "mended"), ("apu-gtt-limit-too-low", "waits"),
    ]  # fmt: skip
    assert json.loads(journal.read_text().splitlines()[-1])["state"] == "end"


PACKAGES = """
from firstlight.causes.changes import Install
from firstlight.steps.system import Ground, SystemChange, apply_system, preview
from firstlight.steps.system.request import exact
change = SystemChange(reason="test", parts=(exact(Ground(), Install(wanted=("tiny",))),))
class Tell:
    def begin(self, key, text): pass
    def detail(self, key, text): print(text.en)
    def end(self, key, text, *, ok): pass
assert preview(change).steps[0].commands[0][0] == "apt-get"
apply_system(change, reporter=Tell())
"""


def test_packages_of_the_live_system(inside: Inside) -> None:
    machine = Machine(inside.root)
    machine.repository.build("tiny", "1.0")
    machine.know()
    before = machine.state()
    assert "100% " in inside.python(PACKAGES)
    assert machine.root.packages()["tiny"] == ("ii", "1.0")
    done = inside.run("rollback", "--system")
    assert done.returncode == 4
    assert "sudo apt-get" in done.stderr
    code, answer = inside.json("rollback", "--system", "--yes", user="alice")
    assert (code, answer["earlier"]) == (0, 1)
    machine.assert_like(before)


def test_a_recording_is_not_mended(inside: Inside) -> None:
    assert inside.run("doctor", "--host", "/srv/gpu", "--fix", "--yes").returncode == 2
    assert inside.run("doctor", "--host", GPU, "--fix", "clock-skew", "--yes").returncode == 2
    assert inside.run("rollback", "--system").returncode == 1
