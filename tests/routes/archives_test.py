"""Tarballs of wheels: opened once, refused where they are not what they should be."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import random
import tarfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from firstlight.routes.archive_members import MEMBERS_LIMIT
from firstlight.routes.archives import open_archive, opened
from firstlight.routes.model import Because

from .tiny_wheels import make_wheel

PACK: dict[str, Callable[[bytes], bytes]] = {
    "tar": bytes, "tar.gz": gzip.compress, "tar.bz2": bz2.compress, "tar.xz": lzma.compress,
    "tar.zst": zstandard.ZstdCompressor().compress,
}  # fmt: skip


@pytest.fixture
def wheels(tmp_path: Path) -> list[Path]:
    folder = tmp_path / "made"
    return [make_wheel(folder, "torch", "2.13.0+gfx906.1"), make_wheel(folder, "torchvision", "0.28.0+gfx906.1")]


def tar(files: dict[str, bytes], **odd: int) -> bytes:
    """`odd`: name -> type of a member without content."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        for name, kind in odd.items():
            info = tarfile.TarInfo(name)
            info.type, info.linkname = bytes([kind]), "/etc/passwd"
            archive.addfile(info)
    return stream.getvalue()


def zipped(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return stream.getvalue()


def inside(wheels: list[Path], folder: str = "dist/") -> dict[str, bytes]:
    return {"README.md": b"hello", **{f"{folder}{one.name}": one.read_bytes() for one in wheels}}


def look(tmp_path: Path, data: bytes, sha256: str | None = None) -> str | Because:
    path = tmp_path / "packed"
    path.write_bytes(data)
    return open_archive(str(path), sha256, "mine", str(tmp_path / "cache"))


def left_over(tmp_path: Path) -> list[str]:
    folder = tmp_path / "cache/routes"
    return sorted(one.name for one in folder.iterdir() if one.name != "seen") if folder.exists() else []


@pytest.mark.parametrize("form", [*PACK, "zip"])
def test_it_is_opened_under_its_sha256(tmp_path: Path, wheels: list[Path], form: str) -> None:
    data = zipped(inside(wheels)) if form == "zip" else PACK[form](tar(inside(wheels)))
    folder = look(tmp_path, data, hashlib.sha256(data).hexdigest())
    assert isinstance(folder, str), folder
    assert Path(folder).name == hashlib.sha256(data).hexdigest()
    assert {one.name: one.read_bytes() for one in Path(folder).iterdir()} == {
        one.name: one.read_bytes() for one in wheels
    }
    assert left_over(tmp_path) == [Path(folder).name]


def test_a_second_time_it_is_not_read(tmp_path: Path, wheels: list[Path]) -> None:
    data = tar(inside(wheels))
    first = look(tmp_path, data)
    (tmp_path / "packed").chmod(0o600)  # its ctime is another now: it is read again, and found to be the same
    assert open_archive(str(tmp_path / "packed"), None, "mine", str(tmp_path / "cache")) == first
    (tmp_path / "packed").unlink()
    assert open_archive(str(tmp_path / "packed"), str(first)[-64:], "mine", str(tmp_path / "cache")) == first
    assert opened(str(first)[-64:], str(tmp_path / "cache")) == first


def test_another_file_than_declared_is_refused(tmp_path: Path, wheels: list[Path]) -> None:
    found = look(tmp_path, tar(inside(wheels)), "0" * 64)
    assert isinstance(found, Because)
    assert found.kind == "wrong-hash"
    assert left_over(tmp_path) == []


def tampered(path: Path, change: Callable[[dict[str, bytes]], None]) -> bytes:
    with zipfile.ZipFile(path) as wheel:
        files = {one.filename: wheel.read(one) for one in wheel.infolist()}
    change(files)
    return zipped(files)


CHANGES: dict[str, Callable[[dict[str, bytes]], None]] = {
    "another": lambda files: files.update({"torch/__init__.py": b"import os"}),
    "not in it": lambda files: files.update({"torch/more.py": b""}),
    "missing": lambda files: files.__delitem__("torch/__init__.py") if "torch/__init__.py" in files else None,
    "no single RECORD": lambda files: files.__delitem__(next(name for name in files if name.endswith("RECORD"))),
    "bears no sha256": lambda files: files.update(
        {next(name for name in files if name.endswith("RECORD")): b"torch/__init__.py,,\n"}
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_torch_that_is_not_what_its_record_says_is_refused(tmp_path: Path, wheels: list[Path], what: str) -> None:
    files = {wheels[0].name: tampered(wheels[0], CHANGES[what])}
    found = look(tmp_path, tar(files))
    assert isinstance(found, Because)
    assert (found.kind, found.subject) == ("wrong-hash", wheels[0].name)
    assert what in found.text.en
    assert left_over(tmp_path) == []


@pytest.mark.parametrize(
    "data",
    [
        tar({"../torch-1-py3-none-any.whl": b"x"}),
        tar({"/torch-1-py3-none-any.whl": b"x"}),
        tar({"a/torch-1-py3-none-any.whl": b"x", "b/torch-1-py3-none-any.whl": b"x"}),
        tar({}, link=ord("2")),
        tar({}, hard=ord("1")),
        tar({}, device=ord("3")),
        tar({"a": b"x"})[:600],
        zipped({"..\\torch-1-py3-none-any.whl": b"x"}),
        b"",
        b"PK" + bytes(100),
        b"\x1f\x8b" + bytes(100),
        b"no archive at all" * 100,
        gzip.compress(tar({"torch-1-py3-none-any.whl": bytes(5000)}))[:-20],
        lzma.compress(tar({"torch-1-py3-none-any.whl": random.Random(1).randbytes(50000)}))[:20000],
    ],
)
def test_what_is_hostile_or_damaged_leaves_nothing(tmp_path: Path, data: bytes) -> None:
    found = look(tmp_path, data)
    if isinstance(found, Because):
        assert found.kind in ("damaged-archive", "wrong-hash")
        assert left_over(tmp_path) == []
    else:  # an empty one, or one that holds no wheel, is no harm
        assert list(Path(found).iterdir()) == []


def test_a_header_that_asks_for_all_memory_is_refused(tmp_path: Path) -> None:
    info = tarfile.TarInfo("pax")
    info.type, info.size = tarfile.XHDTYPE, 1 << 40
    found = look(tmp_path, info.tobuf(format=tarfile.GNU_FORMAT) + bytes(1024))
    assert isinstance(found, Because)
    assert "absurd" in found.text.en


def test_too_many_members_are_refused(tmp_path: Path) -> None:
    header = tarfile.TarInfo("a").tobuf(format=tarfile.USTAR_FORMAT)
    found = look(tmp_path, header * (MEMBERS_LIMIT + 1) + bytes(1024))
    assert isinstance(found, Because)
    assert str(MEMBERS_LIMIT) in found.text.en


def test_a_zip_that_claims_a_huge_directory_is_refused(tmp_path: Path) -> None:
    data = bytearray(zipped({"torch-1-py3-none-any.whl": b"x"}))
    at = data.rfind(b"PK\x05\x06")
    data[at + 12 : at + 16] = (1 << 30).to_bytes(4, "little")
    found = look(tmp_path, bytes(data))
    assert isinstance(found, Because)
    assert "absurd" in found.text.en


def test_a_missing_file_and_a_folder_are_said_so(tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path):
        found = open_archive(str(path), None, "mine", str(tmp_path / "cache"))
        assert isinstance(found, Because)
        assert found.kind == "unreadable"


def test_mutated_archives_are_taken_or_refused(tmp_path: Path, wheels: list[Path]) -> None:
    """A fixed seed; whatever bytes change, a folder or a reason comes back and nothing half-made stays."""
    chance = random.Random(20261201)
    whole = [tar(inside(wheels)), zipped(inside(wheels)), *(pack(tar(inside(wheels))) for pack in PACK.values())]
    until, rounds, refused = time.monotonic() + 3, 0, 0
    while time.monotonic() < until and rounds < 400:
        data = bytearray(chance.choice(whole))
        for _ in range(chance.choice((1, 1, 3))):
            at = chance.randrange(len(data))
            spot = chance.choice((at, at % 600, len(data) - 1 - at % 100))
            data[spot] = chance.choice((0, 255, data[spot] ^ (1 << chance.randrange(8)), 0x30))
        if chance.random() < 0.2:
            del data[chance.randrange(len(data)) :]
        found = look(tmp_path, bytes(data))
        rounds += 1
        refused += isinstance(found, Because)
        assert not [name for name in left_over(tmp_path) if name.endswith(".tmp")]
    assert refused > 20
