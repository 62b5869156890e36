"""A captured host answers every question as the live one did."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from firstlight.errors import NoError, UsageError
from firstlight.facts.collect import collect
from firstlight.host import open_host
from firstlight.host.capture import Captured, capture
from firstlight.host.contents import redacted
from firstlight.host.listed import redactor_for
from firstlight.host.model import FileInfo, Host, Kind, Missing, Outcome, Process, Space, Unread
from firstlight.host.recorder import Recorder
from firstlight.host.tree import TreeHost
from firstlight.progress import Silent

PATHS = (
    "/", "/proc/version", "/proc/cmdline", "/proc/meminfo", "/proc/self/status", "/proc/self/cgroup", "/proc/modules",
    "/proc/sys/kernel/osrelease", "/proc/driver/nvidia/version", "/etc/os-release", "/etc/passwd", "/etc/group",
    "/bin/sh", "/lib/modules", "/sys/module", "/sys/class", "/sys/class/kfd/kfd/topology/nodes", "/sys/class/drm",
    "/sys/bus/pci/devices", "/sys/devices/system/cpu/online", "/dev", "/dev/null", "/dev/kfd", "/dev/dri/renderD128",
    "/opt/rocm/.info/version", "/usr/share", "/var/lib/dpkg", "/nowhere/at/all", "/etc/passwd/below", "relative",
    "/sys/class/block", "/proc/self/cwd", "/dev/stdin", "/etc/mtab", "/sys/kernel/debug", "/lost+found", "/etc/..",
    "/etc/../etc/./os-release", "//etc//os-release", "/etc/os-release/",
)  # fmt: skip


def answers(host: Host, path: str) -> dict[str, object]:
    return {
        "read": host.read(path),
        "small": host.read(path, 3),
        "names": host.names(path),
        "info": host.info(path),
        "resolve": host.resolve(path),
    }


def captured(recorder: Recorder, at: Path, *, with_indices: bool = False) -> tuple[Captured, Host]:
    done = capture(recorder, str(at), reporter=Silent(), with_indices=with_indices)
    return done, open_host(str(at))


@pytest.mark.parametrize("suffix", ["tar.zst", "tar.gz", "tar"])
def test_every_answer_is_the_same(tmp_path: Path, suffix: str) -> None:
    recorder = Recorder(open_host(None))
    before = {path: answers(recorder, path) for path in PATHS}
    rest = (recorder.process(), recorder.machine(), recorder.now(), recorder.space("/tmp/x"))
    asked = recorder.ask(["uname", "-s"])
    _, host = captured(recorder, tmp_path / f"c.{suffix}")
    names = redactor_for(recorder)
    for path, was in before.items():
        if path in ("/etc/passwd", "/etc/group"):  # there may be people on this machine
            read = was["read"]
            assert isinstance(read, bytes)
            was["read"] = redacted(path, read, names)
        assert answers(host, path) == was, path
    assert (host.process(), host.machine(), host.now(), host.space("/tmp/x")) == rest
    again = host.ask(["uname", "-s"])
    assert isinstance(asked, Outcome)
    assert isinstance(again, Outcome)
    assert (again.code, again.stdout) == (asked.code, asked.stdout)


def test_all_facts_are_the_same(tmp_path: Path) -> None:
    recorder = Recorder(open_host(None))
    live = collect(recorder)
    _, host = captured(recorder, tmp_path / "c.tar.zst")
    replayed = msgspec.structs.replace(collect(host), origin=live.origin)
    names = redactor_for(recorder)  # there may be people on this machine
    assert json.loads(msgspec.json.encode(replayed)) == json.loads(names.path(msgspec.json.encode(live).decode()))


def test_the_recorder_answers_as_the_host(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/f").write_text("12345")
    (tmp_path / "a/l").symlink_to("f")
    live = open_host(None)
    recorder = Recorder(live)
    for path in (f"{tmp_path}/a", f"{tmp_path}/a/f", f"{tmp_path}/a/l", f"{tmp_path}/none", "/proc/version"):
        assert answers(recorder, path) == answers(live, path), path
        assert answers(recorder, path) == answers(live, path), "the second time"


def test_one_recording_is_one_moment(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("first")
    recorder = Recorder(open_host(None))
    assert recorder.read(f"{tmp_path}/f") == b"first"
    names = recorder.names(str(tmp_path))
    (tmp_path / "f").write_text("second")
    (tmp_path / "g").write_text("")
    assert recorder.read(f"{tmp_path}/f") == b"first"
    assert recorder.names(str(tmp_path)) == names
    assert recorder.now() == recorder.now()


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A bare tree with much to hide."""
    root = tmp_path / "root"
    texts = {
        "etc/passwd": "root:x:0:0:root:/root:/bin/sh\nalice:x:1000:1000:Alice L:/home/alice:/bin/sh\n",
        "etc/group": "render:x:992:alice\n",
        "etc/hostname": "wonder\n",
        "etc/apt/sources.list.d/amd.list": "deb https://u:hunter2@mirror.example.org/apt noble main\n",
        "etc/apt/auth.conf": "machine mirror.example.org login u password hunter2\n",
        "home/alice/venv/pyvenv.cfg": "home = /usr/bin\nprompt = wonder\n",
        "var/lib/dpkg/status": "Package: rocm\nVersion: 7.2.0.70200-1\n",
        "var/lib/apt/lists/x_InRelease": "signed\n",
        "var/lib/apt/lists/x_Packages": "Package: a\n",
        "sys/class/dmi/id/product_serial": "PF3ABCDE\n",
        "proc/self/environ": "PATH=/home/alice/bin:/usr/bin\0VIRTUAL_ENV=/home/alice/venv\0HF_TOKEN=hunter2\0X=1\0",
        "proc/self/status": "Uid:\t1000\t1000\t1000\t1000\nGid:\t1000\t1000\t1000\t1000\nGroups:\t992\n",
    }
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    (root / "home/alice/venv/lib").symlink_to("/home/alice/lib")
    return root


