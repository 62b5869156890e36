"""Causes of memory and firmware."""

from __future__ import annotations

import pytest

from firstlight.facts.model import Facts, GpuMemory, ModuleOption
from tests.causes_b.judging import clear, first_gpu, found, needs, severity, told
from tests.machines_facts import (
    ABSENT,
    GIB,
    change,
    changes,
    cpu_only,
    dgx_spark,
    gfx1100_desktop,
    gfx1151_apu,
    mi300x_server,
    parameters,
)

LOW = "apu-gtt-limit-too-low"


def halved(**more: object) -> Facts:
    """The APU with the kernel's default limit."""
    facts = first_gpu(gfx1151_apu(), memory=GpuMemory(carveout=GIB // 2, gtt=125 * GIB // 2))
    return changes(facts, **{"memory__ttm_pages_limit": 125 * GIB // 2 // 4096, **more})


def test_the_default_half_is_found_with_the_exact_parameters() -> None:
    result = found(LOW, halved())
    assert result.severity is None
    pages = 112 * GIB // 4096
    assert result.values["options"] == f"ttm.pages_limit={pages} ttm.page_pool_size={pages}"
    assert result.remedy[0].root
    assert f"options ttm pages_limit={pages} page_pool_size={pages}" in result.remedy[0].argv[2]
    assert result.remedy[1].argv == ("update-initramfs", "-u")
    assert "amd-ttm --set 112" in result.remedy[0].why.en


def test_fedora_sets_them_on_the_kernel_command_line() -> None:
    argv = found(LOW, halved(os__id="fedora", os__like=[])).remedy[0].argv
    pages = 112 * GIB // 4096
    assert argv == ("grubby", "--update-kernel=ALL", f"--args=ttm.pages_limit={pages} ttm.page_pool_size={pages}")


def test_the_dkms_driver_has_its_own_module() -> None:
    result = found(LOW, halved(memory__ttm_module="amdttm"))
    assert str(result.values["options"]).startswith("amdttm.pages_limit=")
    assert "/etc/modprobe.d/firstlight-amdttm.conf" in result.remedy[0].argv[2]


def test_larger_pages_are_counted_as_such() -> None:
    facts = halved(memory__page_bytes=16384, memory__ttm_pages_limit=125 * GIB // 2 // 16384)
    assert f"pages_limit={112 * GIB // 16384} " in str(found(LOW, facts).values["options"])


@pytest.mark.parametrize(
    "word",
    [
        "ttm.page_limit=29360128",
        "ttm.pagelimit=1",
        "amdttm.pages_limit=29360128",
        "amdgpu.gttsize=112",
        "amdgpu.gtt_size=1",
        "ttm.pages_limit=112G",
        "amdgpu.gttsize=120259084288",
    ],
)
def test_an_option_without_effect_is_shown(word: str) -> None:
    result = found(LOW, halved(kernel__cmdline=parameters("quiet", word)))
    assert word in {one.value for one in result.evidence}
    assert word in result.remedy[0].why.en


def test_an_option_of_modprobe_is_looked_at_too() -> None:
    wrong = ModuleOption(module="ttm", option="page_limit", value="1", file="/etc/modprobe.d/x.conf")
    assert "/etc/modprobe.d/x.conf" in {one.source for one in found(LOW, halved(modules__options=[wrong])).evidence}


@pytest.mark.parametrize(
    "word", ["ttm.pages_limit=29360128", "ttm.pages-limit=1", "amdgpu.gttsize=-1", "amdgpu.gttsize=114688"]
)
def test_a_right_option_is_not_called_dead(word: str) -> None:
    assert word not in {one.value for one in found(LOW, halved(kernel__cmdline=parameters(word))).evidence}


def test_what_is_no_shared_pool_is_not_judged() -> None:
    assert clear(LOW, gfx1151_apu())
    assert clear(LOW, gfx1100_desktop())
    assert clear(LOW, mi300x_server())
    assert clear(LOW, dgx_spark())
    large = first_gpu(halved(memory__total_bytes=31 * GIB), memory=GpuMemory(carveout=96 * GIB, gtt=15 * GIB))
    assert clear(LOW, large)


def test_a_small_machine_gets_advice() -> None:
    small = first_gpu(halved(memory__total_bytes=16 * GIB), memory=GpuMemory(carveout=GIB // 2, gtt=8 * GIB))
    assert severity(LOW, change(small, "memory.ttm_pages_limit", 8 * GIB // 4096)) == "advice"


def test_what_is_not_known_of_the_limit_is_named() -> None:
    assert needs(LOW, halved(memory__total_bytes=told()))[0].startswith("memory.total_bytes (not-captured")
    blind = changes(first_gpu(gfx1151_apu(), memory=None), memory__ttm_pages_limit=told())
    assert needs(LOW, blind)[0].startswith("memory.ttm_pages_limit (not-captured")


def test_a_limit_of_all_ram_is_too_high() -> None:
    id = "apu-gtt-limit-too-high"
    result = found(id, change(gfx1151_apu(), "memory.ttm_pages_limit", 125 * GIB // 4096))
    assert f"pages_limit={112 * GIB // 4096}" in result.remedy[0].argv[2]
    assert clear(id, gfx1151_apu())
    assert clear(id, gfx1100_desktop())
    assert clear(id, mi300x_server())
    assert needs(id, change(gfx1151_apu(), "memory.ttm_pages_limit", told()))


def test_a_carve_out_larger_than_the_rest_is_found() -> None:
    id = "apu-carveout-too-large"
    large = first_gpu(
        change(gfx1151_apu(), "memory.total_bytes", 31 * GIB), memory=GpuMemory(carveout=96 * GIB, gtt=15 * GIB)
    )
    assert found(id, large).values["carveout"] == "96"
    assert clear(id, gfx1151_apu())
    half = first_gpu(
        change(gfx1151_apu(), "memory.total_bytes", 95 * GIB), memory=GpuMemory(carveout=32 * GIB, gtt=60 * GIB)
    )
    assert clear(id, half)
    assert clear(id, mi300x_server())
    assert needs(id, change(large, "memory.total_bytes", told()))


def test_a_small_carve_out_matters_before_kernel_6_10() -> None:
    id = "uma-carveout-too-small"
    assert found(id, change(gfx1151_apu(), "kernel.release", "6.8.0-60-generic")).values["carveout"] == "0.5"
    assert clear(id, change(gfx1151_apu(), "kernel.release", "6.10.0"))
    assert clear(id, gfx1151_apu())
    assert clear(id, changes(gfx1151_apu(), kernel__release="6.8.0", driver__amd__kind="dkms"))
    assert needs(id, change(gfx1151_apu(), "kernel.release", told()))


def test_little_host_memory_is_found() -> None:
    id = "host-memory-too-small"
    assert found(id, change(cpu_only(), "memory.total_bytes", 2 * GIB)).values["size"] == "2.0"
    assert found(id, change(cpu_only(), "container.memory_limit_bytes", GIB)).values["size"] == "1.0"
    assert clear(id, cpu_only())
    assert needs(id, change(cpu_only(), "memory.total_bytes", told()))


MES = "strix-bad-mes-firmware"


def test_the_bad_firmware_is_found_by_what_runs_or_by_the_package() -> None:
    assert severity(MES, change(gfx1151_apu(), "firmware.mes_version", 0x83)) == "blocking"
    unknown = changes(gfx1151_apu(), firmware__mes_version=told("denied"))
    assert severity(MES, change(unknown, "firmware.package", "20251125-1.fc43")) == "blocking"
    assert clear(MES, change(unknown, "firmware.package", "20260110-1"))
    assert clear(MES, change(gfx1151_apu(), "firmware.package", "20251125-1"))
    assert needs(MES, change(unknown, "firmware.package", told()))
    assert clear(MES, change(mi300x_server(), "firmware.mes_version", 0x83))


def test_leftovers_of_the_dkms_firmware_go_first() -> None:
    facts = changes(gfx1151_apu(), firmware__mes_version=0x83, firmware__dkms_package="30.20.0-1")
    remedy = found(MES, facts).remedy
    assert remedy[0].argv == ("apt-get", "remove", "amdgpu-dkms-firmware")
    assert remedy[1].argv == ("apt-get", "install", "linux-firmware")


FILES = "linux-firmware-too-old"


def test_files_of_this_chip_must_be_there_where_no_driver_is_bound() -> None:
    unbound = first_gpu(gfx1151_apu(), driver=None, kfd=False, usable=False, why="no-driver")
    assert severity(FILES, change(unbound, "firmware.amdgpu_files", ["gc_11_0_0", "navi10"])) == "blocking"
    assert severity(FILES, change(unbound, "firmware.amdgpu_files", [])) == "blocking"
    assert severity(FILES, change(unbound, "firmware.amdgpu_files", ABSENT)) == "blocking"
    assert clear(FILES, unbound)
    assert needs(FILES, change(unbound, "firmware.amdgpu_files", told()))
    assert clear(FILES, change(gfx1151_apu(), "firmware.amdgpu_files", []))
    assert clear(FILES, first_gpu(change(unbound, "firmware.amdgpu_files", []), unknown={"driver": "denied"}))


def test_a_small_window_on_the_vram_is_found() -> None:
    id = "large-bar-disabled"
    assert severity(id, first_gpu(gfx1100_desktop(), visible_vram_bytes=256 << 20)) == "advice"
    assert severity(id, first_gpu(mi300x_server(), visible_vram_bytes=256 << 20)) == "degrading"
    assert clear(id, gfx1100_desktop())
    assert clear(id, gfx1151_apu())
    assert needs(id, first_gpu(gfx1100_desktop(), visible_vram_bytes=None))
