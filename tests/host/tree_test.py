"""A bare tree: links stay inside, and what is not there says nothing."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from firstlight.host import open_host
from firstlight.host.model import FileInfo, Kind, Missing, Process, Unread, exists, text
from firstlight.host.tree import TreeHost


@pytest.fixture
def root(tmp_path: Path) -> Path:
    top = tmp_path / "top"
    (top / "sys/devices/gpu").mkdir(parents=True)
    (top / "sys/class/drm").mkdir(parents=True)
    (top / "sys/devices/gpu/vendor").write_text("0x1002\n")
    (top / "sys/class/drm/card0").symlink_to("../../devices/gpu")
    (top / "sys/class/drm/card1").symlink_to("/sys/devices/gpu")
    (top / "sys/class/drm/out").symlink_to("../../../../../../../../etc")
    (top / "sys/class/drm/loop").symlink_to("loop")
    (top / "sys/class/drm/up").symlink_to("..")
    return top


def host(root: Path) -> TreeHost:
    found = open_host(str(root))
    assert isinstance(found, TreeHost)
    return found


@pytest.mark.parametrize("card", ["card0", "card1", "up/drm/card0", "../drm/card0", "./card1"])
def test_links_are_followed_inside_the_root(root: Path, card: str) -> None:
    tree = host(root)
    assert tree.resolve(f"/sys/class/drm/{card}") == "/sys/devices/gpu"
    assert text(tree, f"/sys/class/drm/{card}/vendor") == "0x1002"
    assert tree.names(f"/sys/class/drm/{card}") == ("vendor",)


def test_a_link_is_told_as_a_link(root: Path) -> None:
    found = host(root).info("/sys/class/drm/card1")
    assert isinstance(found, FileInfo)
    assert (found.kind, found.link) == (Kind.LINK, "/sys/devices/gpu")


def test_no_link_leads_out(root: Path) -> None:
    tree = host(root)
    assert tree.read("/sys/class/drm/out/passwd") == Unread(Missing.NOT_CAPTURED, "/sys/class/drm/out/passwd")
    assert tree.resolve("/../../../etc") == Unread(Missing.NOT_CAPTURED, "/../../../etc")
    assert tree.resolve("/..") == "/"


def test_loops_end(root: Path) -> None:
    found = host(root).read("/sys/class/drm/loop/x")
    assert isinstance(found, Unread)
    assert (found.reason, found.detail) == (Missing.UNREADABLE, "ELOOP")


def test_many_links_end_as_in_the_kernel(root: Path) -> None:
    previous = "sys/devices/gpu"
    for index in range(60):
        (root / f"l{index}").symlink_to(previous)
        previous = f"l{index}"
    tree = host(root)
    for index in (10, 39, 40, 59):
        real_end = isinstance(tree.resolve(f"/l{index}"), str)
        try:
            os.stat(root / f"l{index}")
        except OSError:
            kernel_end = False
        else:
            kernel_end = True
        assert real_end == kernel_end, index


@pytest.mark.parametrize("path", ["/dev/kfd", "/nowhere/at/all", "/sys/devices/gpu/vendor/x"])
def test_what_is_missing_was_not_captured(root: Path, path: str) -> None:
    tree = host(root)
    for found in (tree.read(path), tree.names(path), tree.info(path), tree.resolve(path), exists(tree, path)):
        assert found == Unread(Missing.NOT_CAPTURED, path)


def test_wrong_kinds(root: Path) -> None:
    tree = host(root)
    assert tree.read("/sys") == Unread(Missing.UNREADABLE, "/sys", "not a regular file")
    assert tree.names("/sys/devices/gpu/vendor") == Unread(
        Missing.UNREADABLE, "/sys/devices/gpu/vendor", "not a folder"
    )
    assert tree.read("sys") == Unread(Missing.UNREADABLE, "sys", "not an absolute path")
    os.mkfifo(root / "fifo")
    assert tree.read("/fifo") == Unread(Missing.UNREADABLE, "/fifo", "not a regular file")


def test_device_nodes(root: Path) -> None:
    (root / "dev").mkdir()
    (root / "dev/dxg").write_text("")
    try:
        os.mknod(root / "dev/kfd", 0o660 | stat.S_IFCHR, os.makedev(234, 0))
        os.chmod(root / "dev/kfd", 0o660)
        os.chown(root / "dev/kfd", 0, 992)
    except PermissionError:
        pytest.skip("making device nodes needs root")
    node, other = host(root).info("/dev/kfd"), host(root).info("/dev/dxg")
    assert isinstance(node, FileInfo)
    assert (node.kind, node.mode, node.uid, node.gid, node.rdev) == (Kind.CHAR, 0o660, 0, 992, (234, 0))
    assert isinstance(other, FileInfo)
    assert other.kind is Kind.FILE


def test_the_process_is_known_if_its_status_is(root: Path) -> None:
    tree = host(root)
    assert tree.process() == Unread(Missing.NOT_CAPTURED, "process")
    assert tree.environment() == Unread(Missing.NOT_CAPTURED, "environment")
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/status").write_text("Name:\tx\nUid:\t0\t1000\t0\t0\nGid:\t5\t6\t5\t5\nGroups:\t44 992 \n")
    (root / "proc/self/environ").write_bytes(b"A=1\0B=x=y\0junk\0\xff=\xfe\0")
    assert tree.process() == Process(uid=1000, gid=6, groups=(6, 44, 992))
    assert tree.environment() == {"A": "1", "B": "x=y", "\\xff": "\\xfe"}
    (root / "proc/self/status").write_text("Uid: what\n")
    assert tree.process() == Unread(Missing.UNREADABLE, "process", "/proc/self/status")


def test_what_a_tree_cannot_know(root: Path) -> None:
    tree = host(root)
    unknown = (tree.machine(), tree.now(), tree.space("/"), tree.ask(["true"]))
    assert all(isinstance(found, Unread) and found.reason is Missing.NOT_CAPTURED for found in unknown)
    (root / "proc/sys/kernel").mkdir(parents=True)
    (root / "proc/sys/kernel/arch").write_text("aarch64\n")
    assert tree.machine() == "aarch64"
