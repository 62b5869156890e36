from __future__ import annotations

import struct

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firstlight.binaries.elf import Elf, read_elf
from firstlight.binaries.forward import Forward
from firstlight.binaries.found import Found
from firstlight.binaries.kpack import Marker, codes_of, marker_of, read_kpack, read_marker, reference_of
from firstlight.binaries.model import Fault
from firstlight.binaries.msgpack import MalformedError, Values
from firstlight.binaries.source import Held

from .archives_written import code_object, host_elf, kpack, pack

ROCM = [
    ("lib/libtest.so#0", "gfx900", b"KERNEL1_GFX900_DATA" + bytes(100)),
    ("lib/libtest.so#0", "gfx906", b"KERNEL2_GFX906_DATA" + bytes(200)),
    ("bin/testapp#0", "gfx900", b"KERNEL3_APP_GFX900" + b"\xff" * 150),
]
"""The kernels of ROCm's own test archive (shared/kpack/runtime/tests/generate_test_data.py)."""

STRIX = [
    ("lib/libfoo.so#0", "gfx1151", code_object("gfx1151", registers=96, lds=2048)),
    ("lib/libfoo.so#1", "gfx1151", code_object("gfx1151", registers=168, kernels=3)),
    ("lib/libfoo.so#0", "gfx1100", code_object("gfx1100")),
    ("bin/app#0", "gfx90a:xnack-", code_object("gfx90a:xnack-", wave=64)),
]


def read(data: bytes) -> Found:
    return read_kpack(Held(data))


def targets(found: Found) -> list[tuple[str, int]]:
    return [(one.target, one.count) for one in found.code]


def passing(data: bytes, step: int = 1000) -> Found:
    chunks = (data[at : at + step] for at in range(0, len(data), step))
    return codes_of(Forward(chunks), len(data))


def test_rocms_own_archive_is_written_as_rocm_writes_it() -> None:
    """Bytes as PackedKernelArchive.write lays them down: header, zeros to 64, kernels end to end, the table's keys in
    its order. So the writer that these tests use is a fair one."""
    data = kpack(ROCM, scheme="none", family="gfx900X")
    assert data[:16] == b"KPAK\1\0\0\0" + struct.pack("<Q", 64 + 119 + 219 + 168)
    assert data[16:64] == bytes(48)
    assert data[64:183] == ROCM[0][2]
    table = data[64 + 506 :]
    assert table.startswith(
        b"\x87\xaeformat_version\x01\xaagroup_name\xa4test\xafgfx_arch_family\xa7gfx900X\xaagfx_arches\x92"
    )
    assert (
        b"\xa3toc\x82\xb0lib/libtest.so#0\x82\xa6gfx900\x83\xa4type\xa5hsaco\xa7ordinal\x00\xadoriginal_sizew" in table
    )
    assert table.endswith(
        b"\xa5blobs\x93\x82\xa6offset@\xa4sizew\x82\xa6offset\xcc\xb7\xa4size\xcc\xdb\x82\xa6offset\xcd\x01\x92\xa4size\xcc\xa8"
    )


@pytest.mark.parametrize("scheme", ["none", "zstd-per-kernel", None])
def test_targets_of_every_form(scheme: str | None) -> None:
    found = read(kpack(STRIX, scheme=scheme))
    assert not found.faults
    assert found.kind == "kpack"
    assert targets(found) == [("gfx1100", 1), ("gfx1151", 2), ("gfx90a:xnack-", 1)]
    strix = found.code[1]
    assert (strix.kernels, strix.registers, strix.lds, strix.wave, strix.code_object_version) == (5, 168, 2048, 32, 5)
    assert found.code[2].wave == 64


@pytest.mark.parametrize("scheme", ["none", "zstd-per-kernel", None])
def test_an_archive_that_passes_by_has_the_same_targets_and_sizes(scheme: str | None) -> None:
    data = kpack(STRIX, scheme=scheme)
    there, by = read(data), passing(data)
    assert not by.faults
    assert [(one.target, one.count, one.size) for one in by.code] == [
        (one.target, one.count, one.size) for one in there.code
    ]
    if scheme == "zstd-per-kernel":
        assert by == there


def test_sizes_are_those_in_the_archive() -> None:
    plain, packed = read(kpack(STRIX, scheme="none")), read(kpack(STRIX))
    assert plain.code[0].size == len(STRIX[2][2])
    assert packed.code[0].size is not None
    assert packed.code[0].size < 1000 < len(STRIX[2][2])


def test_kernels_that_are_no_code_are_said_and_their_targets_stand() -> None:
    found = read(kpack(ROCM, family="gfx900X"))
    assert targets(found) == [("gfx900", 2), ("gfx906", 1)]
    assert [(one.kind, one.where) for one in found.faults] == [
        ("unknown-form", "lib/libtest.so#0 for gfx900: ELF header"),
        ("unknown-form", "lib/libtest.so#0 for gfx906: ELF header"),
        ("unknown-form", "bin/testapp#0 for gfx900: ELF header"),
    ]


def test_code_for_another_target_than_the_table_says() -> None:
    (fault,) = read(kpack([("lib/a.so#0", "gfx1151", code_object("gfx1100"))])).faults
    assert fault.where == "lib/a.so#0 for gfx1151"
    assert fault.detail == "the table has it for gfx1151, it is for gfx1100"


def test_a_triple_before_the_target() -> None:
    data = kpack([("lib/a.so#0", "amdgcn-amd-amdhsa--gfx1151", code_object("gfx1151"))])
    assert targets(read(data)) == [("gfx1151", 1)]
    assert not read(data).faults


