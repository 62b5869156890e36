"""AMD device code: target, modes, versions, what its kernels need; against LLVM's own tools where they are there."""

from __future__ import annotations

import re
import struct
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstlight.binaries.code_object import always_64, look, read_code_object
from firstlight.binaries.model import Code, Fault
from firstlight.binaries.source import Held
from firstlight.knowledge.mach import modes, target_of_mach, target_of_v2
from firstlight.knowledge.tables import raw

from .amd_files import code_object, kernel, metadata, note, relocatable
from .oracles import tools

GFX90A, GFX906, GFX1151, GFX11_GENERIC = 0x3F, 0x2F, 0x4A, 0x54


def read(data: bytes) -> Code:
    code = read_code_object(Held(data))
    assert isinstance(code, Code), code
    return code


def fault(data: bytes) -> Fault:
    found = read_code_object(Held(data))
    assert isinstance(found, Fault), found
    return found


@pytest.mark.parametrize(
    ("flags", "abi", "target", "version"),
    [
        (GFX1151, 3, "gfx1151", 5),
        (GFX90A | 0x500, 3, "gfx90a", 5),  # any, any
        (GFX90A | 0x600, 2, "gfx90a:xnack-", 4),
        (GFX90A | 0xF00, 3, "gfx90a:sramecc+:xnack+", 5),
        (GFX90A | 0xA00, 4, "gfx90a:sramecc-:xnack-", 6),
        (GFX906, 1, "gfx906:sramecc-:xnack-", 3),  # version 3: not set means off where the target has the mode
        (GFX906 | 0x300, 1, "gfx906:sramecc+:xnack+", 3),
        (GFX1151, 1, "gfx1151", 3),
        (0x01000000 | GFX11_GENERIC, 4, "gfx11-generic", 6),
        (0x5A, 3, "gfx1251", 5),
    ],
)
def test_target_modes_and_version(flags: int, abi: int, target: str, version: int) -> None:
    code = read(code_object(flags, abi=abi))
    assert (code.vendor, code.form) == ("amd", "code-object")
    assert (code.target, code.code_object_version) == (target, version)
    assert code.generic_version == (1 if "generic" in target else None)


def test_what_the_kernels_need() -> None:
    kernels = [kernel("a", 32, 24, 0), kernel("b", 32, 248, 65536), kernel("c", 32, 8, 512)]
    code = read(code_object(GFX1151, notes=metadata(kernels, "gfx1151"), size=9000))
    assert (code.kernels, code.registers, code.lds, code.wave, code.size) == (3, 248, 65536, 32, 9000)


def test_what_was_linked_from_several_has_the_notes_of_each() -> None:
    notes = metadata([kernel(registers=24), kernel(lds=4096)], "gfx1151") + metadata([kernel(registers=90)], "gfx1151")
    code = read(code_object(GFX1151, notes=notes, size=9000))
    assert (code.kernels, code.registers, code.lds) == (3, 90, 4096)


def test_both_waves_are_neither() -> None:
    code = read(code_object(GFX1151, notes=metadata([kernel(wave=32), kernel(wave=64)])))
    assert code.wave is None


def test_without_kernels_only_the_chip_tells_the_wave() -> None:
    assert read(code_object(GFX90A, notes=metadata([]))).wave == 64
    empty = read(code_object(GFX1151, notes=metadata([])))
    assert (empty.wave, empty.kernels, empty.registers) == (None, 0, None)


def test_without_notes_nothing_is_said_of_kernels() -> None:
    code = read(code_object(GFX1151))
    assert (code.kernels, code.registers, code.lds, code.wave) == (None, None, None, None)


def test_of_one_that_is_not_linked_the_sections_tell() -> None:
    code = read(relocatable(GFX90A | 0x500, metadata([kernel(wave=64, registers=7)])))
    assert (code.target, code.registers, code.wave) == ("gfx90a", 7, 64)


