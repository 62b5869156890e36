"""What other people's captures leave out or spell otherwise, and chips without a target."""

from __future__ import annotations

import pytest

from firstlight.host.model import HostKind

from .machines_test import CPU, GIB, only, seen
from .memory_host import Content, function, kfd_node, location


def test_ids_from_modalias_when_nothing_else_was_captured() -> None:
    folder = "/sys/class/drm/card0/device"
    alias = "pci:v00001002d0000731Fsv0000148Csd00002398bc03sc00i00"
    for files in ({f"{folder}/modalias": f"{alias}\n"}, {f"{folder}/uevent": f"DRIVER=amdgpu\nMODALIAS={alias}\n"}):
        gpu = only(dict(files), kind=HostKind.TREE)
        assert (gpu.target, gpu.subsystem_id, gpu.card_node) == ("gfx1010", "148c:2398", "/dev/dri/card0")
    for broken in ("pci:v0000", f"usb{alias[3:]}", alias.replace("1002", "10g2"), ""):
        assert seen({f"{folder}/modalias": broken}, kind=HostKind.TREE) == []


def test_a_drm_link_into_a_folder_without_ids_belongs_to_the_function_of_its_address() -> None:
    """As canonical/lscompute keeps machines: ids below /sys/bus/pci, KFD, and a render node's link alone."""
    bus, real = "/sys/bus/pci/devices/0000:c4:00.0", "/sys/devices/pci0000:00/0000:00:08.1/0000:c4:00.0"
    files: dict[str, Content] = {
        f"{bus}/vendor": "0x1002", f"{bus}/device": "0x1114", f"{bus}/class": "0x038000",
        "/sys/class/drm/renderD128": "->../../devices/pci0000:00/0000:00:08.1/0000:c4:00.0/drm/renderD128",
        f"{real}/drm/renderD128/device": b"../../../0000:c4:00.0", f"{real}/mem_info_vram_total": str(8 * GIB),
    }  # fmt: skip
    node = kfd_node(
        1, simd_count=16, gfx_target_version=110502, device_id=0x1114, location_id=location(0xC4),
        drm_render_minor=128, bank=43 * GIB,
    )  # fmt: skip
    gpu = only(files, CPU, node, kind=HostKind.TREE)
    assert (gpu.target, gpu.apu, gpu.render_node) == ("gfx1152", True, "/dev/dri/renderD128")
    assert gpu.memory_bytes == 43 * GIB
    assert gpu.memory is not None
    assert gpu.memory.carveout == 8 * GIB
    assert only(files, kind=HostKind.TREE).render_node == "/dev/dri/renderD128"


@pytest.mark.parametrize(
    ("ids", "why", "reason"),
    [
        ("10de:0391", "pre-cuda", "pre-cuda"), ("10de:0863", None, None),
        ("10de:08a0", None, "chip-without-known-target"),
        ("1002:7240", "pre-gcn", "pre-gcn"), ("1002:4758", "pre-gcn", "pre-gcn"),
        ("1002:9920", None, "chip-without-known-target"), ("10de:fffe", None, "device-id-not-known"),
    ],
)  # fmt: skip
def test_a_chip_without_a_target_says_why(ids: str, why: str | None, reason: str | None) -> None:
    driver = "nvidia" if ids.startswith("10de") else "amdgpu"
    gpu = only(function("0000:01:00.0", ids, driver=driver), kind=HostKind.TREE)
    assert (gpu.why, gpu.unknown.get("target")) == (why, reason)
    assert gpu.usable is (False if why else None)


@pytest.mark.parametrize(
    ("compatible", "target"),
    [
        ("nvidia,gk20a", "sm_32"), ("nvidia,tegra210-gm20b", "sm_53"), ("nvidia,tegra186-gp10b", "sm_62"),
        ("nvidia,gv11b", "sm_72"),
    ],
)  # fmt: skip
def test_every_jetson_before_thor(compatible: str, target: str) -> None:
    files: dict[str, Content] = {
        "/sys/bus/platform/devices/57000000.gpu/uevent": f"DRIVER=gk20a\nOF_COMPATIBLE_0={compatible}\n"
    }
    gpu = only(files)
    assert (gpu.target, gpu.apu, gpu.usable) == (target, True, True)


def test_under_wsl_no_gpu_is_on_a_bus() -> None:
    """Microsoft's virtual device is none; the GPU itself is behind /dev/dxg."""
    assert seen(function("5582:00:00.0", "1414:008e", driver="dxgkrnl", code=0x30200)) == []
