"""Folders and files on disk, and what a path is taken for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firstlight.binaries import folder
from firstlight.binaries.folder import read_folder
from firstlight.binaries.report import inspect
from firstlight.errors import UnreadableInput
from tests.unprivileged import nobody

from . import layers, seeds
from .layers import sound
from .seeds import HOSTED

FATBIN = layers.fat_binary([layers.entry(2, 90, b"\x7fELF")]).data


def test_files_are_read_where_they_lie_and_once(tmp_path: Path) -> None:
    (tmp_path / "lib/deep").mkdir(parents=True)
    (tmp_path / "lib/deep/a.fatbin").write_bytes(FATBIN)
    (tmp_path / "lib/b.fatbin").symlink_to("deep/a.fatbin")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "notes.txt").write_text("text")
    os.mkfifo(tmp_path / "pipe.so")
    report = read_folder(str(tmp_path))
    assert [piece.path for piece in report.pieces] == ["lib/deep/a.fatbin"]
    assert report.others == 1
    assert not report.faults


def test_what_may_not_be_read_is_a_fault(tmp_path: Path) -> None:
    top = tmp_path / "top"
    (top / "closed").mkdir(parents=True)
    (top / "closed.so").write_bytes(FATBIN)
    for path, mode in ((top, 0o755), (top / "closed", 0), (top / "closed.so", 0)):
        path.chmod(mode)
    with nobody(tmp_path):
        faults = read_folder(str(top)).faults
    (top / "closed").chmod(0o700)
    assert {(fault.where, fault.kind) for fault in faults} == {("closed", "denied"), ("closed.so", "denied")}


def test_depth_and_number_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a/b/c").mkdir(parents=True)
    for name in ("1.fatbin", "2.fatbin", "a/3.fatbin", "a/b/c/4.fatbin"):
        (tmp_path / name).write_bytes(FATBIN)
    monkeypatch.setattr(folder, "DEEPEST", 1)
    report = read_folder(str(tmp_path))
    assert len(report.pieces) == 3
    assert [(fault.where, fault.kind) for fault in report.faults] == [("a", "too-large")]
    monkeypatch.setattr(folder, "MOST_FILES", 2)
    assert len(read_folder(str(tmp_path)).pieces) == 2


@pytest.mark.parametrize("seed", seeds.CONTAINERS, ids=lambda seed: seed[0])
def test_a_path_is_taken_for_what_it_is(seed: seeds.Seed, tmp_path: Path) -> None:
    name, make, targets = seed
    (tmp_path / name).write_bytes(make(sound).data)
    report = inspect(str(tmp_path / name))
    assert report.kind == ("wheel" if name.endswith(".whl") else "deb" if name.endswith(".deb") else "tar")
    assert {code.target for piece in report.pieces for code in piece.code} == targets == HOSTED


def test_a_plain_file_and_a_folder(tmp_path: Path) -> None:
    (tmp_path / "k.fatbin").write_bytes(FATBIN)
    (tmp_path / "unnamed").write_bytes(seeds.tar(sound).data)
    (tmp_path / "text").write_text("text")
    assert inspect(str(tmp_path / "k.fatbin")).kind == "file"
    assert inspect(str(tmp_path / "unnamed")).kind == "tar"
    assert inspect(str(tmp_path)).kind == "folder"
    nothing = inspect(str(tmp_path / "text"))
    assert (nothing.kind, nothing.pieces, nothing.others) == ("file", (), 1)


def test_what_is_not_there_is_an_error_in_both_languages(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in ("missing", "pipe"):
        with pytest.raises(UnreadableInput) as caught:
            inspect(str(tmp_path / path))
        assert path in caught.value.what.en
        assert path in caught.value.what.zh


@pytest.mark.parametrize(
    ("content", "kind", "word"),
    [
        (b"", "damaged", "empty"),
        (b"no zip", "damaged", "does not begin"),
        (b"\xed\xab\xee\xdb\x03", "unknown-form", "unpack"),
    ],
)
def test_a_package_by_name_alone_is_a_fault(tmp_path: Path, content: bytes, kind: str, word: str) -> None:
    path = tmp_path / "torch-1.0-py3-none-any.whl"
    path.write_bytes(content)
    (fault,) = inspect(str(path)).faults
    assert (fault.kind, word in fault.detail) == (kind, True)


@pytest.mark.parametrize(
    ("name", "word"), [("gone.so", "no such file"), ("/dev/null", "neither a file"), ("closed.so", "may not read")]
)
def test_why_a_path_cannot_be_read_is_told_in_both_languages(tmp_path: Path, name: str, word: str) -> None:
    (tmp_path / "closed.so").write_bytes(FATBIN)
    (tmp_path / "closed.so").chmod(0)
    with nobody(tmp_path), pytest.raises(UnreadableInput) as caught:
        inspect(str(tmp_path / name))
    assert word in caught.value.what.en
    assert word not in caught.value.what.zh
