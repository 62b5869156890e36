"""What is wanted decides: ranges of torch, builds by their local version, packages that bring their own torch,
backends, policies, routes by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from firstlight.project.settings import Flags

from .expectations import ALL_CUDA, ALL_ROCM, AMD
from .held_machines import HELD
from .held_planning import planned_for
from .planning import chosen_of, kinds, route_of, versions
from .server import Vendors

HALO = "halo-6.18.4"


@pytest.mark.parametrize(
    ("machine", "wanted", "chosen"),
    [
        (HALO, "==2.9.1", None),  # PyTorch's wheels of that torch have no code for it, AMD's begin with 2.10
        (HALO, ">=2.13,<2.14", ("amd-rocm10", "2.13.0+rocm10.1.0")),
        (HALO, "~=2.10.0", ("amd-rocm7.14", "2.10.0+rocm7.14.1")),
        (HALO, "==2.14.0+rocm10.1.0", ("amd-rocm10", "2.14.0+rocm10.1.0")),
        (HALO, "==2.14.1+cu126", None),
        ("gfx1030", "==2.9.1", ("pytorch-rocm6.3", "2.9.1+rocm6.3")),
        ("gfx900", ">=2.13,<2.14", ("pytorch-rocm7.2", "2.13.0+rocm7.2")),
        ("gfx900", "~=2.10.0", ("pytorch-rocm7.0", "2.10.0+rocm7.0")),
        ("gfx1010", "==2.9.1", None),
        ("sm_89-590", "==2.9.1", ("pytorch-cu126", "2.9.1+cu126")),
        ("sm_89-590", "==2.14.1+cu126", ("pytorch-cu126", "2.14.1+cu126")),
        ("sm_89-590", "==2.15.0", ("pypi", "2.15.0")),
        ("sm_89-535", "==2.15.0", None),
        ("sm_100-570", "==2.9.1", ("pytorch-cu128", "2.9.1+cu128")),
        ("sm_120-590", "~=2.10.0", ("pytorch-cu128", "2.10.0+cu128")),
        ("sm_61-580", "==2.14.0", ("pytorch-cu126", "2.14.0+cu126")),
        ("glibc-2.31", ">=2.13,<2.14", ("pytorch-cpu", "2.13.0+cpu")),
        ("glibc-2.31", "==2.14.1+cu126", None),
    ],
)
def test_the_wanted_torch_decides(
    machine: str, wanted: str, chosen: tuple[str, str] | None, tmp_path: Path, vendors: Vendors
) -> None:
    found = planned_for(HELD[machine], tmp_path, vendors, flags=Flags(torch=wanted))
    picked = (found.chosen, chosen_of(found).versions["torch"]) if found.chosen else None
    if chosen is None or picked is None:
        assert picked == chosen, found.why
        return
    equal = [one for one in found.routes if one.verdict == "works" and one.tier == chosen_of(found).tier]
    assert picked[1].partition("+")[0] == chosen[1].partition("+")[0]
    assert chosen in [(one.name, one.versions["torch"]) for one in equal] or picked == ("pypi-cuda", chosen[1])


def test_of_two_routes_of_equal_tier_and_torch_the_smaller_one_is_taken(tmp_path: Path, vendors: Vendors) -> None:
    found = planned_for(HELD["gfx1030"], tmp_path, vendors, flags=Flags(torch="==2.9.1"))
    sizes = {name: route_of(found, name).download_bytes or 0 for name in ("pytorch-rocm6.3", "pytorch-rocm6.4")}
    assert found.chosen in [name for name, size in sizes.items() if size == min(sizes.values())]
    assert kinds(route_of(found, "amd-rocm10"))[0] == kinds(route_of(found, "pytorch-rocm7.2"))[0] == "no-version"


@pytest.mark.parametrize(
    ("machine", "torch", "vision"),
    [
        (HALO, "2.13.0+rocm10.1.0", "0.28.0+rocm10.1.0"),
        ("gfx1010", "2.13.0+rocm10.1.0", "0.28.0+rocm10.1.0"),
        ("gfx900", "2.13.0+rocm7.1", "0.28.0+rocm7.1"),  # 7.2 has it too, and is as good but for the size
        ("sm_89-535", "2.13.0+cu126", "0.28.0+cu126"),
        ("sm_100-570", "2.13.0+cu129", "0.28.0+cu129"),
        ("glibc-2.31", "2.13.0+cpu", "0.28.0+cpu"),
    ],
)
def test_a_wanted_vision_brings_the_torch_that_belongs_to_it(
    machine: str, torch: str, vision: str, tmp_path: Path, vendors: Vendors
) -> None:
    found = planned_for(HELD[machine], tmp_path, vendors, flags=Flags(packages=("torchvision==0.28.*",)))
    have = versions(chosen_of(found))
    assert (have["torch"], have["torchvision"]) == (torch, vision)
    devices = {name: version for name, version in have.items() if name.startswith("amd-torchvision-device-")}
    assert set(devices.values()) <= {vision}
    assert bool(devices) is machine.startswith(("halo", "gfx10"))


@pytest.mark.parametrize("machine", [HALO, "gfx900", "sm_89-535", "aarch64", "gh200-580"])
def test_further_packages_of_the_family_come_from_the_same_index(
    machine: str, tmp_path: Path, vendors: Vendors
) -> None:
    packages = ("torchvision", "torchaudio", "numpy")
    route = chosen_of(planned_for(HELD[machine], tmp_path, vendors, flags=Flags(packages=packages)))
    sources = {wheel.name: wheel.source for wheel in route.wheels}
    assert {sources[name] for name in ("torch", "torchvision", "torchaudio")} == {route.source and route.source.name}
    assert sources["numpy"] == "pypi"
    locals_ = {
        version.partition("+")[2] for name, version in route.versions.items() if name in ("torch", "torchvision")
    }
    assert len(locals_) == 1


@pytest.mark.parametrize("machine", [HALO, "gfx900", "sm_89-535"])
def test_triton_is_the_one_of_the_route(machine: str, tmp_path: Path, vendors: Vendors) -> None:
    route = chosen_of(planned_for(HELD[machine], tmp_path, vendors, flags=Flags(packages=("triton",))))
    tritons = {wheel.name: wheel.source for wheel in route.wheels if "triton" in wheel.name}
    assert set(tritons.values()) == {route.source and route.source.name}
    assert len(tritons) == 1


def test_a_package_without_a_wheel_for_this_python_is_said_so(tmp_path: Path, vendors: Vendors) -> None:
    found = planned_for(HELD["python-3.13-gfx1151"], tmp_path, vendors, flags=Flags(packages=("numpy==1.26.4",)))
    assert found.chosen is None
    for name in ("amd-rocm10", "pytorch-rocm7.2"):
        route = route_of(found, name)
        assert route.verdict == "blocked"
        assert kinds(route)[0] in ("no-wheel-for-python", "only-source"), name
        assert all("numpy" in text for text in (route.because[0].text.en, route.because[0].text.zh)), name


def test_the_next_python_is_taken_where_only_that_is_in_the_way(tmp_path: Path, vendors: Vendors) -> None:
    flags = Flags(packages=("numpy==1.26.4",))
    route = chosen_of(planned_for(HELD["python-3.13-3.12-gfx1151"], tmp_path, vendors, flags=flags))
    assert (route.name, route.python_version, versions(route)["numpy"]) == ("amd-rocm10", "3.12", "1.26.4")
    plain = chosen_of(planned_for(HELD["python-3.13-3.12-gfx1151"], tmp_path, vendors))
    assert plain.python_version == "3.13"


@pytest.mark.parametrize("machine", [HALO, "gfx1036", "gfx1100-sm_89", "sm_89-535", "sm_89-nouveau", "gh200-580"])
def test_the_cpu_is_taken_where_it_is_asked_for(machine: str, tmp_path: Path, vendors: Vendors) -> None:
    found = planned_for(HELD[machine], tmp_path, vendors, flags=Flags(backend="cpu"))
    route = chosen_of(found)
    assert (route.name, route.versions["torch"], route.variables) == ("pytorch-cpu", "2.14.1+cpu", {})
    assert not [wheel.name for wheel in route.wheels if wheel.name.startswith(("nvidia-", "rocm", "amd-"))]


def test_cuda_on_an_amd_machine_finds_no_gpu(tmp_path: Path, vendors: Vendors) -> None:
    found = planned_for(HELD["gfx1030"], tmp_path, vendors, flags=Flags(backend="cuda"))
    assert found.chosen is None
    for name in (*ALL_CUDA, "pypi"):
        route = route_of(found, name)
        assert (route.verdict, kinds(route)[0]) == ("blocked", "no-gpu"), name
    for name in (*ALL_ROCM, *AMD):
        assert kinds(route_of(found, name))[0] == "not-the-backend"


@pytest.mark.parametrize("machine", ["gfx1036", "gfx1036-sm_89"])
def test_the_graphics_of_a_processor_is_taken_where_it_is_asked_for(
    machine: str, tmp_path: Path, vendors: Vendors
) -> None:
    plain = planned_for(HELD["gfx1036"], tmp_path, vendors)
    assert "gfx1036" in plain.why.en
    assert "--backend rocm" in plain.why.zh
    route = chosen_of(planned_for(HELD[machine], tmp_path, vendors, flags=Flags(backend="rocm")))
    assert (route.name, route.targets) == ("amd-rocm10", ("gfx1036",))
    assert versions(route)["rocm-sdk-device-gfx1036"] == "10.1.0"


@pytest.mark.parametrize("backend", ["rocm", "cuda"])
def test_under_wsl_a_gpu_behind_dxg_cannot_be_told(backend: str, tmp_path: Path, vendors: Vendors) -> None:
    """Which card it is no file there says: that is unknown, not a machine without a GPU."""
    found = planned_for(HELD["wsl"], tmp_path, vendors, flags=Flags(backend=backend))
    assert found.chosen is None
    mine = [*ALL_CUDA, "pypi"] if backend == "cuda" else [*ALL_ROCM, *AMD]
    for name in mine:
        route = route_of(found, name)
        assert (route.verdict, kinds(route)[0]) == ("unknown", "unknown-fact"), name


def test_the_production_policy_takes_the_vendors_and_upstream_routes(tmp_path: Path, vendors: Vendors) -> None:
    for machine, chosen in ((HALO, "amd-rocm10"), ("gfx900", "pytorch-rocm7.2"), ("gfx803", None)):
        folder = tmp_path / machine
        folder.mkdir()
        found = planned_for(HELD[machine], folder, vendors, flags=Flags(policy="production"))
        assert found.chosen == chosen


def test_a_route_by_name_is_taken_or_refused(tmp_path: Path, vendors: Vendors) -> None:
    found = planned_for(HELD["gfx1201"], tmp_path, vendors, flags=Flags(route="pytorch-rocm7.2"))
    assert (found.chosen, chosen_of(found).versions["torch"]) == ("pytorch-rocm7.2", "2.14.1+rocm7.2")
    found = planned_for(HELD["gfx1201"], tmp_path, vendors, flags=Flags(route="pytorch-rocm6.1"))
    assert found.chosen is None
    assert "pytorch-rocm6.1" in found.why.en
    assert "holds no code for gfx1201" in found.why.en
    found = planned_for(HELD["gfx1201"], tmp_path, vendors, flags=Flags(route="pytorch-rocm99"))
    assert found.chosen is None
    assert "pytorch-rocm99" in found.why.en
    assert "pytorch-rocm7.2" in found.why.en


SAID = [
    ("sm_89-535", "pytorch-cu130", ("580", "535.288.01", "pytorch-cu129"), ("580", "pytorch-cu129")),
    ("sm_75-470", "pytorch-cu126", ("525.60.13", "470.256.02", "pytorch-cu118"), ("525.60.13", "pytorch-cu118")),
    ("sm_61-580", "pytorch-cu130", ("sm_61", "pytorch-cu126"), ("sm_61", "pytorch-cu126")),
    ("sm_100-570", "pytorch-cu126", ("sm_100", "pytorch-cu129"), ("pytorch-cu129",)),
    ("sm_89-nouveau", "pytorch-cu130", ("580", "firstlight doctor"), ("580", "firstlight doctor")),
    ("sm_90-not-captured", "pytorch-cu130", ("driver.nvidia.version",), ("driver.nvidia.version",)),
    ("gfx900", "amd-rocm10", ("gfx900", "pytorch-rocm7.2"), ("gfx900", "pytorch-rocm7.2")),
    ("gfx900", "pytorch-rocm7.14", ("gfx900", "pytorch-rocm7.2"), ("pytorch-rocm7.2",)),
    ("gfx803", "amd-rocm10", ("gfx803", "builds by others"), ("gfx803", "第三方")),
    ("gfx803", "pytorch-rocm7.2", ("gfx803", "builds by others"), ("gfx803", "第三方")),
    ("gfx1300", "pytorch-rocm7.2", ("gfx1300", "[[route]]"), ("gfx1300", "[[route]]")),
    ("gfx1010", "pytorch-rocm7.2", ("gfx1010", "amd-rocm10"), ("gfx1010", "amd-rocm10")),
    ("gfx1201", "pytorch-rocm6.0", ("gfx1201", "amd-rocm10"), ("amd-rocm10",)),
    ("jetson-orin", "pytorch-cu132", ("580", "540.4.0", "JetPack"), ("580", "JetPack")),
    ("gfx1103", "pytorch-rocm7.2", ("gfx1103", "amd-rocm10"), ("gfx1103", "amd-rocm10")),
    ("jetson-orin", "pytorch-cu126", ("sm_87", "JetPack", "[[route]]"), ("JetPack", "[[route]]")),
    ("gfx1100-glibc-2.17", "amd-rocm10", ("2.28", "2.17"), ("2.28", "2.17")),
    ("python-3.13t", "pytorch-cpu", ("/usr/bin/python3", "free-threaded", "uv python install"), ("free-threaded",)),
    ("python-3.14", "pytorch-cpu", ("3.14", "uv python install 3.1"), ("3.14", "uv python install 3.1")),
    ("python-3.9", "pytorch-cpu", ("3.9", "uv python install 3.1"), ("3.9", "uv python install 3.1")),
    ("amd-unknown", "amd-rocm10", ("gpus[].target",), ("gpus[].target",)),
    ("musl", "pytorch-cpu", ("musl",), ("musl",)),
    ("riscv64", "pytorch-cpu", ("riscv64", "x86_64"), ("riscv64", "x86_64")),
    ("halo-6.18.4", "pytorch-rocm7.0", ("gfx1151", "amd-rocm10"), ("gfx1151", "amd-rocm10")),
]
"""Machine, route, words of its first reason in English and in Chinese."""


@pytest.mark.parametrize("said", SAID, ids=[f"{one[0]}-{one[1]}" for one in SAID])
def test_a_reason_says_what_is_so_and_what_to_do(
    said: tuple[str, str, tuple[str, ...], tuple[str, ...]], tmp_path: Path, vendors: Vendors
) -> None:
    machine, name, en, zh = said
    first = route_of(planned_for(HELD[machine], tmp_path, vendors), name).because[0].text
    assert [word for word in en if word not in first.en] == [], first.en
    assert [word for word in zh if word not in first.zh] == [], first.zh


def test_a_gpu_without_its_driver_is_said_so_of_what_works(tmp_path: Path, vendors: Vendors) -> None:
    route = chosen_of(planned_for(HELD["gfx1100-no-driver"], tmp_path, vendors))
    text = next(link.text for link in route.because if link.kind == "gpu-not-served")
    assert "no-driver" in text.en
    assert "firstlight doctor" in text.zh


@pytest.mark.parametrize(
    ("machine", "package", "name"),
    [("glibc-2.31", "triton", "pytorch-cpu"), ("gfx1201", "torchvision==0.28.*", "pytorch-rocm6.3")],
)
def test_a_package_that_is_missing_is_named(
    machine: str, package: str, name: str, tmp_path: Path, vendors: Vendors
) -> None:
    route = route_of(planned_for(HELD[machine], tmp_path, vendors, flags=Flags(packages=(package,))), name)
    for words in (route.because[0].text.en, route.because[0].text.zh):
        assert package.partition("=")[0] in words


def test_a_kernel_that_breaks_or_lacks_fixes_is_named_with_its_remedy(tmp_path: Path, vendors: Vendors) -> None:
    (tmp_path / "old").mkdir()
    old = route_of(planned_for(HELD["halo-6.18.3"], tmp_path / "old", vendors), "amd-rocm10")
    text = next(link.text for link in old.because if link.kind == "kernel-rocm-caution")
    for words in (text.en, text.zh):
        assert all(one in words for one in ("6.18.3-arch1-1", "6.18.4", "6.17.0-19", "6.14.0-1018", "gfx1151"))
    (tmp_path / "new").mkdir()
    new = route_of(planned_for(HELD["halo-6.18.4"], tmp_path / "new", vendors), "pytorch-rocm7.1")
    assert all("7.2.0" in words for words in (new.because[0].text.en, new.because[0].text.zh))
