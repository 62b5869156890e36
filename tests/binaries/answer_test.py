"""Verdicts: library by library, and as a whole."""

from __future__ import annotations

import time

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstlight.binaries.answer import Answer, Asked, Judged, answer
from firstlight.binaries.libraries import libraries
from firstlight.binaries.model import Fault, Piece, Report
from firstlight.knowledge.builds import runs_on

from . import made


def on(target: str, *reports: Report, driver: str | None = None) -> Answer:
    return answer(reports, Asked(target=target, driver=driver))


def of(found: Answer, path: str) -> Judged:
    return next(one for one in found.libraries if one.library.path.endswith(path))


@pytest.mark.parametrize(
    ("reports", "target", "verdict"),
    [
        ((made.TORCH_CUDA,), "sm_80", "native"),
        ((made.TORCH_CUDA,), "sm_89", "native"),
        ((made.TORCH_CUDA,), "sm_90", "jit"),
        ((made.TORCH_CUDA,), "sm_121", "jit"),
        ((made.TORCH_CUDA,), "sm_70", "no"),
        ((made.TORCH_CUDA,), "gfx1151", "no"),
        ((made.CUBLAS,), "sm_121", "native"),
        ((made.CUBLAS,), "sm_130", "no"),
        ((made.TORCH_ROCM,), "gfx1151", "native"),
        ((made.TORCH_ROCM,), "gfx1100", "native"),
        ((made.TORCH_ROCM,), "gfx1103", "no"),
        ((made.TORCH_ROCM,), "gfx1200", "no"),
        ((made.TORCH_ROCM,), "sm_90", "no"),
        ((made.TORCH_AMD,), "gfx1151", "no"),
        ((made.TORCH_AMD, made.TORCH_DEVICE), "gfx1151", "native"),
        ((made.TORCH_AMD, made.TORCH_DEVICE), "gfx1100", "no"),
        ((made.DEB,), "gfx1100", "native"),
        ((made.DEB,), "gfx1151", "no"),
        ((made.CPU,), "gfx1151", "no"),
        ((made.DAMAGED,), "gfx1151", "unknown"),
        ((made.DAMAGED, made.DEB), "gfx1151", "no"),
        ((made.DAMAGED, made.DEB), "gfx1100", "unknown"),
        ((), "gfx1151", "no"),
    ],
)
def test_the_whole(reports: tuple[Report, ...], target: str, verdict: str) -> None:
    assert on(target, *reports).verdict == verdict


def test_one_library_stands_in_the_way() -> None:
    found = on("gfx1103", made.TORCH_ROCM)
    assert of(found, "libtorch_hip.so").verdict == "native"
    rocblas = of(found, "rocblas/library")
    assert rocblas.verdict == "no"
    assert rocblas.library.title == "rocBLAS"
    assert rocblas.library.files == len(made.ROCM_TARGETS)
    assert "rocblas/library" in found.why.en
    assert "gfx900 906 908 90a 942 1030" in rocblas.why.en


def test_what_can_be_done_without_does_not_count() -> None:
    found = on("gfx1100", made.TORCH_ROCM)
    spared = {one.library.title for one in found.lacking}
    assert spared == {"hipBLASLt", "AOTriton", "MIOpen databases"}
    assert not any(one.counts for one in found.lacking)
    assert "rocBLAS instead" in of(found, "hipblaslt/library").why.en


def test_what_is_optional_counts_where_it_is_all() -> None:
    alone = msgspec.structs.replace(made.DEB, pieces=(made.elf("usr/lib/librccl.so.1", "gfx1100"),))
    assert on("gfx1151", alone).verdict == "no"
    assert on("gfx1100", alone).verdict == "native"


def test_code_for_one_chip_is_asked_for_by_nobody_else() -> None:
    found = on("sm_80", made.TORCH_CUDA)
    assert of(found, "libflash.so").verdict == "no"
    assert not of(found, "libflash.so").counts
    only = msgspec.structs.replace(made.TORCH_CUDA, pieces=(made.elf("libflash.so", "sm_90a"),))
    assert on("sm_80", only).verdict == "no"
    assert on("sm_90", only).verdict == "native"


@pytest.mark.parametrize(
    ("driver", "verdict"), [(None, "jit"), ("580.65.06", "jit"), ("590.1", "jit"), ("575.57.08", "no")]
)
def test_just_in_time_needs_a_driver(driver: str | None, verdict: str) -> None:
    found = on("sm_121", made.TORCH_CUDA, driver=driver)
    assert found.verdict == verdict
    assert found.driver == "580.65.06"
    assert "580.65.06" in found.why.en


