"""A file that only passes by is told the same of as one that is read at any place."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from firstlight.binaries import chains, kept, streaming
from firstlight.binaries.kept import Kept, NotKeptError
from firstlight.binaries.reading import read
from firstlight.binaries.source import Held
from firstlight.binaries.streaming import read_stream
from firstlight.binaries.unpacking import BrokenError

from . import layers
from .layers import HIP, Made, Section, host, joined, padded, sound
from .seeds import SEEDS, Seed
from .spoiling import Spoiler


class Passings:
    """Counts how often a file is read from its beginning."""

    def __init__(self, data: bytes, chunk: int = 4099) -> None:
        self.data, self._chunk, self.count = data, chunk, 0

    def __call__(self) -> Iterator[bytes]:
        self.count += 1
        return (self.data[at : at + self._chunk] for at in range(0, len(self.data), self._chunk))


@pytest.fixture(params=[1 << 20, 512], ids=["as it is", "little at hand"])
def _little(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With small bounds, small files go the ways of large ones."""
    if request.param < 1 << 20:
        monkeypatch.setattr(streaming, "_HEAD", request.param)
        monkeypatch.setattr(streaming, "_FIRST", request.param)
        monkeypatch.setattr(streaming, "_DATA", 64)
        monkeypatch.setattr(streaming, "_AROUND", 64)
        monkeypatch.setattr(kept, "_BEFORE", 16)
        monkeypatch.setattr(kept, "_AFTER", 64)
        monkeypatch.setattr(streaming, "_PASSES", 64)


@pytest.mark.usefixtures("_little")
@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed[0])
def test_a_stream_is_told_the_same_of(seed: Seed) -> None:
    path, make, targets = seed
    data = make(sound).data
    found = read_stream(Passings(data), len(data), path)
    assert found is not None
    assert {code.target for code in found.code} == targets
    if not path.endswith(".kpack"):  # unpacked kernels in one that passes by are not looked into
        assert found == read(Held(data), path)


@pytest.mark.parametrize("number", range(60))
def test_a_spoiled_library_is_told_the_same_of(number: int) -> None:
    make = next(make for path, make, _ in SEEDS if path == "libk.so")
    data = make(Spoiler(random.Random(number), 0.05)).data
    assert read_stream(Passings(data, 997), len(data), "x.so") == read(Held(data), "x.so")


def library(*sections: Section) -> bytes:
    return host([*sections, Section(".rodata", 1, Made(bytes(1 << 16)))]).data


def bundle() -> Made:
    return layers.bundle([(HIP + "gfx1151", layers.code_object())], 4096)


def fatbin() -> Made:
    return layers.fat_binary([layers.entry(2, 90, b"\x7fELF")])


def test_a_library_of_a_usual_layout_passes_once() -> None:
    data = library(Section(".nv_fatbin", 1, joined(fatbin(), fatbin())), Section("__nv_relfatbin", 1, fatbin()))
    opened = Passings(data)
    found = read_stream(opened, len(data), "x.so")
    assert found == read(Held(data), "x.so")
    assert found is not None
    assert {(code.target, code.count) for code in found.code} == {("sm_90", 3)}
    assert opened.count == 1


def test_what_stands_in_an_odd_place_is_found_in_a_second_passing() -> None:
    data = library(Section(".text", 1, Made(b"\x90" * 20)), Section(".hip_fatbin", 1, bundle()))
    opened = Passings(data)
    assert read_stream(opened, len(data), "x.so") == read(Held(data), "x.so")
    assert opened.count == 2


def test_containers_outside_of_their_sections_do_not_count() -> None:
    data = library(Section(".rodata.images", 1, fatbin()), Section(".nv_fatbin", 1, fatbin()))
    found = read_stream(Passings(data), len(data), "x.so")
    assert found is not None
    assert [code.count for code in found.code] == [1]


def test_letters_of_a_mark_in_a_program_are_passed_over() -> None:
    letters = padded(Made(b"\x50\xed\x55\xba" * 2 + b"__CLANG_OFFLOAD_BUNDLE__" + b"\xff" * 8 + b"CCOB\xff\xff"), 8)
    data = library(Section(".text", 1, letters), Section(".nv_fatbin", 1, fatbin()))
    opened = Passings(data)
    assert read_stream(opened, len(data), "x.so") == read(Held(data), "x.so")
    assert opened.count == 1


def test_a_header_that_lies_costs_a_passing_and_no_code() -> None:
    lying = Made(b"\x50\xed\x55\xba\x01\0\x10\0" + (1 << 39).to_bytes(8, "little"))
    data = library(Section(".text", 1, lying), Section(".nv_fatbin", 1, fatbin()))
    assert read_stream(Passings(data), len(data), "x.so") == read(Held(data), "x.so")


def test_more_containers_than_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chains, "MOST_CONTAINERS", 3)
    data = library(Section(".nv_fatbin", 1, joined(*(fatbin() for _ in range(9)))))
    found = read_stream(Passings(data), len(data), "x.so")
    assert found is not None
    assert [code.count for code in found.code] == [9]


@pytest.mark.parametrize("change", [-1, 1])
def test_a_stream_of_another_size_is_damage(change: int) -> None:
    data = library(Section(".nv_fatbin", 1, fatbin()))
    with pytest.raises(BrokenError):
        read_stream(Passings(data), len(data) + change, "x.so")


def test_what_is_scattered_too_wide_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST", 64)
    monkeypatch.setattr(streaming, "_HEAD", 64)
    data = library(Section(".nv_fatbin", 1, fatbin()))
    found = read_stream(Passings(data), len(data), "x.so")
    assert found is not None
    assert [fault.kind for fault in found.faults] == ["too-large"]


def test_kept_stretches_are_those_that_passed() -> None:
    data = bytes(range(256)) * 8
    held = Kept(len(data))
    held.want(100, 50)
    held.want(140, 1000)
    held.want(2000, 1 << 40)
    assert b"".join(held.passing(iter([data[:120], data[120:1500], data[1500:]]))) == data
    assert held.read(100, 50) == data[100:150]
    assert held.read(150, 900) == data[150:1050]
    assert held.read(2040, 999) == data[2040:]
    with pytest.raises(NotKeptError):
        held.read(99, 2)
    assert held.missed == [(99, 2)]
    assert held.again()
    assert list(held.passing(iter([data]))) == [data]
    assert held.read(99, 2) == data[99:101]
