"""What files need beside their GPU code, and what contradicts."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstlight.binaries.built_for import built_for
from firstlight.binaries.installed import installed
from firstlight.binaries.loading import Loading, Machine, Needed, loading
from firstlight.binaries.model import Report
from firstlight.binaries.python_tags import asks, serves
from firstlight.binaries.targets import order, ordered, packed, target_of
from firstlight.knowledge.libraries import debian_package, known_library, number_of, stem_of

from . import made

GOOD = Machine(arch="x86_64", glibc="2.36", glibcxx="3.4.30", pythons=("3.11", "3.13"), driver="580.65.06")


def needed(found: Loading, name: str) -> Needed:
    return next(one for one in found.libraries if one.name == name)


def problems(*reports: Report, machine: Machine | None = GOOD) -> list[tuple[str, bool]]:
    return [(one.kind, one.stops) for one in loading(reports, machine).problems]


@pytest.mark.parametrize(
    ("name", "origin", "where"),
    [
        ("libcublas.so.13", "package", ("nvidia-cublas",)),
        ("libcudart.so.13", "package", ("nvidia-cuda-runtime",)),
        ("libnvshmem_host.so.3", "package", ("nvidia-nvshmem-cu13",)),
        ("libcuda.so.1", "driver", ()),
        ("libc.so.6", "system", ()),
        ("libgomp.so.1", "system", ()),
        ("libc10.so", "same", ("torch/lib/libc10.so",)),
        ("libtorch_cuda.so", "same", ("torch/lib/libtorch_cuda.so",)),
    ],
)
def test_where_libraries_come_from(name: str, origin: str, where: tuple[str, ...]) -> None:
    found = needed(loading((made.TORCH_CUDA,)), name)
    assert (found.origin, found.where) == (origin, where)
    assert found.by[0].startswith("torch/lib/")


def test_another_file_may_bring_it() -> None:
    found = needed(loading((made.TORCH_CUDA, made.CUBLAS)), "libcublas.so.13")
    assert (found.origin, found.where) == ("other", ("nvidia/cu13/lib/libcublas.so.13",))


def test_of_a_debian_package_by_debian_packages() -> None:
    found = needed(loading((made.DEB,)), "libamdhip64.so.5")
    assert (found.origin, found.where) == ("package", ("libamdhip64-5",))


def test_what_is_not_known_is_said_so() -> None:
    odd = Report(
        path="a.so", kind="file", pieces=(made.elf("a.so", libraries=("libfoo.so.3", "libpython3.11.so.1.0")),)
    )
    assert needed(loading((odd,)), "libfoo.so.3").origin == "unknown"
    assert needed(loading((odd,)), "libpython3.11.so.1.0").origin == "python"


def test_what_is_asked_for() -> None:
    found = loading((made.TORCH_CUDA, made.DEB))
    assert (found.glibc, found.glibcxx, found.machines) == ("2.38", "3.4.22", ("x86_64",))
    assert found.pythons == ("3.11",)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, []),
        ({"arch": "aarch64"}, [("machine", True)]),
        ({"glibc": "2.17"}, [("glibc", True)]),
        ({"glibcxx": "3.4.19"}, [("libstdc++", True)]),
        ({"pythons": ("3.12",)}, [("python", False)]),
        ({"driver": "535.54.03"}, [("driver", True)]),
        ({"glibc": None, "glibcxx": None, "arch": None, "pythons": (), "driver": None}, []),
    ],
)
def test_against_a_machine(change: dict[str, object], expected: list[tuple[str, bool]]) -> None:
    assert problems(made.TORCH_CUDA, machine=msgspec.structs.replace(GOOD, **change)) == expected
    assert problems(made.TORCH_CUDA, machine=None) == []


def test_a_wheel_for_musl() -> None:
    wheel = Report(path="a.whl", kind="wheel", python=("cp311-cp311-musllinux_1_2_x86_64",), pieces=())
    assert problems(wheel) == [("glibc", True)]
    assert problems(wheel, machine=msgspec.structs.replace(GOOD, glibc="musl")) == []


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("torch 2.14.1+cu130", "torchvision 0.29.1+cu128", ["cuda-versions"]),
        ("torch 2.14.1+cu130", "torchvision 0.29.1+cu130", []),
        ("torch 2.14.1+cu130", "nvidia-cudnn-cu13 9.28", []),
        ("torch 2.14.1+cu130", "nvidia-cudnn-cu12 9.28", ["cuda-versions"]),
        ("torch 2.13.0+rocm7.2", "torchvision 0.28.0+rocm7.1", ["rocm-versions"]),
        ("torch 2.13.0+rocm7.2", "jax-rocm7-plugin 0.10.2", []),
        ("torch 2.13.0+rocm7.2", "cupy-rocm-6-4 14.2", ["rocm-versions"]),
    ],
)
def test_wheels_that_disagree(first: str, second: str, expected: list[str]) -> None:
    reports = [Report(path=one.split()[0], kind="wheel", distribution=one, pieces=()) for one in (first, second)]
    assert [kind for kind, _ in problems(*reports, machine=None)] == expected


@pytest.mark.parametrize(
    ("torch", "beside", "expected"),
    [
        ("torch 2.14.1+cu130", ("torchvision 0.29.1+cu130", "nvidia-cuda-runtime 13.5.37"), []),
        ("torch 2.14.1+cu130", ("torchvision 0.29.1+cu128",), ["cuda-versions"]),
        ("torch 2.14.1+cu130", ("nvidia-cublas-cu12 12.9.1", "nvidia-nccl-cu13 2.3"), ["cuda-versions"]),
        ("torch 2.14.0+rocm10.1.0", ("rocm-sdk-core 10.1.0", "triton 3.8.0"), []),
        ("torch 2.14.0+rocm10.1.0", ("amd-torch-device-gfx1151 2.14.0+rocm10.0.0",), ["rocm-versions"]),
    ],
)
def test_distributions_of_one_environment(torch: str, beside: tuple[str, ...], expected: list[str]) -> None:
    report = Report(path=".venv", kind="environment", distribution=torch, beside=(*beside, torch), pieces=())
    assert [kind for kind, _ in problems(report, machine=None)] == expected


def test_installed_distributions(tmp_path: Path) -> None:
    for name in (
        "torch-2.14.1+cu130.dist-info",
        "nvidia_cublas_cu12-12.9.dist-info",
        "numpy-2.0.dist-info",
        "torch",
        "x",
    ):
        (tmp_path / name).mkdir()
    assert installed(str(tmp_path)) == ("nvidia-cublas-cu12 12.9", "torch 2.14.1+cu130")
    assert installed(str(tmp_path / "gone")) == ()


def test_vendors_that_do_not_mix() -> None:
    assert problems(made.TORCH_ROCM, made.CUBLAS, machine=None) == [("vendors", False)]
    assert problems(made.TORCH_ROCM, made.DEB, machine=None) == [("rocm-versions", False)]


def test_a_library_of_another_number() -> None:
    old = msgspec.structs.replace(made.CUBLAS, pieces=(made.elf("libcublas.so.12", soname="libcublas.so.12"),))
    found = loading((made.TORCH_CUDA, old)).problems
    mine = [one for one in found if one.kind == "library-version"]
    assert [one.subject for one in mine] == ["torch/lib/libtorch_cuda.so"]
    assert "libcublas.so.12" in mine[0].text.en


@pytest.mark.parametrize(
    ("distribution", "libraries", "cuda", "rocm"),
    [
        ("torch 2.14.1+cu130", (), "13.0", None),
        ("torch 1.13.1+cu117", (), "11.7", None),
        ("torch 2.13.0+rocm7.2", (), None, "7.2"),
        ("torch 2.12.0+rocm7.14.0", (), None, "7.14.0"),
        ("torch 2.14.0+rocm10.2.0a20260918", (), None, "10.2.0"),
        ("torch 2.14.1", ("libcudart.so.13",), "13", None),
        ("torch 2.14.1", ("libcudart.so.13", "libcudart.so.12"), None, None),
        ("nvidia-cuda-runtime 13.5.37", (), "13.5", None),
        ("nvidia-cuda-runtime-cu12 12.9.79", (), "12.9", None),
        ("nvidia-cublas-cu12 12.9.1", (), "12", None),
        ("cupy-cuda12x 14.2.0", (), "12", None),
        ("nvidia_cuda_nvrtc 13.5.37", (), "13.5", None),
        ("cupy-rocm-7-0 14.2.0", (), None, "7.0"),
        ("nvidia-dali-cuda130 2.4.0", (), "13.0", None),
        ("rocm-sdk-core 10.1.0", (), None, "10.1.0"),
        ("librocblas0 5.5.1", ("libamdhip64.so.5",), None, "5"),
        (None, ("libamdhip64.so.9",), None, None),
        ("cuda-python 13.0", (), None, None),
        ("", (), None, None),
    ],
)
def test_built_for(distribution: str | None, libraries: tuple[str, ...], cuda: str | None, rocm: str | None) -> None:
    report = Report(path="x", kind="wheel", distribution=distribution, pieces=(made.elf("a.so", libraries=libraries),))
    found = built_for(report)
    assert (found.cuda, found.rocm) == (cuda, rocm)


@pytest.mark.parametrize(
    ("tags", "pythons", "machines", "glibc"),
    [
        (("cp311-cp311-manylinux_2_28_x86_64",), ("3.11",), ("x86_64",), "2.28"),
        (("cp39.cp310-abi3-manylinux2014_aarch64",), ("3.9+", "3.10+"), ("aarch64",), "2.17"),
        (("py3-none-any",), (), (), None),
        (("py3-none-manylinux1_x86_64.manylinux_2_5_x86_64",), (), ("x86_64",), "2.5"),
        (("cp313-cp313t-linux_x86_64",), ("3.13",), ("x86_64",), None),
        (("cp311-cp311-musllinux_1_2_x86_64",), ("3.11",), ("x86_64",), None),
        (("rubbish", "", "--", "cp-x-y", "cp99999-none-any"), (), (), None),
        ((), (), (), None),
    ],
)
def test_tags(tags: tuple[str, ...], pythons: tuple[str, ...], machines: tuple[str, ...], glibc: str | None) -> None:
    found = asks(tags)
    assert (found.pythons, found.machines, found.glibc) == (pythons, machines, glibc)


@pytest.mark.parametrize(
    ("file", "cuda", "names"),
    [
        ("libcublas.so.11", None, ("nvidia-cublas-cu11",)),
        ("libcublas.so.12", "13.0", ("nvidia-cublas-cu12",)),
        ("libcufft.so.11", None, ("nvidia-cufft-cu12",)),
        ("libcusparse.so.12", "13.0", ("nvidia-cusparse",)),
        ("libcusparse.so.12", None, ("nvidia-cusparse-cu12", "nvidia-cusparse")),
        ("libcudnn.so.9", "12", ("nvidia-cudnn-cu12",)),
        ("librocblas.so.5", None, ("rocm-sdk-libraries",)),
        ("libcublas.so.14", None, ("nvidia-cublas-cu11", "nvidia-cublas-cu12", "nvidia-cublas")),
        ("libc10.so", "13", ("torch",)),
    ],
)
def test_which_distribution_brings_it(file: str, cuda: str | None, names: tuple[str, ...]) -> None:
    known = known_library(file)
    assert known is not None
    assert known.distributions(number_of(file), cuda) == names


def test_which_python_serves() -> None:
    assert serves("3.9+", "3.11")
    assert serves("3.11", "3.11.2")
    assert not serves("3.9+", "3.8")
    assert not serves("3.11", "3.12")


@pytest.mark.parametrize(
    ("word", "target"),
    [
        ("gfx1151", "gfx1151"),
        ("GFX90A:xnack-", "gfx90a:xnack-"),
        ("gfx90a:xnack-:sramecc+", "gfx90a:sramecc+:xnack-"),
        ("sm_121", "sm_121"),
        ("sm_90a", "sm_90a"),
        ("gfx11-generic", None),
        ("compute_90", None),
        ("gfx", None),
        ("gfx90a:lightning+", None),
        ("sm_9", None),
        ("sm_90:xnack+", None),
        ("sm90", None),
        ("", None),
        ("gfx" + "1" * 900, None),
        ("gfx９0a", None),
    ],
)
def test_names_of_targets(word: str, target: str | None) -> None:
    assert target_of(word) == target


def test_targets_are_told_shortly() -> None:
    names = ("sm_90", "sm_100a", "compute_90", "gfx1030", "gfx90a", "gfx908", "gfx11-generic", "gfx90a:xnack+", "sm_90")
    assert packed(names) == "gfx908 90a 90a:xnack+ 1030, gfx11-generic, sm_90 100a, compute_90"
    assert packed(names, 3) == "gfx908…gfx1030 (4), gfx11-generic, sm_90 100a, compute_90"
    assert packed(()) == ""


@given(st.lists(st.text(max_size=12)))
def test_any_name_has_its_place(names: list[str]) -> None:
    assert list(ordered(names)) == sorted(set(names), key=order)
    packed(names, 2)


def test_names_of_libraries() -> None:
    known = known_library("torch.libs/libcudart-d0da41ae.so.11.0")
    assert known is not None
    assert known.title == "CUDA runtime"
    assert known_library("torchvision.libs/libnvjpeg.36e11081.so.13") == known_library("libnvjpeg.so.13") is not None
    assert debian_package("libcublasLt.so.12") == "libcublaslt12"
    assert debian_package("librocblas.so.9") is None
    assert (stem_of("/a/libMIOpen.so.1.0"), number_of("/a/libMIOpen.so.1.0"), number_of("libx.so")) == (
        "libMIOpen",
        "1",
        None,
    )


@given(st.text(max_size=40))
def test_any_file_name_is_taken(name: str) -> None:
    known_library(name)
    debian_package(name)
    asks((name,))
    target_of(name)