V2 = b"""---
Version:         [ 1, 0 ]
Kernels:
  - Name:            a
    SymbolName:      'a@kd'
    Args:
      - Name:            out
    CodeProps:
      GroupSegmentFixedSize: 16
      WavefrontSize:   64
      NumVGPRs:        9
  - Name:            b
    SymbolName:      'b@kd'
    CodeProps:
      GroupSegmentFixedSize: 8
      WavefrontSize:   64
      NumVGPRs:        12
...
"""


@pytest.mark.parametrize(
    ("stepping", "target"), [(0, "gfx900:xnack-"), (1, "gfx900:xnack+"), (6, "gfx906:sramecc-:xnack-")]
)
def test_version_2_names_its_target_in_a_note(stepping: int, target: str) -> None:
    isa = note(b"AMD", 3, struct.pack("<HHIII", 4, 7, 9, 0, stepping) + b"AMD\0AMDGPU\0")
    code = read(code_object(0x2C, abi=0, notes=isa + note(b"AMD", 10, V2)))
    assert (code.target, code.code_object_version) == (target, 2)
    assert (code.kernels, code.registers, code.lds, code.wave) == (2, 12, 16, 64)


def test_a_number_that_is_not_known_is_named_by_the_metadata() -> None:
    notes = metadata([kernel()], "gfx1399:xnack+")
    assert read(code_object(0xFE, notes=notes)).target == "gfx1399:xnack+"
    found = fault(code_object(0xFE))
    assert found.kind == "unknown-form"
    assert "0xfe" in found.detail
    code, faults = look(Held(code_object(0xFE)), "gfx1399")
    assert (code.target if code else None, faults) == ("gfx1399", ())


def test_an_abi_that_is_not_known_is_said() -> None:
    code, faults = look(Held(code_object(GFX1151, abi=9, notes=metadata([kernel()], "gfx1151"))))
    assert code
    assert (code.target, code.code_object_version) == ("gfx1151", None)
    assert [one.kind for one in faults] == ["unknown-form"]


def test_header_and_metadata_that_disagree_are_said() -> None:
    code, faults = look(Held(code_object(GFX1151, notes=metadata([kernel()], "gfx1100"))))
    assert code
    assert code.target == "gfx1151"
    assert "gfx1100" in faults[0].detail


@pytest.mark.parametrize(
    "content",
    [b"", b"\xc1", b"\x81", b"\x81\xaeamdhsa.kernels\xdd\xff\xff\xff\xff", b"\x81\xa1x" + b"\x91" * 100_000,
     b"\x81\xaeamdhsa.kernels\x91\x80", b"\x81\xaeamdhsa.kernels\xc0", b"\x81\xadamdhsa.target\xa1\xff", b"\xff" * 9],
)  # fmt: skip
def test_damaged_metadata_leave_the_target(content: bytes) -> None:
    code, faults = look(Held(code_object(GFX1151, notes=note(b"AMDGPU", 32, content))))
    assert code
    assert (code.target, code.kernels) == ("gfx1151", None)
    assert [one.kind for one in faults] == ["damaged"]


def test_a_note_that_lies_about_its_length() -> None:
    for length in (0x7FFFFFFF, 5000):
        notes = struct.pack("<III", 7, length, 32) + b"AMDGPU\0\0" + b"\x80"
        code, faults = look(Held(code_object(GFX1151, notes=notes)))
        assert code
        assert faults[0].kind == ("damaged" if length == 5000 else "too-large")


