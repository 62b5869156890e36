from __future__ import annotations

import zlib

import pytest

from firstlight.binaries.forward import Forward
from firstlight.binaries.found import Found
from firstlight.binaries.named import spelled, target_named
from firstlight.binaries.source import Held
from firstlight.binaries.tensile import HELD, read, read_forward

from .archives_written import bundle, code_object, pack

ROCBLAS = "usr/lib/x86_64-linux-gnu/rocblas/4.4.1/library/"
HIPBLASLT = "torch/lib/hipblaslt/library/"


def hardware(*targets: str) -> bytes:
    """An index by hardware, as rocBLAS 6.4 has it; a row may have more than one condition."""
    rows = [
        {"predicate": {"type": "AMDGPU", "value": {"type": "And", "value": [{"type": "Processor", "value": one},
         {"type": "CUCount", "value": 104}]}}, "library": {"type": "ProblemMap", "map": {}}}
        for one in targets
    ]  # fmt: skip
    return pack({"solutions": [], "library": {"type": "Hardware", "rows": rows}})


def found_in(data: bytes, path: str) -> Found:
    found = read(Held(data), path)
    assert found is not None
    assert found.kind == "tensile"
    return found


def brief(found: Found) -> list[tuple[str, str, int]]:
    return [(one.target, one.form, one.count) for one in found.code]


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("TensileLibrary_gfx906.co", "gfx906"),
        ("Kernels.so-000-gfx90a-xnack-.hsaco", "gfx90a:xnack-"),
        ("Kernels.so-000-gfx1151.hsaco", "gfx1151"),
        ("TensileLibrary_Type_BB_HPA_Contraction_l_Ailk_Bjlk_Cijk_Dijk_CU104_gfx90a.dat", "gfx90a"),
        ("TensileLibrary_Type_HH_Contraction_fallback_gfx90a-xnack+.hsaco", "gfx90a:xnack+"),
        ("TensileLibrary_lazy_gfx1250-strict.dat.zlib", "gfx1250-strict"),
        ("TensileLiteLibrary_lazy_gfx1100_Mapping.dat", "gfx1100"),
        ("Kernels.so-000-gfx9-4-generic.hsaco", "gfx9-4-generic"),
        ("TensileLibrary_lazy_gfx11-generic.dat", "gfx11-generic"),
        ("extop_gfx90c.co", "gfx90c"),
        ("TensileLibrary_Type_SS_fallback.dat", None),
        ("gfx1151x.co", None),
        ("agfx1151.co", None),
    ],
)
def test_targets_in_names(name: str, target: str | None) -> None:
    assert target_named(name) == target


def test_spellings() -> None:
    assert spelled("gfx90a-sramecc+-xnack-") == "gfx90a:sramecc+:xnack-"
    assert spelled("amdgcn-amd-amdhsa--gfx90a:xnack+") == "gfx90a:xnack+"


def test_code_says_what_it_is_for() -> None:
    data = code_object("gfx90a:xnack-", wave=64, registers=200)
    (code,) = found_in(data, ROCBLAS + "Kernels.so-000-gfx90a-xnack-.hsaco").code
    assert (code.target, code.form, code.size, code.registers, code.wave) == (
        "gfx90a:xnack-", "code-object", len(data), 200, 64,
    )  # fmt: skip


def test_code_in_bundles() -> None:
    found = found_in(bundle(["gfx906", "gfx1151"]), HIPBLASLT + "hipblasltTransform.hsaco")
    assert brief(found) == [("gfx1151", "code-object", 1), ("gfx906", "code-object", 1)]
    found = found_in(bundle(["gfx1151"]), HIPBLASLT + "TensileLibrary_HH_gfx1151.co")
    assert not found.faults


@pytest.mark.parametrize("name", ["Kernels.so-000-gfx1151.hsaco", "gfx1151/TensileLibrary_HH.co"])
def test_a_file_that_was_renamed_for_another_chip(name: str) -> None:
    found = found_in(code_object("gfx1100"), ROCBLAS + name)
    assert brief(found) == [("gfx1100", "code-object", 1)]
    assert found.faults[0].detail == "its name says gfx1151, it is for gfx1100"


def test_the_other_mode_is_another_target() -> None:
    found = found_in(code_object("gfx90a:xnack+"), ROCBLAS + "Kernels.so-000-gfx90a-xnack-.hsaco")
    assert found.faults[0].detail == "its name says gfx90a:xnack-, it is for gfx90a:xnack+"


def test_a_folder_for_one_revision_is_for_that_alone() -> None:
    found = found_in(pack({"solutions": [], "library": {}}), HIPBLASLT + "gfx1250v0/TensileLibrary_lazy_gfx1250.dat")
    assert brief(found) == [("gfx1250v0", "library", 1)]
    code = found_in(code_object("gfx942"), HIPBLASLT + "gfx942v0/Kernels.so-000-gfx942.hsaco")
    assert brief(code) == [("gfx942v0", "code-object", 1)]


