"""Debian packages in every packing, and damaged ones."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from firstlight.binaries.deb import read_deb
from firstlight.binaries.model import Report
from firstlight.binaries.source import Held

from . import seeds
from .layers import sound
from .seeds import HOSTED


def read(data: bytes) -> Report:
    return read_deb(Held(data), "libfill1.deb")


@pytest.mark.parametrize("packing", ["", "gz", "bz2", "xz", "lzma", "zst"])
def test_every_packing_is_read(packing: str) -> None:
    report = read(seeds.deb(sound, packing=packing).data)
    assert report.kind == "deb"
    assert report.distribution == "libfill1 1.0-1"
    assert {code.target for piece in report.pieces for code in piece.code} == HOSTED
    assert report.pieces[0].path == "usr/lib/libfill.so.1"
    assert not report.faults


@pytest.mark.parametrize("packing", ["none", "gzip", "xz", "zstd"])
def test_what_dpkg_builds_is_read(packing: str, tmp_path: Path) -> None:
    if not shutil.which("dpkg-deb"):
        pytest.skip("there is no dpkg-deb here")
    (tmp_path / "tree/DEBIAN").mkdir(parents=True)
    (tmp_path / "tree/DEBIAN/control").write_text(
        "Package: libfill1\nVersion: 1:2.0-3\nArchitecture: all\nMaintainer: A <a@example.org>\nDescription: x\n"
    )
    (tmp_path / "tree/usr/lib").mkdir(parents=True)
    (tmp_path / "tree/usr/lib/k.fatbin").write_bytes(
        next(make(sound).data for path, make, _ in seeds.SEEDS if path == "f.fatbin")
    )
    built = tmp_path / "fill.deb"
    argv = ["dpkg-deb", "--root-owner-group", f"-Z{packing}", "--build", "tree", str(built)]
    if subprocess.run(argv, cwd=tmp_path, capture_output=True, check=False).returncode:
        pytest.skip(f"this dpkg-deb does not pack with {packing}")
    report = read(built.read_bytes())
    assert report.distribution == "libfill1 1:2.0-3"
    assert [piece.path for piece in report.pieces] == ["usr/lib/k.fatbin"]
    assert not report.faults


def test_every_cut_is_told() -> None:
    data = seeds.deb(sound, packing="").data
    for length in range(8, data.rindex(b"k.fatbin"), 211):
        assert read(data[:length]).faults


def test_a_package_without_files_says_so() -> None:
    report = read(b"!<arch>\n")
    assert [fault.detail for fault in report.faults] == ["it has no data.tar"]


def test_a_damaged_control_leaves_the_files() -> None:
    data = bytearray(seeds.deb(sound, packing="xz").data)
    at = data.index(b"\xfd7zXZ")
    data[at + 12 : at + 24] = b"\xff" * 12
    report = read(bytes(data))
    assert report.distribution is None
    assert {code.target for piece in report.pieces for code in piece.code} == HOSTED
    assert [fault.where for fault in report.faults] == ["control.tar"]