def test_the_isa_version_of_ptx_decides_before_the_name() -> None:
    codes = tuple(msgspec.structs.replace(one, ptx_isa="8.7") for one in made.codes("compute_90"))
    piece = msgspec.structs.replace(made.elf("a.so"), code=codes)
    found = on("sm_100", msgspec.structs.replace(made.TORCH_CUDA, pieces=(piece,)))
    assert (found.verdict, found.driver) == ("jit", "570.26")


@pytest.mark.parametrize(("isa", "driver", "sure"), [("9.0", "580.65.06", True), ("9.5", "595.45.04", False)])
def test_a_toolkit_that_is_not_listed_gives_a_bound(isa: str, driver: str, sure: bool) -> None:  # noqa: FBT001
    codes = tuple(msgspec.structs.replace(one, ptx_isa=isa) for one in made.codes("compute_90"))
    report = Report(path="a.so", kind="file", pieces=(msgspec.structs.replace(made.elf("a.so"), code=codes),))
    assert on("sm_100", report).driver == driver
    assert ("from" in on("sm_100", report).why.en) is sure
    assert on("sm_100", report, driver="560").verdict == "no"


def test_without_any_version_the_driver_is_not_known() -> None:
    report = Report(path="a.so", kind="file", pieces=(made.elf("a.so", "compute_80"),))
    found = on("sm_90", report, driver="400")
    assert (found.verdict, found.driver) == ("jit", None)


@pytest.mark.parametrize(
    ("held", "target", "verdict"),
    [
        (("gfx11-generic",), "gfx1151", "generic"),
        (("gfx11-generic", "gfx1151"), "gfx1151", "native"),
        (("gfx90a:xnack+",), "gfx90a:xnack-", "no"),
        (("gfx90a:xnack+",), "gfx90a", "native"),
        (("sm_101",), "sm_110", "native"),
        (("sm_100f",), "sm_103", "native"),
        (("sm_100f",), "sm_120", "no"),
        (("compute_100f",), "sm_103", "jit"),
        (("compute_120a",), "sm_121", "no"),
    ],
)
def test_rules(held: tuple[str, ...], target: str, verdict: str) -> None:
    report = Report(path="a.so", kind="file", pieces=(made.elf("a.so", *held),))
    assert on(target, report).verdict == verdict


def test_a_generic_version_that_no_loader_takes() -> None:
    old = made.codes("gfx11-generic", generic_version=0)
    piece = msgspec.structs.replace(made.elf("a.so"), code=old)
    assert on("gfx1151", Report(path="a.so", kind="file", pieces=(piece,))).verdict == "no"


@pytest.mark.parametrize(
    ("held", "mode"),
    [
        (("gfx90a:xnack+",), True),
        (("gfx90a:xnack+", "gfx90a:xnack-"), False),
        (("gfx90a:xnack+", "gfx90a"), False),
        (("gfx90a",), False),
    ],
)
def test_a_mode_is_told(held: tuple[str, ...], mode: bool) -> None:  # noqa: FBT001
    found = on("gfx90a", Report(path="a.so", kind="file", pieces=(made.elf("a.so", *held),)))
    assert ("in that mode" in found.why.en) is mode


@pytest.mark.parametrize(
    ("report", "target", "package", "indices"),
    [
        (made.TORCH_AMD, "gfx1151", "amd-torch-device-gfx1151", ()),
        (made.TORCH_AMD, "gfx90c", None, ()),
        (msgspec.structs.replace(made.TORCH_AMD, distribution="Torch 2.14.0"), "gfx942", "amd-torch-device-gfx942", ()),
        (made.TORCH_ROCM, "gfx1103", None, ("amd-rocm10", "amd-rocm7.14")),
        (made.TORCH_ROCM, "gfx1200", None, ("amd-rocm10", "amd-rocm7.14", "pytorch-rocm7.14")),
        (made.TORCH_CUDA, "sm_70", None, ("pytorch-cu129", "pytorch-cu128", "pytorch-cu126")),
    ],
)
def test_what_would_bring_it(report: Report, target: str, package: str | None, indices: tuple[str, ...]) -> None:
    missing = next(one for one in on(target, report).lacking if one.counts).brings
    assert missing is not None
    assert (missing.package, missing.indices) == (package, indices)
    assert missing.text.en
    assert missing.text.zh