def test_the_packer_of_hipdnn_pads_nothing() -> None:
    data = kpack(STRIX, scheme="none", pad=False, more={"variant_specs": {"a": {"spec": [1.5, None, True, -7]}}})
    assert targets(read(data)) == targets(read(kpack(STRIX)))


def test_frames_in_another_place() -> None:
    data = bytearray(kpack(STRIX))
    (start,) = struct.unpack_from("<Q", data, 8)
    table = msgspec.msgpack.decode(bytes(data[start:]))
    moved = data[:64] + bytes(512) + data[64:start]
    struct.pack_into("<Q", moved, 8, start + 512)
    moved += pack({**table, "zstd_offset": 64 + 512})
    assert read(bytes(moved)) == read(bytes(data))
    by = passing(bytes(moved))
    assert targets(by) == targets(read(bytes(data)))
    assert by.faults[0].kind == "unknown-form"


def test_odd_archives() -> None:
    assert read(b"").faults[0].where == "header"
    assert read(b"KPAK" + bytes(8)).faults[0].kind == "damaged"
    assert read(b"KPAK" + struct.pack("<IQ", 2, 64) + bytes(90)).faults[0].kind == "unknown-form"
    assert read(b"KPAK" + struct.pack("<IQ", 1, 1 << 60) + bytes(90)).faults[0].where == "header"
    assert read(kpack(STRIX)[:-3]).faults[0].where == "table"
    assert read(kpack([])).code == ()
    unknown = read(kpack(STRIX, scheme="none", more={"compression_scheme": "lz4"}))
    assert {one.kind for one in unknown.faults} == {"unknown-form"}
    assert targets(unknown) == targets(read(kpack(STRIX)))


def test_a_frame_that_is_damaged_is_said_and_the_others_stand() -> None:
    data = bytearray(kpack(STRIX))
    (size,) = struct.unpack_from("<I", data, 68)
    data[72 + size - 40 : 72 + size - 20] = b"\xff" * 20
    found = read(bytes(data))
    assert targets(found) == [("gfx1100", 1), ("gfx1151", 1), ("gfx1151", 1), ("gfx90a:xnack-", 1)]
    assert [one.where for one in found.faults if one.kind == "damaged"] == ["lib/libfoo.so#0 for gfx1151: frame"]


def test_a_bomb_is_not_unpacked() -> None:
    bomb = code_object("gfx1151") + bytes(1 << 28)
    found = read(kpack([(f"lib/a.so#{at}", "gfx1151", bomb) for at in range(2)]))
    assert targets(found) == [("gfx1151", 2)]
    assert not found.faults


MARKER = {"kpack_search_paths": ["../.kpack/blas_lib_@GFXARCH@.kpack"], "kernel_name": "lib/librocblas.so.5"}


def elf_of(data: bytes) -> Elf:
    elf = read_elf(Held(data))
    assert isinstance(elf, Elf)
    return elf


def test_the_marker_of_a_host_binary() -> None:
    data = host_elf({".text": b"\xc3", ".rocm_kpack_ref": pack(MARKER)})
    marker = marker_of(Held(data), elf_of(data))
    assert marker == Marker(kernel_name="lib/librocblas.so.5", paths=("../.kpack/blas_lib_@GFXARCH@.kpack",))
    assert reference_of(Held(data), elf_of(data)) == "../.kpack/blas_lib_@GFXARCH@.kpack"


def test_a_host_binary_without_marker() -> None:
    data = host_elf({".text": b"\xc3"})
    assert marker_of(Held(data), elf_of(data)) is None
    assert reference_of(Held(data), elf_of(data)) is None


def test_several_archives_in_one_marker() -> None:
    data = host_elf({".rocm_kpack_ref": pack({**MARKER, "kpack_search_paths": ["a.kpack", "b.kpack"]}) + bytes(100)})
    assert reference_of(Held(data), elf_of(data)) == "a.kpack:b.kpack"


@pytest.mark.parametrize(
    "data",
    [b"", b"\x82", pack([1, 2]), pack({"kernel_name": "x"}), pack({**MARKER, "kpack_search_paths": []}),
     pack({**MARKER, "kpack_search_paths": "one"}), pack({**MARKER, "kernel_name": 7}), pack(MARKER)[:-1], b"\xc1"],
)  # fmt: skip
def test_markers_that_cannot_be_read(data: bytes) -> None:
    marker = read_marker(data)
    assert isinstance(marker, Fault)
    assert marker.kind == "damaged"


Value = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.text(max_size=40)
    | st.binary(max_size=40),
    lambda inner: st.lists(inner, max_size=20) | st.dictionaries(st.text(max_size=8), inner, max_size=20),
    max_leaves=30,
)


@settings(max_examples=150, deadline=None)
@given(Value)
def test_skip_passes_over_whatever_msgspec_writes(value: object) -> None:
    data = pack([value, 123456789])
    values = Values(data)
    assert values.array() == 2
    values.skip()
    assert values.number() == 123456789
    with pytest.raises(MalformedError):
        values.skip()


@settings(max_examples=60, deadline=None)
@given(Value, st.data())
def test_what_is_cut_off_is_malformed(value: object, data: st.DataObject) -> None:
    written = pack(value)
    values = Values(written[: data.draw(st.integers(0, len(written) - 1))])
    with pytest.raises(MalformedError):
        values.skip()


def test_depth_and_counts_cost_nothing() -> None:
    Values(b"\x91" * 100_000 + b"\xc0").skip()
    with pytest.raises(MalformedError):
        Values(b"\xdd\xff\xff\xff\xff" + bytes(100)).skip()
    with pytest.raises(MalformedError):
        Values(b"\xdf\x7f\xff\xff\xff" + bytes(100)).map()
