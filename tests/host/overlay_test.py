"""A recording laid over this machine."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firstlight.host import open_host
from firstlight.host.model import FileInfo, HostKind, Kind, Missing, Process, Space, Unread

from . import recordings


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    drm = tmp_path / "sys/class/drm/card7/device"
    drm.mkdir(parents=True)
    (drm / "vendor").write_text("0x1002\n")
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/os-release").write_text("ID=recorded\n")
    return tmp_path


def test_what_the_folder_holds_and_the_rest(tree: Path) -> None:
    host = open_host(f"overlay:{tree}")
    assert host.kind is HostKind.OVERLAY
    assert host.read("/etc/os-release") == b"ID=recorded\n"
    assert host.read("/etc/passwd") == Path("/etc/passwd").read_bytes()
    assert host.read("/sys/class/drm/card7/device/vendor") == b"0x1002\n"
    null = host.info("/dev/null")
    assert isinstance(null, FileInfo)
    assert null.kind is Kind.CHAR
    assert host.names("/dev") == tuple(sorted(os.listdir("/dev")))


def test_names_of_a_folder_are_those_of_both(tree: Path) -> None:
    (tree / "etc/only-recorded").write_text("")
    names = open_host(f"overlay:{tree}").names("/etc")
    assert isinstance(names, tuple)
    assert {"only-recorded", "passwd", "os-release"} <= set(names)


def test_no_live_gpu_among_recorded_ones(tree: Path) -> None:
    (tree / "sys/module/amdgpu").mkdir(parents=True)
    host = open_host(f"overlay:{tree}")
    assert host.names("/sys/class/drm") == ("card7",)
    assert host.names("/sys/module") == ("amdgpu",)
    live = sorted(set(os.listdir("/sys/module")) - {"amdgpu"})
    for name in live[:3]:
        assert host.info(f"/sys/module/{name}") == Unread(Missing.NOT_CAPTURED, f"/sys/module/{name}")
    for name in os.listdir("/sys/devices"):
        if name.startswith("pci"):
            found = host.info(f"/sys/devices/{name}/x")
            assert isinstance(found, Unread)
            assert found.reason is Missing.NOT_CAPTURED
            names = host.names("/sys/devices")
            assert isinstance(names, tuple)
            assert name not in names


def test_the_live_machine_without_such_a_tree(tree: Path) -> None:
    host = open_host(f"overlay:{tree}")
    assert host.names("/sys/module") == tuple(sorted(os.listdir("/sys/module")))


def test_links_across_both(tree: Path) -> None:
    (tree / "etc/live").symlink_to("passwd")
    (tree / "etc/absolute").symlink_to("/etc/os-release")
    host = open_host(f"overlay:{tree}")
    assert host.read("/etc/live") == Path("/etc/passwd").read_bytes()
    assert host.read("/etc/absolute") == b"ID=recorded\n"
    assert host.resolve("/etc/live") == "/etc/passwd"


def test_process_and_the_rest_are_live_unless_recorded(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    host = open_host(f"overlay:{tree}")
    assert host.process() == open_host(None).process()
    assert host.machine() == os.uname().machine
    assert isinstance(host.space("/"), Space)
    assert not isinstance(host.environment(), Unread)
    assert not isinstance(host.ask(["true"]), Unread)
    fields = recordings.document(
        created=1.0,
        process={"uid": 7, "gid": 7, "groups": []},
        machine="aarch64",
        environment={"A": "b"},
        spaces={"/": {"total": 2, "free": 1}},
        commands=[{"argv": ["true"], "code": 9, "stdout": "", "stderr": ""}],
        paths={"/etc/passwd": {"missing": "absent"}, "/dev/kfd": {"kind": "char", "mode": "0", "uid": 0, "gid": 1}},
    )
    at = recordings.folder(tmp_path_factory.mktemp("recorded"), fields)
    host = open_host(f"overlay:{at}")
    assert host.process() == Process(uid=7, gid=7, groups=(7,))
    assert (host.machine(), host.environment(), host.space("/x")) == ("aarch64", {"A": "b"}, Space(2, 1))
    now, asked = host.now(), host.ask(["true"])
    assert isinstance(now, float)
    assert now > 1.0
    assert not isinstance(asked, Unread)
    assert asked.code == 9
    assert host.info("/etc/passwd") == Unread(Missing.ABSENT, "/etc/passwd")
    names, devices = host.names("/etc"), host.names("/dev")
    assert isinstance(names, tuple)
    assert isinstance(devices, tuple)
    assert "passwd" not in names
    assert {"kfd", "null"} <= set(devices)
    assert not isinstance(host.info("/dev/null"), Unread)
