"""Static archives, against GNU's and LLVM's own."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstlight.binaries.archive import Member, members, walk
from firstlight.binaries.forward import Forward
from firstlight.binaries.model import Fault
from firstlight.binaries.source import Held

from .amd_files import archive

LONG = "a_name_that_is_longer_than_fifteen.o"


def listed(data: bytes) -> list[Member | Fault]:
    return list(members(Held(data)))


def test_members_by_name_and_place() -> None:
    data = archive([("a.o", b"one"), (LONG, b"four"), ("b b.o", b"")])
    found = [one for one in listed(data) if isinstance(one, Member)]
    assert [(one.name, data[one.offset : one.offset + one.size]) for one in found] == [
        ("a.o", b"one"),
        (LONG, b"four"),
        ("b b.o", b""),
    ]


def test_members_of_a_thin_archive_lie_outside() -> None:
    found = listed(archive([("a.o", b"one"), (LONG, b"four")], thin=True))
    assert [(one.name, one.size, one.outside) for one in found if isinstance(one, Member)] == [
        ("a.o", 3, True),
        (LONG, 4, True),
    ]


def test_names_of_bsd_stand_before_the_content() -> None:
    head = b"%-16s%-12d%-6d%-6d%-8o%-10d`\n" % (b"#1/20", 0, 0, 0, 0, 23)
    data = b"!<arch>\n" + head + LONG[:18].encode() + b"\0\0" + b"one"
    found = listed(data)
    assert found == [Member(name=LONG[:18], offset=88, size=3)]


def test_the_caller_may_read_from_a_member_as_it_passes() -> None:
    forward = Forward.of(Held(archive([("a.o", b"one"), ("b.o", b"three"), ("c.o", b"x")])))
    read = [forward.read(min(2, one.size)) for one in walk(forward) if isinstance(one, Member)]
    assert read == [b"on", b"th", b"x"]


@pytest.mark.parametrize("name", [b"/99", b"/x", b"#1/900", b"#1/"])
def test_a_name_that_is_nowhere_is_a_fault_and_the_rest_is_read(name: bytes) -> None:
    head = b"%-16s%-12d%-6d%-6d%-8o%-10d`\n" % (name, 0, 0, 0, 0, 2)
    found = listed(archive([("a.o", b"one")]) + head + b"xy" + archive([("b.o", b"two")])[72:])
    assert [type(one) for one in found] == [Member, Fault, Member]


def test_every_truncation_is_a_fault_or_the_end_of_a_member() -> None:
    whole = archive([("a.o", b"on"), (LONG, b"four")])
    ends = {one.offset + one.size for one in listed(whole) if isinstance(one, Member)} | {
        8,
        72,
        72 + 60 + len(LONG) + 2,
    }
    for end in range(len(whole)):
        faults = [one for one in listed(whole[:end]) if isinstance(one, Fault)]
        assert bool(faults) == (end not in ends), end


@given(st.binary(max_size=200), st.integers(0, 250))
def test_any_bytes_end(noise: bytes, place: int) -> None:
    whole = archive([("a.o", b"on"), (LONG, b"four")])
    for data in (noise, whole[:place] + noise + whole[place + len(noise) :]):
        assert len(listed(data)) <= 1 + len(data) // 60


@pytest.mark.parametrize("tool", ["ar", "llvm-ar"])
@pytest.mark.parametrize("thin", [False, True])
def test_as_the_tools_write_it(tool: str, thin: bool, tmp_path: Path) -> None:  # noqa: FBT001
    program = shutil.which(tool)
    if program is None:
        pytest.skip(f"no {tool} here")
    names = ["a.o", LONG, "exactly15chars.o", "sixteen_chars_.o"]
    for name in names:
        (tmp_path / name).write_bytes(name.encode() * 3)
    subprocess.run([program, "rcsT" if thin else "rcs", "x.a", *names], cwd=tmp_path, check=True)
    data = (tmp_path / "x.a").read_bytes()
    found = listed(data)
    assert [(one.name, one.size) for one in found if isinstance(one, Member)] == [
        (name, 3 * len(name)) for name in names
    ]
    if not thin:
        assert all(data[one.offset :].startswith(one.name.encode()) for one in found if isinstance(one, Member))