def test_torchs_own_list_says_nothing_of_a_library_that_differs_from_it() -> None:
    pieces = (made.elf("torch/lib/libtorch_cuda.so", "sm_75"), made.elf("torch/lib/libtorch_cuda_linalg.so", "sm_80"))
    missing = on("sm_75", msgspec.structs.replace(made.TORCH_CUDA, pieces=pieces)).lacking[0].brings
    assert missing is not None
    assert (missing.package, missing.indices) == (None, ())


def test_of_other_projects_no_index_is_known() -> None:
    cupy = msgspec.structs.replace(made.CUBLAS, distribution="cupy-cuda12x 14.2.0")
    assert on("sm_70", cupy).libraries[0].brings is None


def test_wheels_have_what_a_debian_package_lacks() -> None:
    missing = on("gfx1151", made.DEB).libraries[0].brings
    assert missing is not None
    assert missing.indices[0] == "amd-rocm10"


def test_a_library_of_cuda_12_has_a_sister() -> None:
    old = msgspec.structs.replace(
        made.CUBLAS, distribution="nvidia-cublas-cu12 12.9.1.4", pieces=(made.elf("libcublas.so.12", "sm_90"),)
    )
    missing = on("sm_121", old).libraries[0].brings
    assert missing is not None
    assert missing.package == "nvidia-cublas"


def test_libraries_of_the_sdk_have_device_wheels_of_their_own() -> None:
    sdk = msgspec.structs.replace(
        made.TORCH_AMD,
        distribution="rocm-sdk-libraries 10.1.0",
        pieces=(made.elf("_rocm_sdk_libraries/lib/librocblas.so.5", reference=".kpack/blas_lib_@GFXARCH@.kpack"),),
    )
    missing = on("gfx1151", sdk).libraries[0].brings
    assert missing is not None
    assert missing.package == "rocm-sdk-device-gfx1151"


def test_a_part_that_was_not_read_leaves_a_no_standing() -> None:
    fault = Fault(kind="damaged", where="torch/lib/x.so", detail="cut")
    cut = msgspec.structs.replace(made.DEB, faults=(fault,))
    assert on("gfx1100", cut).verdict == "unknown"
    assert on("gfx1151", cut).verdict == "no"


def test_a_folder_of_loose_files_is_one_library() -> None:
    pieces = (
        made.piece("hsa/gfx942/fmha.co", "code-object", "gfx942"),
        made.piece("hsa/gfx950/fmha.co", "code-object", "gfx950"),
        made.piece("one.hsaco", "code-object", "gfx942"),
        made.piece("kernels/add_sm_90.cubin", "cubin", "gfx942"),
    )
    held = libraries((Report(path="x", kind="folder", pieces=pieces),))
    assert [(one.path, one.files) for one in held] == [("hsa", 2), ("one.hsaco", 1), ("kernels", 1)]


@pytest.mark.parametrize(
    ("indices", "target", "verdict"),
    [
        ((), "gfx1101", "native"),
        (("TensileLibrary_lazy_gfx1100.dat",), "gfx1100", "native"),
        (("TensileLibrary_lazy_gfx1100.dat",), "gfx1101", "no"),
        (("TensileLibrary.dat",), "gfx1101", "native"),
        (("TensileLibrary_lazy_gfx1100.dat", "TensileLibrary_lazy_gfx1102.dat"), "gfx1102", "no"),
    ],
)
def test_matrix_kernels_need_their_index(indices: tuple[str, ...], target: str, verdict: str) -> None:
    folder = "lib/rocblas/library"
    kernels = [made.piece(f"{folder}/Kernels.so-000-{one}.hsaco", "tensile", one) for one in ("gfx1100", "gfx1101")]
    codes = [msgspec.structs.replace(one, code=made.codes(one.code[0].target)) for one in kernels]
    index = [made.piece(f"{folder}/{name}", "tensile", name[-11:-4].strip("._")) for name in indices]
    found = on(target, Report(path="x", kind="folder", pieces=(*codes, *index)))
    assert found.verdict == verdict
    assert len(found.libraries) == 1


def test_a_fault_of_what_the_loader_reads_says_nothing_of_gpu_code() -> None:
    fault = Fault(kind="damaged", where="dynamic section", detail="cut")
    odd = msgspec.structs.replace(made.elf("a.so"), faults=(fault,))
    assert libraries((Report(path="a.so", kind="file", pieces=(odd,)),)) == ()


