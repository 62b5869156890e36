"""A bounded sample of what `python -m tests.binaries.oracles FOLDER` does at large: files built here, ours beside the
vendors' own tools."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NoReturn

import pytest

from firstlight.binaries.reading import read
from firstlight.binaries.source import Held

from .layers import sound
from .oracles import amd, fetched
from .oracles.building import build, old_bundles
from .oracles.comparing import Line, compare
from .oracles.recipes import Recipe, amd_recipes, amd_targets, cuda_recipes
from .oracles.tools import found, installed, require, run
from .seeds import SEEDS

AMD_TOOLS = ("clang", "clang-offload-bundler", "llvm-readelf", "llvm-objdump", "llvm-ar")
CUDA_TOOLS = ("nvcc", "cuobjdump", "nvdisasm")
AMD_SAMPLE = (
    "-cov4-all.so",
    "-cov6-all.so",
    "-cov5-xs.so",
    "-packed.so",
    "-packed2.so",
    "-packed3.so",
    "-packed.o",
    "-plain.bundle",
    "-plain.o",
    "-new.o",
    "-rdc.o",
)
LOOSE = ("gfx90a_sramecc-_xnack+.co", "gfx1151.co", "gfx11-generic.co")
CUDA_SAMPLE = ("-90a.cubin", "-100f.cubin", "-80.fatbin", "-linked.so")


def built(recipes: list[Recipe], folder: Path) -> list[Recipe]:
    """Those that the tool could build; a compiler may lack a part, but not all of them."""
    failures = {recipe.name: build(recipe, folder) for recipe in recipes}
    good = [recipe for recipe in recipes if failures[recipe.name] is None]
    assert len(good) > len(recipes) // 2, failures
    return good


def agreed(path: Path) -> list[Line]:
    """Every line of a file, each of them the same."""
    lines = list(compare(path, None))
    assert all(line.counts_same and not line.faults for line in lines), lines
    return lines


def test_amd_code_has_the_targets_that_llvm_names(tmp_path: Path) -> None:
    require(*AMD_TOOLS)
    recipes = [one for one in amd_recipes(installed("clang")[0]) if one.name.endswith((*AMD_SAMPLE, *LOOSE))]
    for recipe in built(recipes, tmp_path):
        assert set(agreed(tmp_path / recipe.name)[0].ours) == set(recipe.targets), recipe.name
    old_bundles(tmp_path)
    assert all(agreed(path) for path in tmp_path.glob("*-plain-*.bundle"))
    objects = sorted(tmp_path.glob("*plain.o")) + sorted(tmp_path.glob("*packed.o"))
    run("llvm-ar", ["rcs", tmp_path / "lib.a", *objects])
    assert sum(agreed(tmp_path / "lib.a")[0].ours.values()) == sum(
        count for one in objects for count in agreed(one)[0].ours.values()
    )


def test_every_target_of_this_clang_is_known() -> None:
    require("clang")
    from firstlight.knowledge.mach import is_target

    assert [one for one in amd_targets(installed("clang")[0]) if not is_target(one)] == []


def test_cuda_code_has_the_targets_that_nvidias_tools_name(tmp_path: Path) -> None:
    require(*CUDA_TOOLS)
    recipes = [one for one in cuda_recipes(installed("nvcc")[0]) if one.name.endswith(CUDA_SAMPLE)]
    for recipe in built(recipes, tmp_path):
        assert set(agreed(tmp_path / recipe.name)[0].ours) == set(recipe.targets), recipe.name


def test_nvidias_own_archives_have_the_targets_that_cuobjdump_lists() -> None:
    require("cuobjdump")
    tool = Path(found("cuobjdump") or "")
    archives = sorted(tool.parents[1].glob("lib*/libcudadevrt.a"))
    if not archives:
        unless_ci("libcudadevrt.a (nvidia-cuda-runtime) is not installed beside cuobjdump")
    assert len(agreed(archives[0])[0].ours) > 5


@pytest.fixture(scope="session")
def kept(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where what was fetched stays between runs, if pytest keeps anything."""
    cache: pytest.Cache | None = getattr(request.config, "cache", None)
    return Path(cache.mkdir("oracles")) if cache else tmp_path_factory.mktemp("oracles")


@pytest.mark.parametrize("name", fetched.WHEELS)
def test_wheels_of_the_default_index_have_what_the_makers_tools_name(name: str, kept: Path) -> None:
    require(*AMD_TOOLS[1:], *CUDA_TOOLS[1:])
    try:
        path = fetched.wheel(name, kept)
    except fetched.NotFetched as error:
        unless_ci(str(error))
    assert any(line.ours and line.theirs for line in agreed(path))


def test_a_package_of_the_distribution_has_what_llvm_names(kept: Path) -> None:
    require("apt-get", "dpkg-deb", *AMD_TOOLS[1:])
    try:
        path = fetched.package(kept)
    except fetched.NotFetched as error:
        unless_ci(str(error))
    assert any(line.ours and line.theirs for line in agreed(path))


def unless_ci(why: str) -> NoReturn:
    """What CI has need not be everywhere."""
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(why)


@pytest.mark.parametrize("name", ["a.co", "b.o", "d.bundle"])
def test_what_is_spoiled_was_sound(name: str, tmp_path: Path) -> None:
    require(*AMD_TOOLS[1:])
    path, make, targets = next(seed for seed in SEEDS if seed[0] == name)
    (tmp_path / path).write_bytes(make(sound).data)
    assert set(amd.targets(tmp_path / path) or ()) == targets


def test_versions_waves_registers_and_memory_are_those_that_llvm_reads(tmp_path: Path) -> None:
    require(*AMD_TOOLS)
    recipes = [one for one in amd_recipes(installed("clang")[0]) if one.name.endswith(LOOSE)]
    for recipe in built(recipes, tmp_path):
        code = read(Held((tmp_path / recipe.name).read_bytes()), "alone")
        assert code
        assert amd.Details.of(code.code[0]) == amd.details(tmp_path / recipe.name), recipe.name