def test_what_is_hidden_stays_consistent(machine: Path, tmp_path: Path) -> None:
    recorder = Recorder(TreeHost(str(machine)))
    assert isinstance(recorder.process(), Process)
    for path in ("/etc/passwd", "/etc/group", "/etc/hostname", "/sys/class/dmi/id/product_serial"):
        assert isinstance(recorder.read(path), bytes)
    recorder.read("/home/alice/venv/pyvenv.cfg")
    recorder.read("/proc/self/environ")
    recorder.read("/etc/apt/auth.conf")
    recorder.names("/home")
    recorder.info("/home/alice/venv/lib")
    done, host = captured(recorder, tmp_path / "c.tar")
    whole = (tmp_path / "c.tar").read_bytes()
    for secret in (b"lice", b"hunter2", b"wonder", b"PF3ABCDE"):
        assert secret not in whole, secret
    variables = host.environment()
    assert not isinstance(variables, Unread)
    base = variables["VIRTUAL_ENV"]
    assert isinstance(host.read(f"{base}/pyvenv.cfg"), bytes)
    assert host.names("/home") == (base.split("/")[2],)
    link = host.info(f"{base}/lib")
    assert isinstance(link, FileInfo)
    assert link.link == f"/home/{base.split('/')[2]}/lib"
    assert variables["HF_TOKEN"].startswith("redacted-")
    left = {item.path: item.why for item in done.left_out}
    assert left["environment X"] == "not-relevant"
    assert left["/proc/self/environ"] == left["/etc/apt/auth.conf"] == "secret"
    assert left["/var/lib/apt/lists/x_Packages"] == "index"
    assert "/etc/passwd" in done.read
    assert done.bytes == len(whole)
    assert os.stat(tmp_path / "c.tar").st_mode & 0o777 == 0o600


def test_what_planning_needs_goes_in(machine: Path, tmp_path: Path) -> None:
    _, host = captured(Recorder(TreeHost(str(machine))), tmp_path / "c.tar.zst")
    source = host.read("/etc/apt/sources.list.d/amd.list")
    assert isinstance(source, bytes)
    assert source == b"deb https://redacted-1@mirror.example.org/apt noble main\n"
    assert host.read("/var/lib/dpkg/status") == b"Package: rocm\nVersion: 7.2.0.70200-1\n"
    assert host.read("/var/lib/apt/lists/x_InRelease") == b"signed\n"
    index = host.read("/var/lib/apt/lists/x_Packages")
    assert isinstance(index, Unread)
    assert index.reason is Missing.NOT_CAPTURED
    assert isinstance(host.info("/var/lib/apt/lists/x_Packages"), FileInfo)
    names = host.names("/var/lib/apt/lists")
    assert names == ("x_InRelease", "x_Packages")


def test_indices_on_demand_and_hashes_without(machine: Path, tmp_path: Path) -> None:
    tree = TreeHost(str(machine))
    _, host = captured(Recorder(tree), tmp_path / "c.tar.zst", with_indices=True)
    assert host.read("/var/lib/apt/lists/x_Packages") == b"Package: a\n"
    captured(Recorder(tree), tmp_path / "d.tar")
    assert sha256(b"Package: a\n").hexdigest().encode() in (tmp_path / "d.tar").read_bytes()


def test_a_recording_can_be_captured_again(machine: Path, tmp_path: Path) -> None:
    recorder = Recorder(TreeHost(str(machine)))
    recorder.read("/etc/passwd")
    _, first = captured(recorder, tmp_path / "a.tar.zst")
    second_recorder = Recorder(first)
    was = [answers(second_recorder, path) for path in PATHS]
    _, second = captured(second_recorder, tmp_path / "b.tar.zst")
    assert [answers(second, path) for path in PATHS] == was


def test_where_it_cannot_be_written(tmp_path: Path) -> None:
    recorder = Recorder(TreeHost(str(tmp_path)))
    with pytest.raises(UsageError):
        captured(recorder, tmp_path / "c.zip")
    with pytest.raises(NoError):
        captured(recorder, tmp_path / "nowhere/c.tar")
    (tmp_path / f"c.tar.{os.getpid()}.part").symlink_to("/etc/passwd")
    with pytest.raises(NoError):
        captured(recorder, tmp_path / "c.tar")


def test_room_and_nodes(tmp_path: Path) -> None:
    recorder = Recorder(open_host(None))
    room, node = recorder.space(str(tmp_path)), recorder.info("/dev/null")
    assert isinstance(room, Space)
    assert isinstance(node, FileInfo)
    assert node.kind is Kind.CHAR
    captured(recorder, tmp_path / "c.tar")
    data = (tmp_path / "c.tar").read_bytes()
    document = json.JSONDecoder().raw_decode(data[512:].decode("utf-8", "replace"))[0]
    assert document["paths"]["/dev/null"]["rdev"] == [1, 3]


def test_reading_the_live_machine_starts_nothing_heavy() -> None:
    script = (
        "import sys; from firstlight.host import open_host; open_host(None).read('/proc/version');"
        "heavy = {'subprocess', 'tarfile', 'zstandard', 're', 'pathlib', 'tempfile', 'shlex'} & set(sys.modules);"
        "print(' '.join(sorted(heavy)))"
    )
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True)
    bare = subprocess.run(
        [sys.executable, "-I", "-c", "import sys, msgspec; print(' '.join(sys.modules))"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert set(done.stdout.split()) <= set(bare.stdout.split())
