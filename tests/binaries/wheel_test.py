"""Wheels: what is in them, without unpacking, and what a hostile one gets away with: nothing."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable

import pytest

from firstlight.binaries import directory, streaming, unpacking
from firstlight.binaries.model import Report
from firstlight.binaries.source import Held
from firstlight.binaries.wheel import read_wheel

from . import layers
from .layers import Section, host, sound
from .seeds import HOSTED, wheel

NAME = "fill-1.0+rocm7.2-cp311-cp311-manylinux_2_28_x86_64.whl"
FATBIN = layers.fat_binary([layers.entry(2, 90, b"\x7fELF")]).data


def zipped(**members: bytes) -> bytes:
    return zipped_at({name.replace("_", "/"): data for name, data in members.items()})


def zipped_at(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return held.getvalue()


def read(data: bytes, path: str = NAME) -> Report:
    return read_wheel(Held(data), path)


def targets(report: Report) -> set[str]:
    return {code.target for piece in report.pieces for code in piece.code}


def details(report: Report) -> list[tuple[str, str]]:
    return [(fault.where, fault.kind) for fault in report.faults]


def test_a_wheel_is_told_by_what_is_in_it() -> None:
    report = read(wheel(sound).data)
    assert report.kind == "wheel"
    assert targets(report) == HOSTED
    assert [piece.path for piece in report.pieces] == ["fill/lib/libfill.so", "fill/fill.fatbin"]
    assert report.distribution == "fill 1.0+rocm7.2"
    assert report.python == ("cp311-cp311-manylinux_2_28_x86_64",)
    assert report.others == 4
    assert not report.faults


@pytest.mark.parametrize("path", ["odd name.whl", "wheel"])
def test_one_of_another_name_is_told_by_its_metadata(path: str) -> None:
    report = read(wheel(sound).data, path)
    assert (report.distribution, report.python) == ("fill 1.0+rocm7.2", ("cp311-cp311-manylinux_2_28_x86_64",))


def test_an_address_names_the_wheel_too() -> None:
    path = "https://example.org/torch-2.14.1%2Brocm7.2-cp311-cp311-linux_x86_64.whl?token=x#sha256=1"
    assert read(zipped(a_py=b""), path).distribution == "torch 2.14.1+rocm7.2"


def test_large_members_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "HELD", 100)
    monkeypatch.setattr("firstlight.binaries.wheel.HELD", 100)
    assert read(wheel(sound).data).pieces == read_wheel(Held(wheel(sound).data), NAME).pieces
    assert targets(read(wheel(sound).data)) == HOSTED


def test_a_large_wheel_takes_little_memory() -> None:
    section = Section(".data", 1, layers.Made(bytes(150 << 20)))
    data = zipped_at({"x/libx.so": host([Section(".nv_fatbin", 1, layers.Made(FATBIN)), section]).data})
    tracemalloc.start()
    report = read(data)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert targets(report) == {"sm_90"}
    assert most < 100 << 20


def edited(data: bytes, name: str, change: Callable[[bytearray, int, int], None]) -> bytes:
    """With both headers of a member changed."""
    changed = bytearray(data)
    local = changed.index(b"PK\x03\x04" + changed[changed.index(b"PK\x03\x04") + 4 :][:0])
    while changed[local + 30 : local + 30 + len(name)] != name.encode():
        local = changed.index(b"PK\x03\x04", local + 4)
    central = changed.index(b"PK\x01\x02")
    while changed[central + 46 : central + 46 + len(name)] != name.encode():
        central = changed.index(b"PK\x01\x02", central + 4)
    change(changed, local, central)
    return bytes(changed)


def encrypt(data: bytearray, local: int, central: int) -> None:
    data[local + 6] |= 1
    data[central + 8] |= 1


def pack_by_zstd(data: bytearray, local: int, central: int) -> None:
    data[local + 8 : local + 10] = data[central + 10 : central + 12] = struct.pack("<H", 93)


def name_otherwise(data: bytearray, local: int, central: int) -> None:
    del central
    data[local + 30] ^= 1


def lie_in_size(data: bytearray, local: int, central: int) -> None:
    data[local + 22 : local + 26] = data[central + 24 : central + 28] = struct.pack("<I", 10)


def lie_in_packed_size(data: bytearray, local: int, central: int) -> None:
    data[local + 18 : local + 22] = data[central + 20 : central + 24] = struct.pack("<I", 1 << 30)


def lie_in_sum(data: bytearray, local: int, central: int) -> None:
    data[local + 14] ^= 1
    data[central + 16] ^= 1


def damage(data: bytearray, local: int, central: int) -> None:
    del central
    data[local + 30 + 20] = 0xFF
    data[local + 30 + 21] ^= 0xFF


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (encrypt, "unknown-form"),
        (pack_by_zstd, "unknown-form"),
        (name_otherwise, "damaged"),
        (lie_in_size, "damaged"),
        (lie_in_packed_size, "damaged"),
        (lie_in_sum, "damaged"),
        (damage, "damaged"),
    ],
)
def test_a_member_that_cannot_be_read_leaves_the_others(
    change: Callable[[bytearray, int, int], None], kind: str
) -> None:
    data = zipped_at({"a.fatbin": FATBIN, "b.fatbin": FATBIN + bytes(range(256)), "c.fatbin": FATBIN})
    report = read(edited(data, "b.fatbin", change))
    assert [piece.path for piece in report.pieces] == ["a.fatbin", "c.fatbin"]
    assert details(report) == [("b.fatbin", kind)]


@pytest.mark.parametrize("name", ["../b.so", "/b.so", "a/../../b.so", "a\\b.so", "x" * 5000 + ".so"])
def test_a_name_that_leads_out_is_not_read(name: str) -> None:
    report = read(zipped_at({name: FATBIN, "c.fatbin": FATBIN}))
    assert [piece.path for piece in report.pieces] == ["c.fatbin"]
    assert [kind for _, kind in details(report)] == ["damaged"]


def test_a_member_is_read_once() -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("a.fatbin", FATBIN)
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a.fatbin", FATBIN)
    report = read(held.getvalue())
    assert len(report.pieces) == 1
    assert details(report) == [("a.fatbin", "damaged")]


def test_members_that_overlap_are_not_read_twice() -> None:
    """The bomb of D. Fifield: one kernel of data, many headers that share it."""
    data = bytearray(zipped_at({"a.fatbin": FATBIN, "b.fatbin": FATBIN}))
    second = data.rindex(b"PK\x01\x02")
    data[second + 42 : second + 46] = struct.pack("<I", 4)
    report = read(bytes(data))
    assert [piece.path for piece in report.pieces] == ["a.fatbin"]
    assert details(report) == [("b.fatbin", "damaged")]


def test_a_link_is_no_file() -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        info = zipfile.ZipInfo("lib/libx.so")
        info.create_system, info.external_attr = 3, 0o120777 << 16
        archive.writestr(info, b"/etc/passwd")
    report = read(held.getvalue())
    assert (report.pieces, report.faults) == ((), ())


def test_a_bomb_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "FREE", 40 << 20)
    monkeypatch.setattr(unpacking, "RATIO", 1)
    report = read(zipped_at({f"{number}.co": bytes(16 << 20) for number in range(8)}))
    assert [fault.kind for fault in report.faults] == ["too-large"]
    assert 0 < len(report.pieces) + report.others < 8


def test_a_stream_without_an_end_is_damage() -> None:
    packed = zlib.compressobj(wbits=-15)
    stream = packed.compress(FATBIN * 100) + packed.flush(zlib.Z_SYNC_FLUSH)
    with pytest.raises(unpacking.BrokenError):
        list(unpacking.inflated(iter([stream])))
    assert b"".join(unpacking.inflated(iter([stream]), whole=False)) == FATBIN * 100


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"PK\x05\x06" + bytes(18), bytes(1000)])
def test_what_is_no_zip_is_one_fault_or_empty(data: bytes) -> None:
    report = read(data)
    assert report.pieces == ()
    assert len(report.faults) == (0 if data.startswith(b"PK\x05") else 1)


def test_a_directory_of_absurd_size_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(directory, "MOST_BYTES", 40)
    assert [kind for _, kind in details(read(zipped(a_so=FATBIN)))] == ["too-large"]
    monkeypatch.undo()
    monkeypatch.setattr(directory, "MOST_MEMBERS", 1)
    assert [kind for _, kind in details(read(zipped(a_so=FATBIN, b_so=FATBIN)))] == ["too-large"]


def test_every_cut_is_told() -> None:
    data = wheel(sound).data
    for length in range(0, len(data), 37):
        report = read(data[:length])
        assert report.faults
        assert report.pieces == ()