def test_an_index_for_one_target() -> None:
    data = hardware("gfx90a", "gfx90a")
    (code,) = found_in(data, ROCBLAS + "TensileLibrary_lazy_gfx90a.dat").code
    assert (code.target, code.form, code.size) == ("gfx90a", "library", len(data))
    assert not found_in(data, ROCBLAS + "TensileLibrary_lazy_gfx90a.dat").faults
    packed = found_in(zlib.compress(data), HIPBLASLT + "gfx90a/TensileLibrary_lazy_gfx90a.dat.zlib")
    assert brief(packed) == [("gfx90a", "library", 1)]


def test_an_index_that_was_renamed() -> None:
    (fault,) = found_in(hardware("gfx1100"), ROCBLAS + "TensileLibrary_lazy_gfx1103.dat").faults
    assert fault.detail == "its name says gfx1103, it is for gfx1100"
    (fault,) = found_in(zlib.compress(hardware("gfx1100")), ROCBLAS + "TensileLibrary_lazy_gfx1103.dat.zlib").faults
    assert fault.detail == "its name says gfx1103, it is for gfx1100"


def test_an_index_for_all_targets_at_once() -> None:
    found = found_in(hardware("gfx906", "gfx90a", "gfx1030"), ROCBLAS + "TensileLibrary.dat")
    assert [one.target for one in found.code] == ["gfx1030", "gfx906", "gfx90a"]


def test_an_index_that_is_too_large_to_be_held() -> None:
    row = pack({"type": "Processor", "value": "gfx1151"})
    data = b"\x82\xa9solutions\xc6" + HELD.to_bytes(4, "big") + bytes(HELD - 30) + row + bytes(30)
    assert brief(found_in(data, ROCBLAS + "TensileLibrary.dat")) == [("gfx1151", "library", 1)]


def test_an_index_as_text() -> None:
    text = b"library:\n  rows:\n  - predicate:\n      type: AMDGPU\n      value: {type: Processor, value: gfx906}\n"
    text += b"  - predicate:\n      value:\n        type: Processor\n        value: gfx90a\n"
    found = found_in(text, "build/library/TensileLibrary.yaml")
    assert [one.target for one in found.code] == ["gfx906", "gfx90a"]


def test_an_index_for_every_target_names_none() -> None:
    found = found_in(pack({"solutions": [], "library": {}}), ROCBLAS + "TensileLibrary_Type_SS_fallback.dat")
    assert (found.code, found.faults) == ((), ())


def test_lists_of_files() -> None:
    files = {0: "TensileLibrary_HH_gfx1100", 5: "TensileLibrary_SS_gfx1100", 9: "TensileLibrary_SS_gfx90a"}
    found = found_in(pack(files), HIPBLASLT + "TensileLiteLibrary_lazy_Mapping.dat")
    assert brief(found) == [("gfx1100", "library", 2), ("gfx90a", "library", 1)]
    found = found_in(pack({"gfx908": {"AMax": {"S": [1]}}, "gfx1151": {}}), HIPBLASLT + "hipblasltExtOpLibrary.dat")
    assert brief(found) == [("gfx1151", "library", 1), ("gfx908", "library", 1)]
    found = found_in(pack({}), HIPBLASLT + "gfx942/hipblasltExtOpLibrary_gfx942.dat")
    assert brief(found) == [("gfx942", "library", 1)]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("Kernels.so-000-gfx906.hsaco", b"version https://git-lfs.github.com/spec/v1\n"),
        ("Kernels.so-000-gfx906.hsaco", b""),
        ("TensileLibrary_lazy_gfx906.dat", b""),
        ("TensileLibrary_lazy_gfx906.dat", hardware("gfx906")[:-4]),
        ("TensileLibrary_SS_gfx906.dat", b"<html>"),
        ("TensileLibrary_lazy_gfx906.dat.zlib", b"\x78\x9cnothing"),
        ("TensileLiteLibrary_lazy_Mapping.dat", pack({1: "a", 2: "b"})[:-1]),
    ],
)
def test_damaged_files_serve_nobody(name: str, data: bytes) -> None:
    found = found_in(data, ROCBLAS + name)
    assert found.code == ()
    assert [one.kind for one in found.faults] == ["damaged"]


@pytest.mark.parametrize("path", ["lib/librocblas.so.4", "a/b.dat", "notes/gfx906.txt", "x/library/gfx906/a.co"])
def test_other_files_are_none_of_these(path: str) -> None:
    assert read(Held(code_object("gfx906")), path) is None


def test_files_that_pass_by() -> None:
    def passing(data: bytes, path: str) -> Found | None:
        return read_forward(Forward(data[at : at + 77] for at in range(0, len(data), 77)), path, len(data))

    for data, name in [
        (hardware("gfx90a"), "TensileLibrary.dat"),
        (zlib.compress(hardware("gfx906")), "TensileLibrary_lazy_gfx906.dat.zlib"),
        (bundle(["gfx1151"]), "TensileLibrary_HH_gfx1151.co"),
    ]:
        assert passing(data, ROCBLAS + name) == found_in(data, ROCBLAS + name)
    assert passing(code_object("gfx906"), ROCBLAS + "TensileLibrary_gfx906.co") is None
    assert passing(b"", "other.txt") is None
