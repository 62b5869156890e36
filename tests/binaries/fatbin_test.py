"""CUDA fat binaries: made by hand, and by NVIDIA's own tool where it is installed."""

from __future__ import annotations

import struct
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstlight.binaries.fatbin import MOST_ENTRIES, MOST_FAULTS, codes, walk
from firstlight.binaries.forward import Forward
from firstlight.binaries.model import Code, Fault
from firstlight.binaries.source import Held

from .cuda_files import (
    ELF,
    FAMILY,
    INDEX,
    LINUX_64,
    LTO,
    PACKED,
    PTX,
    RELOCATABLE_PTX,
    SPECIFIC,
    TILE,
    concatenated,
    container,
    entry,
    header,
)
from .oracles import nvidia, tools


def _targets(data: bytes) -> Counter[str]:
    found = codes(Held(data))
    assert found.faults == ()
    return Counter({one.target: one.count for one in found.code})


def _faults(data: bytes) -> list[Fault]:
    return list(codes(Held(data)).faults)


@pytest.mark.parametrize(
    ("kind", "number", "flags", "target"),
    [
        (ELF, 90, LINUX_64, "sm_90"),
        (ELF, 90, LINUX_64 | SPECIFIC | PACKED, "sm_90a"),
        (ELF, 103, LINUX_64 | FAMILY, "sm_103"),
        (16, 100, LINUX_64, "sm_100"),
        (PTX, 52, LINUX_64, "compute_52"),
        (PTX, 90, LINUX_64 | SPECIFIC, "compute_90a"),
        (PTX, 120, LINUX_64 | FAMILY | PACKED, "compute_120f"),
        (RELOCATABLE_PTX, 90, LINUX_64, "compute_90"),
    ],
)
def test_target_of_an_entry(kind: int, number: int, flags: int, target: str) -> None:
    assert _targets(container(entry(kind, number, flags))) == {target: 1}


def test_sizes_counts_and_ptx_version() -> None:
    data = container(entry(ELF, 75, size=80), entry(PTX, 75, size=16, options="-O3")) + container(
        entry(ELF, 75, size=8)
    )
    assert codes(Held(data)).code == (
        Code(vendor="nvidia", target="compute_75", form="ptx", count=1, size=16, ptx_isa="9.5"),
        Code(vendor="nvidia", target="sm_75", form="cubin", count=2, size=88),
    )


def test_containers_with_zeros_between() -> None:
    assert _targets(container(entry(ELF, 75)) + bytes(4096) + container() + container(entry(ELF, 80))) == {
        "sm_75": 1,
        "sm_80": 1,
    }


def test_nothing_in_nothing() -> None:
    assert _targets(b"") == {}
    assert _targets(bytes(100_000)) == {}


def test_intermediate_code_is_no_code() -> None:
    assert _targets(container(entry(LTO, 90), entry(INDEX, 0), entry(ELF, 90))) == {"sm_90": 1}


def test_concatenated_entries_each_count() -> None:
    inner = [
        entry(PTX, 90, options=""),
        entry(PTX, 90, SPECIFIC, name="some"),
        entry(ELF, 100, name="seven77", options="12345678"),
    ]
    found = codes(Held(container(concatenated(*inner), entry(ELF, 80, size=24))))
    assert [(one.target, one.size) for one in found.code] == [
        ("compute_90", None), ("compute_90a", None), ("sm_100", None), ("sm_80", 24)
    ]  # fmt: skip
    assert found.faults == ()


@pytest.mark.parametrize(
    "wrong",
    [
        concatenated(entry(ELF, 90), count=2),
        concatenated(entry(ELF, 90), count=1 << 31),
        concatenated(concatenated(entry(ELF, 90))),
        concatenated((header(ELF, 90, length=64, size=0)[:20] + b"\xff" * 4 + bytes(40), b"")),
        (concatenated()[0][:20] + b"\0\0\1\0" + concatenated()[0][24:], bytes(40)),
    ],
)
def test_concatenated_entry_with_a_wrong_table(wrong: tuple[bytes, bytes]) -> None:
    found = codes(Held(container(wrong) + container(entry(ELF, 80))))
    assert [one.target for one in found.code] == ["sm_80"]
    assert [one.kind for one in found.faults] == ["damaged"]


def test_concatenated_entry_with_a_large_header() -> None:
    large = header(256, 0, length=2 << 20, size=0), bytes((2 << 20) - 64)
    found = codes(Held(container(large, entry(ELF, 90))))
    assert [one.target for one in found.code] == ["sm_90"]
    assert [one.kind for one in found.faults] == ["too-large"]


def test_a_kind_that_is_not_known_is_told_once() -> None:
    data = container(entry(TILE, 100), entry(TILE, 100), entry(512, 90), entry(ELF, 90))
    assert [(one.kind, one.detail) for one in _faults(data)] == [
        ("unknown-form", "Tile IR"),
        ("unknown-form", "code of kind 512"),
    ]


def test_old_fat_binaries_and_other_versions_are_told() -> None:
    old = struct.pack("<I", 0x1EE55A01) + bytes(12)
    found = codes(Held(old + container(entry(ELF, 80), version=2) + container(entry(ELF, 90))))
    assert [one.kind for one in found.faults] == ["unknown-form", "unknown-form"]
    assert [one.target for one in found.code] == ["sm_90"]


