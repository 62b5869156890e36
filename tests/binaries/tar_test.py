"""Tar archives in every packing, and hostile ones."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
from collections.abc import Callable

import pytest
import zstandard

from firstlight.binaries import streaming, tar, unpacking
from firstlight.binaries.model import Report
from firstlight.binaries.source import Held
from firstlight.binaries.tar import read_tar

from . import layers, seeds
from .layers import sound
from .seeds import HOSTED

FATBIN = layers.fat_binary([layers.entry(2, 90, b"\x7fELF")]).data


def tarred(members: dict[str, bytes], form: int = tarfile.GNU_FORMAT) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w", format=form) as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return held.getvalue()


def read(data: bytes) -> Report:
    return read_tar(Held(data), "x.tar")


def targets(report: Report) -> set[str]:
    return {code.target for piece in report.pieces for code in piece.code}


@pytest.mark.parametrize("packing", ["", "gz", "bz2", "xz", "lzma", "zst"])
@pytest.mark.parametrize("held", [streaming.HELD, 64])
def test_every_packing_is_read(packing: str, held: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "HELD", held)
    report = read(seeds.tar(sound, packing=packing).data)
    assert targets(report) == HOSTED
    assert report.pieces[0].path == "usr/lib/libfill.so.1"
    assert not report.faults


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_long_names_of_every_form(form: int) -> None:
    name = "a" * 90 + "/" + "b" * 60 + "/k.fatbin"
    assert [piece.path for piece in read(tarred({name: FATBIN}, form)).pieces] == [name]


def test_an_archive_inside_is_opened_once() -> None:
    inner = lzma.compress(tarred({"k.fatbin": FATBIN, "deeper.tar": tarred({"l.fatbin": FATBIN})}))
    report = read(tarred({"in.tar.xz": inner, "m.fatbin": FATBIN}))
    assert [piece.path for piece in report.pieces] == ["in.tar.xz/k.fatbin", "m.fatbin"]
    assert [(fault.where, fault.kind) for fault in report.faults] == [("in.tar.xz/deeper.tar", "unknown-form")]


def test_a_package_inside_is_named_and_not_opened() -> None:
    report = read(tarred({"a.whl": b"PK\x03\x04", "b.deb": b"!<arch>\n"}))
    assert report.pieces == ()
    assert [fault.where for fault in report.faults] == ["a.whl", "b.deb"]


def test_links_and_devices_hold_nothing() -> None:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as archive:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE):
            info = tarfile.TarInfo("libx.so")
            info.type, info.linkname = kind, "../../etc/passwd"
            archive.addfile(info)
    report = read(held.getvalue())
    assert (report.pieces, report.others, report.faults) == ((), 0, ())


@pytest.mark.parametrize("name", ["../x.fatbin", "/x.fatbin", "a/../../x.fatbin"])
def test_a_name_that_leads_out_is_not_read(name: str) -> None:
    report = read(tarred({name: FATBIN, "k.fatbin": FATBIN}))
    assert [piece.path for piece in report.pieces] == ["k.fatbin"]
    assert [fault.kind for fault in report.faults] == ["damaged"]


def test_every_cut_is_told() -> None:
    data = tarred({"a.fatbin": FATBIN, "b.fatbin": FATBIN * 9})
    whole = read(data)
    ends = data.index(bytes(1024))
    for length in range(512, ends, 128):
        report = read(data[:length])
        assert report.faults
        assert len(report.pieces) <= len(whole.pieces)


@pytest.mark.parametrize("field", [(124, b"77777777777 "), (124, b"-0000000001 "), (124, b"\x80" + b"\xff" * 11)])
def test_sizes_that_lie(field: tuple[int, bytes]) -> None:
    data = bytearray(tarred({"a.fatbin": FATBIN}))
    data[field[0] : field[0] + 12] = field[1]
    data[148:156] = b" " * 8
    data[148:156] = f"{sum(data[:512]):06o}\0 ".encode()
    assert read(bytes(data)).faults


def test_extended_headers_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tar, "LONGEST_HEADER", 100)
    report = read(tarred({"a" * 300: FATBIN}))
    assert [fault.kind for fault in report.faults] == ["too-large"]


def test_a_bomb_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "FREE", 1 << 20)
    monkeypatch.setattr(unpacking, "RATIO", 2)
    inner = tarred({"big.so": bytes(64 << 20)})
    for packed in (
        lzma.compress(inner, preset=0),
        zstandard.compress(inner),
        tarred({"in.tar.zst": zstandard.compress(inner)}),
    ):
        report = read(packed)
        assert [fault.kind for fault in report.faults] == ["too-large"]


@pytest.mark.parametrize("packing", [gzip.compress, bz2.compress, lzma.compress])
def test_streams_one_after_the_other_are_one_and_bounded(
    packing: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tarred({"a.fatbin": FATBIN})
    parts = [packing(data[at : at + 1024]) for at in range(0, len(data), 1024)]
    assert targets(read(b"".join(parts) + bytes(16))) == {"sm_90"}
    monkeypatch.setattr(unpacking, "MOST_STREAMS", 1)
    assert [fault.kind for fault in read(b"".join(parts)).faults] == ["too-large"]


def test_a_huge_window_is_refused() -> None:
    packed = zstandard.ZstdCompressor(
        compression_params=zstandard.ZstdCompressionParameters(window_log=30, compression_level=1)
    ).compress(tarred({"a.fatbin": FATBIN}))
    frame = bytearray(packed)
    frame[4:6] = b"\x00\xf8"  # no single segment, and a window of 2 TiB
    assert [fault.kind for fault in read(bytes(frame)).faults] == ["damaged"]


def test_too_many_members(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tar, "MOST_MEMBERS", 2)
    report = read(tarred({f"{number}.fatbin": FATBIN for number in range(5)}))
    assert len(report.pieces) == 2
    assert [fault.kind for fault in report.faults] == ["too-large"]


def test_what_is_no_archive() -> None:
    assert [fault.kind for fault in read(b"no archive at all" * 99).faults] == ["damaged"]
    assert [fault.kind for fault in read(b"").faults] == ["damaged"]
