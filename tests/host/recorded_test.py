"""A recorded host: what is listed, what lies in root/, and what neither knows."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from firstlight.errors import UnreadableInput
from firstlight.host import open_host
from firstlight.host.model import FileInfo, HostKind, Kind, Missing, Outcome, Process, Space, Unread
from firstlight.host.recorded import RecordedHost

from . import recordings

PATHS = {
    "/dev": {"kind": "dir", "mode": "0755", "uid": 0, "gid": 0},
    "/dev/kfd": {"kind": "char", "mode": "0660", "uid": 0, "gid": 992, "rdev": [234, 0]},
    "/dev/dri": {"kind": "dir", "names": ["renderD128"]},
    "/opt": {"kind": "dir", "complete": False},
    "/opt/rocm": {"missing": "absent"},
    "/root": {"kind": "dir", "mode": "0700", "uid": 0, "gid": 0, "missing": "denied", "detail": "EACCES"},
    "/etc/release": {"kind": "link", "link": "os-release"},
    "/etc/os-release": {"kind": "file", "size": 3, "mtime": 1.5},
    "/etc/large": {"kind": "file", "missing": "too-large", "detail": "more than 4 bytes"},
    "/var/only/this": {"missing": "denied"},
}


@pytest.fixture
def at(tmp_path: Path) -> str:
    fields = recordings.document(
        created=1e9,
        machine="aarch64",
        process={"uid": 1, "gid": 2, "groups": [3]},
        environment={"LANG": "C"},
        paths=PATHS,
        spaces={"/": {"total": 10, "free": 5}, "/home": {"total": 4, "free": 1}},
        commands=[{"argv": ["lspci", "-n"], "code": 0, "stdout": "x", "stderr": ""}],
        later={"keys": "are passed over"},
    )
    return recordings.folder(tmp_path, fields, {"/etc/os-release": b"ID=", "/sys/module/amdgpu/version": b"6.1\n"})


def test_what_is_below_nothing_is_not_there(tmp_path: Path) -> None:
    paths = {
        "/sys/fs": {"kind": "dir"},
        "/sys/class": {"kind": "dir", "names": ["drm"]},
        "/sys/class/drm": {"kind": "dir", "complete": False},
        "/opt/rocm": {"missing": "absent"},
        "/file": {"kind": "file"},
        "/link": {"kind": "link", "link": "/elsewhere"},
    }
    host = open_host(recordings.folder(tmp_path, recordings.document(paths=paths), {}))
    assert isinstance(host, RecordedHost)
    deep = "/x" * 2000
    for path in ("/sys/fs/selinux/enforce", "/sys/class/kfd/kfd", "/opt/rocm/bin/x", "/file/x/y", f"/sys/fs{deep}"):
        assert reason(host.info(path)) is Missing.ABSENT
        assert reason(host.store.look(path)) is Missing.ABSENT
    for path in ("/sys/class/drm/card0/device", "/opt/other", "/sys/block/sda", "/link/x/y", deep):
        assert reason(host.info(path)) is Missing.NOT_CAPTURED
        assert reason(host.store.look(path)) is Missing.NOT_CAPTURED


def test_thousands_are_looked_for_in_a_folder_of_thousands_in_linear_time(tmp_path: Path) -> None:
    names = [f"{number}" for number in range(30_000)]
    host = open_host(recordings.folder(tmp_path, recordings.document(paths={"/x": {"kind": "dir", "names": names}})))
    began = time.monotonic()
    assert {reason(host.info(f"/x/{name}")) for name in names} == {Missing.NOT_CAPTURED}
    assert time.monotonic() - began < 5


def reason(found: object) -> Missing:
    assert isinstance(found, Unread), found
    return found.reason


def test_listed_paths(at: str) -> None:
    host = open_host(at)
    assert host.kind is HostKind.RECORDED
    node = host.info("/dev/kfd")
    assert node == FileInfo(kind=Kind.CHAR, mode=0o660, uid=0, gid=992, rdev=(234, 0))
    assert host.info("/etc/os-release") == FileInfo(kind=Kind.FILE, mode=0o644, uid=0, gid=0, size=3, mtime=1.5)
    assert host.read("/etc/release") == b"ID="
    assert host.resolve("/etc/release") == "/etc/os-release"


def test_what_lies_in_root_alone(at: str) -> None:
    host = open_host(at)
    assert host.read("/sys/module/amdgpu/version") == b"6.1\n"
    assert host.names("/sys/module") == ("amdgpu",)
    assert reason(host.info("/sys/module/nvidia")) is Missing.NOT_CAPTURED


def test_absent_only_where_the_folder_was_recorded(at: str) -> None:
    host = open_host(at)
    assert reason(host.info("/dev/nvidiactl")) is Missing.ABSENT
    assert reason(host.info("/dev/nvidia/deeper/still")) is Missing.ABSENT
    assert reason(host.info("/dev/dri/renderD129")) is Missing.ABSENT
    assert reason(host.info("/dev/dri/renderD128")) is Missing.NOT_CAPTURED
    assert reason(host.info("/opt/rocm/bin")) is Missing.ABSENT
    assert reason(host.info("/opt/other")) is Missing.NOT_CAPTURED
    assert reason(host.names("/opt")) is Missing.NOT_CAPTURED
    assert reason(host.info("/nowhere")) is Missing.NOT_CAPTURED


def test_reasons_are_kept(at: str) -> None:
    host = open_host(at)
    assert host.names("/root") == Unread(Missing.DENIED, "/root", "EACCES")
    assert isinstance(host.info("/root"), FileInfo)
    assert host.read("/etc/large") == Unread(Missing.TOO_LARGE, "/etc/large", "more than 4 bytes")
    assert reason(host.read("/var/only/this")) is Missing.DENIED
    assert reason(host.read("/dev/kfd")) is Missing.UNREADABLE


def test_listings(at: str) -> None:
    host = open_host(at)
    assert host.names("/dev") == ("dri", "kfd")
    assert host.names("/dev/dri") == ("renderD128",)
    assert host.names("/etc") == ("large", "os-release", "release")
    assert host.names("/") == ("dev", "etc", "opt", "root", "sys")
    assert reason(host.names("/etc/os-release")) is Missing.UNREADABLE


def test_the_rest(at: str) -> None:
    host = open_host(at)
    assert host.process() == Process(uid=1, gid=2, groups=(2, 3))
    assert host.environment() == {"LANG": "C"}
    assert (host.machine(), host.now()) == ("aarch64", 1e9)
    assert host.space("/home/x/y") == Space(4, 1)
    assert host.space("/srv") == Space(10, 5)
    assert host.ask(("lspci", "-n")) == Outcome(argv=("lspci", "-n"), code=0, stdout="x", stderr="")
    assert reason(host.ask(["lspci"])) is Missing.NOT_CAPTURED


def test_what_is_optional(tmp_path: Path) -> None:
    host = open_host(recordings.folder(tmp_path, recordings.document()))
    answers = (host.process(), host.environment(), host.machine(), host.now(), host.space("/"), host.ask(["x"]))
    assert {reason(found) for found in answers} == {Missing.NOT_CAPTURED}
    assert host.names("/") == ()


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"paths": {"/dev/kfd": {"kind": "char", "mode": "0690", "uid": 0, "gid": 0}}}, 'paths["/dev/kfd"].mode'),
        ({"paths": {"/dev/kfd": {"kind": "char", "mode": [], "uid": 0, "gid": 0}}}, 'paths["/dev/kfd"].mode'),
        ({"paths": {"/dev/kfd": {"kind": "char", "mode": 1 << 20, "uid": 0, "gid": 0}}}, 'paths["/dev/kfd"].mode'),
        ({"paths": {"/dev/kfd": {"kind": "char", "mode": "0660"}}}, 'paths["/dev/kfd"]'),
        ({"paths": {"/dev/kfd": {"kind": "chair"}}}, 'paths["/dev/kfd"].kind'),
        ({"paths": {"/a": {"kind": "file", "uid": -1}}}, 'paths["/a"].uid'),
        ({"paths": {"/a": {"kind": "file", "gid": 1 << 40}}}, 'paths["/a"].gid'),
        ({"paths": {"/a": {"kind": "file", "size": -1}}}, 'paths["/a"].size'),
        ({"paths": {"/a": {"kind": "char", "mode": 0, "uid": 0, "gid": 0, "rdev": [-1, 0]}}}, 'paths["/a"].rdev'),
        ({"paths": {"/a": {"kind": "link"}}}, 'paths["/a"].link'),
        ({"paths": {"/a": {"kind": "dir", "names": ["b", "../c"]}}}, 'paths["/a"].names[1]'),
        ({"paths": {"/a": {}}}, 'paths["/a"]'),
        ({"paths": {"a": {"missing": "absent"}}}, 'paths["a"]'),
        ({"paths": {"/a/../b": {"missing": "absent"}}}, 'paths["/a/../b"]'),
        ({"paths": {"/" + "a/" * 200 + "b": {"missing": "absent"}}}, "paths["),
        ({"paths": []}, "paths"),
        ({"environment": {"A": 1}}, 'environment["A"]'),
        ({"spaces": {"/": {"total": "x", "free": 0}}}, 'spaces["/"].total'),
        ({"spaces": {"/": {"total": -1, "free": 0}}}, 'spaces["/"]'),
        ({"spaces": {"x": {"total": 1, "free": 0}}}, 'spaces["x"]'),
        ({"process": {"uid": -1, "gid": 0, "groups": []}}, "process"),
        ({"process": {"uid": 0}}, "process"),
        ({"commands": [{"argv": "ls"}]}, "commands[0].argv"),
        ({"schema": "firstlight.host/2"}, "schema"),
    ],
)
def test_a_wrong_value_is_named(tmp_path: Path, fields: dict[str, object], place: str) -> None:
    with pytest.raises(UnreadableInput) as caught:
        open_host(recordings.folder(tmp_path, {**recordings.document(), **fields}))
    assert f"host.json: {place}" in caught.value.what.en
    assert place in caught.value.what.zh
    assert caught.value.why
    assert caught.value.next


@pytest.mark.parametrize("mode", ["0660", "660", "0o660", 0o660, 0o20660])
def test_modes_as_people_write_them(tmp_path: Path, mode: object) -> None:
    paths = {"/n": {"kind": "char", "mode": mode, "uid": 0, "gid": 0}}
    found = open_host(recordings.folder(tmp_path, recordings.document(paths=paths))).info("/n")
    assert isinstance(found, FileInfo)
    assert found.mode == 0o660


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b"\xff", b'{"schema":1}', b"[" * 100_000, b"\0" * 64])
def test_no_json_at_all(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "host.json").write_bytes(data)
    with pytest.raises(UnreadableInput):
        open_host(str(tmp_path))