@pytest.mark.parametrize("size", [0, 63, 71, 1 << 40, (1 << 64) - 1])
def test_lying_sizes_cost_no_other_container(size: int) -> None:
    """Too small: an entry does not fit; too large: what follows is no entry."""
    data = container(entry(ELF, 75), size=size) + container(entry(ELF, 90))
    found = codes(Held(data))
    assert "sm_90" in [one.target for one in found.code]
    assert size == 0 or found.faults


@pytest.mark.parametrize("size", [1 << 20, 1 << 63, (1 << 64) - 1])
def test_an_entry_larger_than_its_container(size: int) -> None:
    wrong = header(ELF, 75, length=64, size=size), bytes(96)
    found = codes(Held(container(wrong) + container(entry(ELF, 90))))
    assert [one.target for one in found.code] == ["sm_90"]
    assert [one.kind for one in found.faults] == ["damaged"]


def test_every_truncation_is_told() -> None:
    data = container(concatenated(entry(PTX, 90), entry(PTX, 100)), entry(ELF, 90), entry(PTX, 90, options="-v"))
    whole = sum(_targets(data).values())
    for end in range(8, len(data)):
        found = codes(Held(data[:end]))
        assert {one.kind for one in found.faults} == {"damaged"}, end
        assert sum(one.count for one in found.code) < whole


def test_walk_ends_where_it_is_told() -> None:
    data = container(entry(ELF, 75)) + container(entry(ELF, 90))
    first = len(data) // 2
    assert [one.target for one in walk(Forward.of(Held(data)), first) if isinstance(one, Code)] == ["sm_75"]
    found = list(walk(Forward.of(Held(container(entry(ELF, 75), entry(ELF, 90)))), 16 + 64 + 96))
    assert [type(one) for one in found] == [Fault, Code]


def test_faults_and_entries_have_a_limit() -> None:
    faults = _faults(container(size=1 << 50, version=1) * 1000)
    assert len(faults) == MOST_FAULTS + 1
    assert faults[-1].kind == "too-large"
    small = container(*[entry(ELF, 90, size=0)] * 1000) * (MOST_ENTRIES // 1000 + 1)
    found = codes(Held(small))
    assert [one.kind for one in found.faults] == ["too-large"]


_ENTRIES = st.lists(
    st.builds(
        lambda form, number, mark, size, name, options: (form, number, mark, size * 8, name, options),
        st.sampled_from([PTX, ELF]),
        st.integers(30, 130),
        st.sampled_from([0, SPECIFIC, FAMILY]),
        st.integers(0, 20),
        st.text("abc_", max_size=20),
        st.none() | st.text("-O3 v", max_size=20),
    ),
    max_size=6,
)


@given(st.lists(_ENTRIES, max_size=4), st.booleans())
def test_what_was_written_is_read(
    containers: list[list[tuple[int, int, int, int, str, str | None]]],
    packed: bool,  # noqa: FBT001 (drawn)
) -> None:
    data, wanted = b"", Counter[str]()
    for rows in containers:
        made = [
            entry(kind, number, mark, size=size, name=name, options=options)
            for kind, number, mark, size, name, options in rows
        ]
        data += container(concatenated(*made)) if packed else container(*made)
        for kind, number, mark, *_ in rows:
            suffix = "a" if mark == SPECIFIC else "f" if mark == FAMILY and kind == PTX else ""
            wanted[f"{'sm' if kind == ELF else 'compute'}_{number}{suffix}"] += 1
    assert _targets(data) == wanted


_MODES: tuple[list[str], ...] = (
    [],
    ["--compress-all"],
    ["--compress-mode", "none"],
    ["--compress-mode", "speed"],
    ["--compress-mode", "size"],
    ["--concat"],
)
"""Ways in which fatbinary writes; the last only from CUDA 13.5 on."""


def test_as_fatbinary_writes_and_cuobjdump_reads(tmp_path: Path) -> None:
    tools.require("ptxas", "fatbinary", "cuobjdump")
    told, images = tools.run("fatbinary", ["--help"]), []
    known = [mode for mode in _MODES if all(option in told for option in mode[:1])]
    assert len(known) >= len(_MODES) - 1
    for arch in ("75", "90", "90a", "100", "100a", "100f", "103f", "120", "121a"):
        text, machine = tmp_path / f"{arch}.ptx", tmp_path / f"{arch}.cubin"
        text.write_text(f".version 9.0\n.target sm_{arch}\n.address_size 64\n.visible .entry k() {{ ret; }}\n")
        tools.run("ptxas", [f"-arch=sm_{arch}", text, "-o", machine])
        images += [f"--image3=kind=elf,sm={arch},file={machine}", f"--image3=kind=ptx,sm={arch},file={text}"]
    for number, mode in enumerate(known):
        out = tmp_path / f"{number}.fatbin"
        tools.run("fatbinary", ["--create", out, "-64", "--ident", "some-name", "--cmdline", "-O3 ", *mode, *images])
        assert _targets(out.read_bytes()) == nvidia.targets(out), mode