def test_many_kernels_of_nothing_take_little_memory() -> None:
    least: dict[str, object] = {".wavefront_size": 1, ".vgpr_count": 1, ".group_segment_fixed_size": 1}
    notes = metadata([least] * 50_000)
    data = Held(code_object(GFX1151, notes=notes))
    tracemalloc.start()
    code = read_code_object(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert isinstance(code, Code)
    assert code.kernels == 50_000
    assert peak < 5 * len(notes)


def test_every_truncation_is_a_value_or_a_fault() -> None:
    whole = code_object(GFX1151, notes=metadata([kernel()], "gfx1151"))
    for end in range(len(whole)):
        found = read_code_object(Held(whole[:end]))
        assert isinstance(found, Fault) or found.target == "gfx1151"
        assert isinstance(found, Fault) == (end < 120)


@given(st.binary(max_size=300), st.integers(0, 299))
def test_any_bytes_are_a_value_or_a_fault(noise: bytes, place: int) -> None:
    whole = code_object(GFX1151, notes=metadata([kernel()], "gfx1151"))
    for data in (noise, whole[:place] + noise + whole[place + len(noise) :]):
        assert isinstance(read_code_object(Held(data)), Code | Fault)


def test_code_for_another_machine_is_refused() -> None:
    assert "x86_64" in fault(code_object(0, machine=62)).detail
    assert fault(b"BC\xc0\xde").kind == "unknown-form"


def test_every_number_has_one_target() -> None:
    table: dict[str, int] = raw("amd/mach")["mach"]
    assert len(set(table.values())) == len(table)
    assert all(0x20 <= number <= 0xFF for number in table.values())
    assert all(target_of_mach(number) == target for target, number in table.items())
    assert target_of_mach(0) is None
    assert {target.partition(":")[0] for target in raw("amd/mach")["v2"].values()} <= set(table)
    assert target_of_v2(10, 1, 0) is None


def test_which_chips_have_one_wave_only() -> None:
    table: dict[str, int] = raw("amd/mach")["mach"]
    wide = {target for target in table if always_64(target)}
    assert {"gfx600", "gfx803", "gfx90a", "gfx9-4-generic", "gfx950"} <= wide
    assert not {target for target in wide if target.startswith("gfx1")}


IR = """define amdgpu_kernel void @k(ptr addrspace(1) %out) {
  store float 0.0, ptr addrspace(1) %out
  ret void
}
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 VERSION}
"""


def test_as_llvm_names_them(tmp_path: Path) -> None:
    """Every target of the table that the newest LLVM here knows; FIRSTLIGHT_ORACLES may name a newer one."""
    tools.require("llc", "llvm-readelf")
    llc = tools.installed("llc")[0]
    known = set(re.findall(r"^\s+(gfx[0-9a-z-]+)", tools.run_one(llc, [*ISA, "-mcpu=help", NOTHING]), re.MULTILINE))
    every = sorted(known & set(raw("amd/mach")["mach"]))
    assert len(every) >= 50
    for version in (5, 6):
        (tmp_path / f"{version}.ll").write_text(IR.replace("VERSION", f"{version}00"))
    for target in every:
        version = 6 if "generic" in target else 5
        tools.run_one(llc, [*ISA, f"-mcpu={target}", tmp_path / f"{version}.ll", "-o", tmp_path / f"{target}.o"])
    texts = tools.run("llvm-readelf", ["-h", *(tmp_path / f"{target}.o" for target in every)]).split("ELF Header:")[1:]
    for target, text in zip(every, texts, strict=True):
        _as_named(target, text, read((tmp_path / f"{target}.o").read_bytes()))


AFTER_VERSION_3 = ("gfx1250", "gfx1251")
"""LLVM gave them modes later (it does in 23); the table is for code objects of version 3, which these never had."""
ISA = ("-mtriple=amdgcn-amd-amdhsa", "-filetype=obj")
NOTHING = "/dev/null"


def _as_named(target: str, text: str, code: Code) -> None:
    flags = text.partition("Flags:")[2].partition("\n")[0].split(", ")
    assert code.target == flags[1]
    known = set(modes(target)) == set(flags[2:]) & {"xnack", "sramecc"}
    assert known or target.endswith("generic") or target in AFTER_VERSION_3
    assert code.generic_version == (1 if "generic_v1" in flags else None)
    assert (code.kernels, code.code_object_version) == (1, 6 if "generic" in target else 5)
    assert code.wave == (64 if always_64(target) else 32)