def test_a_marker_may_name_several_archives() -> None:
    host = made.elf("torch/lib/a.so", reference="../.kpack/other_@GFXARCH@.kpack:../.kpack/torch_@GFXARCH@.kpack")
    torch = msgspec.structs.replace(made.TORCH_AMD, pieces=(host,))
    assert on("gfx1151", torch, made.TORCH_DEVICE).verdict == "native"


def test_of_variants_for_several_runtimes_one_is_enough() -> None:
    pieces = (
        made.elf("b/libb_cuda118.so", "sm_80", "compute_90"),
        made.elf("b/libb_cuda128.so", "sm_80", "sm_120"),
        made.elf("b/libb_rocm72.so", "gfx1100"),
        made.elf("b/libb_cuda_other.so", "sm_80", "sm_120"),
    )
    report = Report(path="b.whl", kind="wheel", pieces=pieces)
    assert on("sm_120", report).verdict == "native"
    assert {one.library.path for one in on("sm_120", report).libraries if not one.counts} == {"b/libb_cuda118.so"}
    assert on("sm_90", report).verdict == "no"
    assert on("gfx1100", report).verdict == "native"


def test_many_markers_and_archives_take_no_time() -> None:
    hosts = [made.elf(f"lib/{at}.so", reference=f".kpack/a{at}_@GFXARCH@.kpack") for at in range(4000)]
    archives = [made.piece(f".kpack/a{at}_gfx1151.kpack", "kpack", "gfx1151", form="code-object") for at in range(4000)]
    begun = time.process_time()
    found = on("gfx1151", Report(path="x", kind="folder", pieces=(*hosts, *archives)))
    assert time.process_time() - begun < 4
    assert of(found, "lib/255.so").verdict == "native"
    assert found.verdict == "no"  # more names than any ROCm has are not followed


NAMES = st.lists(
    st.sampled_from(["sm_80", "sm_90", "sm_90a", "sm_100f", "compute_70", "gfx942", "gfx11-generic", "gfx90a:xnack+"]),
    max_size=4,
)
RANK = {"no": 0, "jit": 1, "generic": 2, "native": 3}


@given(st.lists(NAMES, min_size=1, max_size=4), st.sampled_from(["sm_90", "sm_103", "gfx1151", "gfx90a"]))
def test_a_report_is_no_better_than_the_worst_of_what_counts(held: list[list[str]], target: str) -> None:
    pieces = tuple(made.elf(f"{at}.so", *names) for at, names in enumerate(held))
    found = on(target, Report(path="x", kind="folder", pieces=pieces))
    counted = [one.verdict for one in found.libraries if one.counts]
    assert found.verdict == min(counted, key=RANK.__getitem__, default="no")
    for one in found.libraries:
        mine = [code.target for code in one.library.code if (code.vendor == "amd") == target.startswith("gfx")]
        assert one.verdict == runs_on(mine, target)


@given(NAMES, NAMES)
def test_the_order_of_files_does_not_matter(some: list[str], more: list[str]) -> None:
    reports = [
        Report(path=name, kind="file", pieces=(made.elf(name, *held),)) for name, held in (("a", some), ("b", more))
    ]
    assert on("sm_90", *reports).verdict == on("sm_90", *reversed(reports)).verdict


CUFFT = Report(
    path="nvidia_cufft_cu12-11.4.1.4-py3-none-manylinux2014_x86_64.whl",
    kind="wheel",
    distribution="nvidia_cufft_cu12 11.4.1.4",
    pieces=(made.elf("nvidia/cufft/lib/libcufft.so.11", "sm_52"),),
)


@pytest.mark.parametrize("pieces", [CUFFT.pieces, (made.elf("nvidia/cu13/lib/libcufft.so.12"),), ()])
def test_a_library_that_lists_no_kernels_is_not_judged_by_what_it_lists(pieces: tuple[Piece, ...]) -> None:
    path = next((one.path for one in pieces), "nvidia/cu13/lib/libcufft.so.12")
    report = msgspec.structs.replace(CUFFT, pieces=pieces, unread=() if pieces else (path,))
    assert on("sm_90", report).verdict == "unknown"
    assert on("gfx1151", report).verdict == "no"
    beside = on("sm_80", made.TORCH_CUDA, report)
    assert beside.verdict == "native"
    found = of(beside, path)
    assert (found.verdict, found.counts) == ("unknown", False)
    assert on("sm_70", made.TORCH_CUDA, report).verdict == "no"


def test_what_such_a_library_does_list_counts() -> None:
    assert on("sm_52", CUFFT).verdict == "native"
