"""Chips: device ids, KFD numbers and model names lead to the right target or to none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import rocm_bootstrap.targets as oracle
from hypothesis import given
from hypothesis import strategies as st

from firstlight.knowledge import amd_chips, chips, pci, tables

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
UNNAMED = {"GB112", "GB120", "GR100", "GR102"}
"""Chips that pci.ids knows without a product."""
TARGETS = sorted(path.stem for path in (Path(tables.FOLDER) / "amd").glob("gfx*.toml"))


def bootstrap_targets() -> Iterator[tuple[str, int]]:
    for value in vars(oracle).values():
        if isinstance(value, oracle.GfxTarget) and not value.name.endswith("-strict"):
            yield value.name, value.gfx_target_version


@pytest.mark.parametrize(("name", "version"), sorted(set(bootstrap_targets())))
def test_kfd_number_as_rocm_bootstrap_has_it(name: str, version: int) -> None:
    assert chips.target_of_kfd(version) == name
    assert chips.kfd_of_target(name) == version
    chip = chips.amd(name)
    assert chip is not None
    assert chip.kfd_version == version


@given(st.integers(6, 99), st.integers(0, 15), st.integers(0, 15))
def test_kfd_number_and_back(major: int, minor: int, stepping: int) -> None:
    version = major * 10000 + minor * 100 + stepping
    target = chips.target_of_kfd(version)
    assert target is not None
    assert chips.kfd_of_target(target) == version


@pytest.mark.parametrize("version", [0, 1, -90010, 59999, 90016, 91600, 10**18])
def test_no_such_kfd_number(version: int) -> None:
    assert chips.target_of_kfd(version) is None


@pytest.mark.parametrize("target", ["gfx11-generic", "gfx", "sm_90", "", "gfx1g51", "gfx９00", "gfx123456"])
def test_no_kfd_number_for_another_name(target: str) -> None:
    assert chips.kfd_of_target(target) is None


@pytest.mark.parametrize("target", TARGETS)
def test_every_target_is_whole(target: str) -> None:
    chip = chips.amd(target)
    assert chip is not None
    assert chip.target == target
    assert chip.kfd_version == chips.kfd_of_target(target)
    assert chip.as_of
    assert chip.sources
    assert all(len(source) > 8 for source in chip.sources), "a source key without a legend"


@pytest.mark.parametrize(
    "name", ["gfx9999", "../amd/gfx900", "gfx900/../gfx906", "", "GFX900", "generic", "devices.toml"]
)
def test_unknown_target(name: str) -> None:
    assert chips.amd(name) is None


def test_features_do_not_hide_a_target() -> None:
    assert chips.amd("gfx90a:sramecc+:xnack-") == chips.amd("gfx90a")


@pytest.mark.parametrize(
    ("device", "target", "apu"),
    [
        (0x6617, "gfx602", False), (0x6798, "gfx600", False), (0x6818, "gfx601", False), (0x1313, "gfx700", True),
        (0x67B0, "gfx701", False), (0x9830, "gfx703", True), (0x6658, "gfx704", False), (0x9874, "gfx801", True),
        (0x6939, "gfx802", False), (0x6900, "gfx802", False), (0x7300, "gfx803", False), (0x67DF, "gfx803", False),
        (0x6FDF, "gfx803", False), (0x699F, "gfx803", False), (0x694E, "gfx803", False), (0x98E4, "gfx810", True),
        (0x687F, "gfx900", False), (0x15D8, "gfx902", True), (0x66AF, "gfx906", False), (0x738C, "gfx908", False),
        (0x740F, "gfx90a", False), (0x1638, "gfx90c", True), (0x164C, "gfx90c", True), (0x15E7, "gfx90c", True),
        (0x74A1, "gfx942", False), (0x74A0, "gfx942", True), (0x75A3, "gfx950", False), (0x731F, "gfx1010", False),
        (0x13FE, "gfx1013", True), (0x73BF, "gfx1030", False), (0x73DF, "gfx1031", False), (0x73FF, "gfx1032", False),
        (0x163F, "gfx1033", True), (0x743F, "gfx1034", False), (0x1681, "gfx1035", True), (0x164E, "gfx1036", True),
        (0x13C0, "gfx1036", True), (0x1506, "gfx1036", True), (0x744C, "gfx1100", False), (0x747E, "gfx1101", False),
        (0x7480, "gfx1102", False), (0x15BF, "gfx1103", True), (0x1900, "gfx1103", True), (0x150E, "gfx1150", True),
        (0x1586, "gfx1151", True), (0x1114, "gfx1152", True), (0x7590, "gfx1200", False), (0x7550, "gfx1201", False),
    ],
)  # fmt: skip
def test_amd_device(device: int, target: str, *, apu: bool) -> None:
    chip = chips.amd_by_device(device)
    assert chip is not None
    assert (chip.target, chip.apu) == (target, apu)


@pytest.mark.parametrize("device", [0x0000, 0xFFFF, -1, 1 << 40, 0x515E, 0x9802, 0xAB38])
def test_amd_device_that_has_no_target(device: int) -> None:
    assert chips.amd_by_device(device) is None


def test_listed_ids_agree_with_their_dies() -> None:
    listed = amd_chips._targets_by_id()
    by_die = {one: amd_chips._by_die(int(one, 16)) for one in listed}
    assert {one: by_die[one] for one in listed if by_die[one] not in {None, listed[one]}} == {}
    assert sum(target is not None for target in by_die.values()) >= 100


@pytest.mark.parametrize("device", [0x9802, 0x68F9, 0x6718, 0x9440, 0x9610, 0x7145, 0x9900])
def test_before_gcn(device: int) -> None:
    assert amd_chips.is_before_gcn(device)


@pytest.mark.parametrize("device", [0x6617, 0x744C, 0x1681, 0xFFFF, 0x15DD, 0x164E])
def test_not_before_gcn(device: int) -> None:
    assert not amd_chips.is_before_gcn(device)


def test_kfd_support() -> None:
    assert [chips.kfd_supported(target) for target in ("gfx600", "gfx601", "gfx602", "gfx810")] == [False] * 4
    assert chips.kfd_supported("gfx803") is True
    assert chips.kfd_supported("gfx802") is None, "Tonga is served, Topaz is not"
    assert chips.kfd_supported("gfx9999") is None


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is not here")
def test_every_figure_of_the_seed_is_here() -> None:
    seed = (SHARED / "reference/facts/gfx.yaml").read_text(encoding="utf-8")
    listed = amd_chips._targets_by_id()
    target = ""
    for line in seed.partition("\ntargets:\n")[2].splitlines():
        if found := re.match(r"- gfx: (\w+)", line):
            target = found[1]
            assert target in TARGETS
        for one in re.findall(r"id: '1002:([0-9a-f]{4})'", line):
            assert listed[one] == target


@pytest.mark.parametrize(
    ("device", "code", "target"),
    [
        (0x0191, "G80", "sm_10"), (0x05E1, "GT200", "sm_13"), (0x06C0, "GF100", "sm_20"), (0x1180, "GK104", "sm_30"),
        (0x1005, "GK110", "sm_35"), (0x102D, "GK210", "sm_37"), (0x1380, "GM107", "sm_50"), (0x17C8, "GM200", "sm_52"),
        (0x15F8, "GP100", "sm_60"), (0x1B06, "GP102", "sm_61"), (0x1DB1, "GV100", "sm_70"), (0x1EB8, "TU104", "sm_75"),
        (0x20B0, "GA100", "sm_80"), (0x2204, "GA102", "sm_86"), (0x2704, "AD103", "sm_89"), (0x28E0, "AD107", "sm_89"),
        (0x2330, "GH100", "sm_90"), (0x2901, "GB100", "sm_100"), (0x2941, "GB100", "sm_100"),
        (0x3182, "GB110", "sm_103"), (0x31C2, "GB110", "sm_103"), (0x2B00, "GB10B", "sm_110"),
        (0x2B85, "GB202", "sm_120"), (0x2E12, "GB20B", "sm_121"), (0x2C18, "GB203", "sm_120"),
    ],
)  # fmt: skip
def test_nvidia_device(device: int, code: str, target: str) -> None:
    chip = chips.nvidia_by_device(device)
    assert chip is not None
    assert (chip.code, chip.target) == (code, target)
    assert all(len(source) > 8 for source in chip.sources)


def test_integrated() -> None:
    assert [chips.nvidia_by_device(device).integrated for device in (0x2E12, 0x2B00, 0x2204)] == [True, True, False]  # type: ignore[union-attr]


def test_a_chip_without_a_known_target_is_named_all_the_same() -> None:
    chip = chips.nvidia_by_device(0x3340)
    assert chip is not None
    assert (chip.code, chip.target) == ("GB120", None)


@pytest.mark.parametrize("device", [0x22BA, 0x1AF1, 0x22A3, 0x229C, 0xFFFF, 0x0020, 0x200A, -5])
def test_nvidia_device_that_is_no_known_gpu(device: int) -> None:
    assert chips.nvidia_by_device(device) is None


@pytest.mark.parametrize(
    ("model", "target"),
    [
        ("NVIDIA GeForce RTX 3090", "sm_86"), ("NVIDIA A100-SXM4-80GB", "sm_80"), ("NVIDIA H100 80GB HBM3", "sm_90"),
        ("NVIDIA H200 NVL", "sm_90"), ("NVIDIA GB10", "sm_121"), ("Tesla V100-SXM2-16GB", "sm_70"),
        ("Tesla T4", "sm_75"), ("NVIDIA RTX 6000 Ada Generation", "sm_89"),
        ("NVIDIA L40S", "sm_89"), ("NVIDIA A10", "sm_86"),
        ("NVIDIA GeForce GTX 1050 Ti", "sm_61"), ("Quadro P2000", "sm_61"), ("NVIDIA B200", "sm_100"),
        ("NVIDIA GeForce RTX 5090", "sm_120"), ("NVIDIA RTX PRO 6000 Blackwell Server Edition", "sm_120"),
    ],
)  # fmt: skip
def test_nvidia_model(model: str, target: str) -> None:
    chip = chips.nvidia_by_model(model)
    assert chip is not None
    assert chip.target == target


@pytest.mark.parametrize(
    "model", ["", "NVIDIA", "Graphics Device", "NVIDIA GeForce", "NVIDIA X9999", "RTX", "Quadro", "9 9 9"]
)
def test_nvidia_model_that_says_nothing(model: str) -> None:
    assert chips.nvidia_by_model(model) is None


def test_jetson() -> None:
    orin = chips.nvidia_by_compatible("nvidia,ga10b")
    assert orin is not None
    assert (orin.target, orin.integrated) == ("sm_87", True)
    assert chips.nvidia_by_compatible("nvidia,tegra234") is None


def test_every_chip_code_of_the_table_is_in_pci_ids_or_integrated() -> None:
    named = {full.partition(" ")[0] for full, _ in pci.products(0x10DE)}
    for row in tables.raw("nvidia/chips")["chip"]:
        for code in row["codes"]:
            assert row.get("integrated") or code in UNNAMED or any(name.startswith(code) for name in named), code


def test_a_lookup_reads_no_more_than_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    real = tables.raw.__wrapped__

    def counted(name: str) -> object:
        read.append(name)
        return real(name)

    for cached in (amd_chips.amd, amd_chips._targets_by_id):
        cached.cache_clear()
    monkeypatch.setattr(amd_chips, "raw", counted)
    assert chips.amd_by_device(0x1586) is not None
    assert set(read) == {"amd/devices", "amd/gfx1151"}
    for cached in (amd_chips.amd, amd_chips._targets_by_id):
        cached.cache_clear()
