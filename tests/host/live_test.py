"""The live host says what the kernel says."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

import pytest

from firstlight.host import open_host
from firstlight.host.live import LiveHost
from firstlight.host.model import FileInfo, Kind, Missing, Outcome, Process, Space, Unread

HOST = LiveHost()


@pytest.mark.parametrize("path", ["/dev/null", "/dev", "/etc/passwd", "/bin", "/proc/self", "/proc/version"])
def test_info_is_lstat(path: str) -> None:
    if not os.path.lexists(path):
        pytest.skip(f"no {path} here")
    found, real = HOST.info(path), os.lstat(path)
    assert isinstance(found, FileInfo)
    assert (found.mode, found.uid, found.gid) == (stat.S_IMODE(real.st_mode), real.st_uid, real.st_gid)
    assert (found.kind is Kind.LINK) == stat.S_ISLNK(real.st_mode)
    assert (found.kind is Kind.CHAR) == stat.S_ISCHR(real.st_mode)
    if found.kind is Kind.CHAR:
        assert found.rdev == (os.major(real.st_rdev), os.minor(real.st_rdev))
    if found.kind is Kind.LINK and path != "/proc/self":
        assert found.link == os.readlink(path)


def test_read_and_names(tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(b"12345")
    (tmp_path / "a").symlink_to("b")
    assert HOST.read(f"{tmp_path}/a") == b"12345"
    assert HOST.read(f"{tmp_path}/a", 5) == b"12345"
    assert HOST.read(f"{tmp_path}/a", 4) == Unread(Missing.TOO_LARGE, f"{tmp_path}/a", "more than 4 bytes")
    assert HOST.names(str(tmp_path)) == ("a", "b")
    assert HOST.resolve(f"{tmp_path}/a") == os.path.realpath(tmp_path / "b")
    version = HOST.read("/proc/version")
    assert isinstance(version, bytes)
    assert version.startswith(b"Linux version ")


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/nowhere/at/all", Missing.ABSENT),
        ("/etc/passwd/below", Missing.ABSENT),
        ("relative", Missing.UNREADABLE),
        ("/a\0b", Missing.UNREADABLE),
        ("/" + "x" * 300, Missing.UNREADABLE),
    ],
)
def test_no_answer_has_its_reason(path: str, reason: Missing) -> None:
    for found in (HOST.read(path), HOST.names(path), HOST.info(path), HOST.resolve(path)):
        assert isinstance(found, Unread)
        assert (found.reason, found.path) == (reason, path)


def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")  # opening it for reading would wait for ever
    for path in (f"{tmp_path}/fifo", "/dev/null", str(tmp_path)):
        assert HOST.read(path) == Unread(Missing.UNREADABLE, path, "not a regular file")
    assert HOST.names("/etc/passwd") == Unread(Missing.UNREADABLE, "/etc/passwd", "not a folder")


def test_a_loop_of_links(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("a")
    found = HOST.read(f"{tmp_path}/a")
    assert isinstance(found, Unread)
    assert (found.reason, found.detail) == (Missing.UNREADABLE, "ELOOP")


def test_what_is_denied(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("x")
    secret.chmod(0)
    before = os.geteuid()
    if before == 0:  # root is denied nothing
        os.seteuid(65534)
    try:
        found = HOST.read(str(secret))
    finally:
        os.seteuid(before)
    assert found == Unread(Missing.DENIED, str(secret), "EACCES")


def test_names_that_are_no_text(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff")).write_text("")
    assert HOST.names(str(tmp_path)) == ("\\xff",)


def test_the_process_and_its_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIRSTLIGHT_TEST", "on")
    process, variables = HOST.process(), HOST.environment()
    assert isinstance(process, Process)
    assert (process.uid, process.gid) == (os.geteuid(), os.getegid())
    assert set(process.groups) == {os.getegid(), *os.getgroups()}
    assert not isinstance(variables, Unread)
    assert variables["FIRSTLIGHT_TEST"] == "on"
    assert HOST.machine() == os.uname().machine
    now = HOST.now()
    assert isinstance(now, float)
    assert abs(now - time.time()) < 5


def test_room_where_something_would_be_made(tmp_path: Path) -> None:
    found = HOST.space(f"{tmp_path}/not/made/yet")
    real = os.statvfs(tmp_path)
    assert isinstance(found, Space)
    assert found.total == real.f_blocks * real.f_frsize
    assert isinstance(HOST.space("relative"), Unread)
    wrong = HOST.space("/\0")
    assert isinstance(wrong, Unread)
    assert wrong.reason is Missing.UNREADABLE


def test_a_command() -> None:
    found = open_host(None).ask(["echo", "hello"])
    assert isinstance(found, Outcome)
    assert (found.code, found.stdout) == (0, "hello\n")
