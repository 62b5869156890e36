"""Machines that nobody captured, built file by file."""

from __future__ import annotations

import pytest

from firstlight.facts.gpus import gpus
from firstlight.facts.model import Gpu
from firstlight.facts.npus import npus
from firstlight.host.model import HostKind, Missing

from .memory_host import Content, MemoryHost, drm, function, kfd_node, location

GIB = 1 << 30
CPU = kfd_node(0, cpu_cores_count=16)


def seen(*parts: dict[str, Content], kind: HostKind = HostKind.RECORDED) -> list[Gpu]:
    return gpus(MemoryHost({path: content for part in parts for path, content in part.items()}, kind))


def only(*parts: dict[str, Content], kind: HostKind = HostKind.RECORDED) -> Gpu:
    found = seen(*parts, kind=kind)
    assert len(found) == 1
    return found[0]


def navi31(driver: str | None = "amdgpu", **files: str) -> dict[str, Content]:
    return function("0000:03:00.0", "1002:744c", driver=driver, files=files)


def navi31_node(number: int = 1) -> dict[str, Content]:
    return kfd_node(
        number, simd_count=192, simd_per_cu=2, gfx_target_version=110000, device_id=0x744C,
        location_id=location(3), drm_render_minor=128, bank=24 * GIB,
    )  # fmt: skip


def test_nothing() -> None:
    assert seen({}) == []
    assert seen({}, kind=HostKind.TREE) == []


def test_a_whole_card() -> None:
    files = {f"mem_info_{kind}_total": str(size) for kind, size in (("vram", 24 * GIB), ("gtt", 32 * GIB))}
    files["mem_info_vis_vram_total"] = "268435456"
    gpu = only(navi31(**files), drm("0000:03:00.0", 0, 128), CPU, navi31_node())
    assert (gpu.target, gpu.usable, gpu.kfd, gpu.node, gpu.apu) == ("gfx1100", True, True, 1, False)
    assert gpu.memory_bytes == 24 * GIB
    assert gpu.memory is not None
    assert (gpu.memory.carveout, gpu.memory.gtt) == (24 * GIB, 32 * GIB)
    assert (gpu.render_node, gpu.card_node) == ("/dev/dri/renderD128", "/dev/dri/card0")
    assert (gpu.visible_vram_bytes, gpu.compute_units) == (268435456, 96)
    assert gpu.unknown == {}


@pytest.mark.parametrize(
    ("driver", "why"),
    [(None, "no-driver"), ("vfio-pci", "bound-to-vfio-pci"), ("radeon", "bound-to-radeon"), ("amdgpu", "not-in-kfd")],
)
def test_a_card_that_does_not_compute(driver: str | None, why: str) -> None:
    gpu = only(navi31(driver), CPU)
    assert (gpu.usable, gpu.why, gpu.target, gpu.kfd) == (False, why, "gfx1100", False)


def test_a_tree_without_kfd_proves_nothing_about_it() -> None:
    gpu = only(navi31(), kind=HostKind.TREE)
    assert (gpu.usable, gpu.kfd) == (None, None)
    assert gpu.unknown["kfd"] == "not-captured"


def test_a_kernel_without_kfd() -> None:
    gpu = only(navi31())
    assert (gpu.usable, gpu.why) == (False, "not-in-kfd")


@pytest.mark.parametrize("reason", [Missing.DENIED, Missing.TOO_LARGE, Missing.UNREADABLE])
def test_a_node_that_may_not_be_read_leaves_the_card_open(reason: Missing) -> None:
    hidden: dict[str, Content] = {"/sys/class/kfd/kfd/topology/nodes/1/properties": reason}
    gpu = only(navi31(), CPU, hidden)
    assert (gpu.usable, gpu.kfd, gpu.unknown["kfd"]) == (None, None, reason.value)


def test_a_topology_with_gaps_is_not_whole() -> None:
    gpu = only(navi31(), CPU, kfd_node(2, cpu_cores_count=8), kind=HostKind.TREE)
    assert gpu.usable is None


@pytest.mark.parametrize(
    ("ids", "why"),
    [("1002:6617", "gcn1"), ("1002:6900", "no-driver"), ("1002:9802", "pre-gcn"), ("1002:98e4", "gcn-not-in-kfd")],
)
def test_a_generation_without_compute(ids: str, why: str) -> None:
    gpu = only(function("0000:01:00.0", ids, driver=None), CPU)
    assert (gpu.usable, gpu.why) == (False, why)


def test_an_unknown_chip_is_listed_honestly() -> None:
    gpu = only(function("0000:01:00.0", "1002:fffe", driver="amdgpu"), kind=HostKind.TREE)
    assert (gpu.target, gpu.name, gpu.apu, gpu.usable) == (None, None, None, None)
    assert gpu.unknown["target"] == "device-id-not-known"


def test_kfd_names_the_target_of_an_unknown_chip() -> None:
    node = kfd_node(1, simd_count=80, gfx_target_version=110504, device_id=0xFFFE, location_id=location(1))
    gpu = only(function("0000:01:00.0", "1002:fffe", driver="amdgpu"), CPU, node)
    assert (gpu.target, gpu.kfd, gpu.apu) == ("gfx1154", True, None)


def test_strix_halo_keeps_its_pools_apart() -> None:
    files = {"mem_info_vram_total": str(GIB // 2), "mem_info_gtt_total": str(62 * GIB)}
    chip = function("0000:c5:00.0", "1002:1586", driver="amdgpu", code=0x38000, files=files)
    node = kfd_node(
        1, simd_count=80, simd_per_cu=2, gfx_target_version=110501, device_id=0x1586, location_id=location(0xC5),
        drm_render_minor=128, bank=62 * GIB,
    )  # fmt: skip
    gpu = only(chip, drm("0000:c5:00.0", 1, 128), CPU, node)
    assert (gpu.apu, gpu.memory_bytes, gpu.compute_units, gpu.usable) == (True, 62 * GIB, 40, True)
    assert gpu.memory is not None
    assert (gpu.memory.carveout, gpu.memory.gtt) == (GIB // 2, 62 * GIB)
    without_kfd = only(chip, kind=HostKind.TREE)
    assert without_kfd.memory_bytes == 62 * GIB, "the larger pool"


def test_half_a_pair_of_pools_tells_no_total() -> None:
    chip = function("0000:c5:00.0", "1002:1586", driver="amdgpu", files={"mem_info_vram_total": "536870912"})
    gpu = only(chip, kind=HostKind.TREE)
    assert gpu.memory_bytes is None
    assert gpu.memory is not None
    assert gpu.memory.gtt is None
    assert gpu.unknown["memory_bytes"] == "not-captured"


def test_an_apu_of_the_old_kind_has_cpu_and_gpu_in_one_node() -> None:
    node = kfd_node(0, cpu_cores_count=4, simd_count=32, gfx_target_version=70000, device_id=0x130F, location_id=8)
    gpu = only(function("0000:00:01.0", "1002:130f", driver="amdgpu"), node)
    assert (gpu.target, gpu.apu, gpu.pci) == ("gfx700", True, "0000:00:01.0")


def test_four_mi300a_in_three_partitions_each() -> None:
    parts: list[dict[str, Content]] = [kfd_node(number, cpu_cores_count=24) for number in range(4)]
    for domain in range(4):
        address = f"{domain:04x}:02:00.0"
        parts += [
            function(address, "1002:74a0", driver="amdgpu", code=0x120000),
            drm(address, domain, 128 + 3 * domain),
        ]
        parts += [
            kfd_node(
                4 + 3 * domain + part, simd_count=304, gfx_target_version=90402, device_id=0x74A0, domain=domain,
                location_id=location(2, 0, part), unique_id=0, drm_render_minor=128 + 3 * domain + part, bank=42 * GIB,
            )
            for part in range(3)
        ]  # fmt: skip
    found = seen(*parts)
    assert [gpu.pci for gpu in found] == [f"{domain:04x}:02:00.0" for domain in range(4) for _ in range(3)]
    assert len({gpu.physical for gpu in found}) == 4
    assert {(gpu.target, gpu.apu, gpu.memory_bytes, gpu.usable) for gpu in found} == {("gfx942", True, 42 * GIB, True)}
    assert [gpu.card_node for gpu in found[:3]] == ["/dev/dri/card0", None, None]
    assert len({gpu.render_node for gpu in found}) == 12


def test_two_dies_of_one_card_at_two_addresses() -> None:
    dies = [
        kfd_node(1 + die, simd_count=440, gfx_target_version=90010, device_id=0x7408, unique_id=77,
                 location_id=location(0x29 + 4 * die), drm_render_minor=128 + die)
        for die in range(2)
    ]  # fmt: skip
    found = seen(CPU, *dies)
    assert [gpu.pci for gpu in found] == ["0000:29:00.0", "0000:2d:00.0"]
    assert len({gpu.physical for gpu in found}) == 1


def test_equal_addresses_in_other_domains_are_other_cards() -> None:
    nodes = [
        kfd_node(
            1 + at, simd_count=440, gfx_target_version=90402, device_id=0x74A1, location_id=location(5), domain=domain
        )
        for at, domain in enumerate((0, 1, 0x10000))
    ]  # fmt: skip
    found = seen(CPU, *nodes)
    assert [gpu.pci for gpu in found] == ["0000:05:00.0", "0001:05:00.0", "10000:05:00.0"]
    assert len({gpu.physical for gpu in found}) == 3


def test_all_vendors_at_once_and_what_is_no_gpu() -> None:
    found = seen(
        function("0000:00:02.0", "8086:a780", driver="i915"),
        navi31(),
        function("0000:03:00.1", "1002:ab30", driver="snd_hda_intel", code=0x40300),
        function("0000:41:00.0", "10de:2684", driver="nvidia"),
        function("0000:41:00.1", "10de:22ba", driver="snd_hda_intel", code=0x40300),
        function("0000:05:00.0", "10de:22a3", driver="nvidia-nvswitch", code=0x68000),
        function("0000:62:00.0", "1a03:2000", driver="ast"),
        function("0000:63:00.0", "102b:0538", driver="mgag200"),
        function("0000:64:00.0", "1002:515e", driver="radeon"),
        function("0000:65:00.0", "1234:1111", driver="bochs-drm"),
        function("0000:66:00.0", "1af4:1050", driver="virtio-pci", code=0x38000),
        function("0000:00:0b.0", "8086:7d1d", driver="intel_vpu", code=0x120000),
        function("0000:c6:00.1", "1022:17f0", driver="amdxdna", code=0x118000),
        drm("0000:62:00.0", 3, 140),
        CPU,
        navi31_node(),
    )
    assert [(gpu.vendor, gpu.target, gpu.pci) for gpu in found] == [
        ("intel", None, "0000:00:02.0"), ("amd", "gfx1100", "0000:03:00.0"), ("nvidia", "sm_89", "0000:41:00.0"),
    ]  # fmt: skip


def test_npus() -> None:
    files: dict[str, Content] = {
        **function("0000:00:0b.0", "8086:7d1d", driver="intel_vpu", code=0x120000),
        **function("0000:c6:00.1", "1022:17f0", driver=None, code=0x118000),
        **function("0000:c6:00.2", "1022:15c7", driver="ccp", code=0x108000),
        **function("0000:c6:00.3", "1022:15e2", driver=None, code=0x118000),
        **function("0000:03:00.0", "1002:74a0", driver="amdgpu", code=0x120000),
        **function("0000:04:00.0", "1022:fffe", driver="amdxdna", code=0x118000),
        "/sys/class/accel/accel0": "->../../devices/pci0000:00/0000:00:0b.0/accel/accel0",
        "/sys/devices/pci0000:00/0000:00:0b.0/accel/accel0/device": "->../../../0000:00:0b.0",
        "/sys/class/accel/odd": "->../nowhere",
    }
    found = npus(MemoryHost(files))
    assert [(one.vendor, one.pci, one.driver, one.node) for one in found] == [
        ("intel", "0000:00:0b.0", "intel_vpu", "/dev/accel/accel0"), ("amd", "0000:04:00.0", "amdxdna", None),
        ("amd", "0000:c6:00.1", None, None),
    ]  # fmt: skip
    assert npus(MemoryHost({})) == []


def nvidia_proc(
    address: str, minor: int, model: str = "NVIDIA GeForce RTX 4090", excluded: str = "No"
) -> dict[str, Content]:
    told = f"Model: \t {model}\nBus Location: \t {address}\nDevice Minor: \t {minor}\nGPU Excluded:\t {excluded}\n"
    return {f"/proc/driver/nvidia/gpus/{address}/information": told}


def test_nvidia_minors_need_not_follow_the_bus() -> None:
    found = seen(
        function("0000:41:00.0", "10de:2684", driver="nvidia"), function("0000:81:00.0", "10de:2684", driver="nvidia"),
        nvidia_proc("0000:41:00.0", 1), nvidia_proc("0000:81:00.0", 0),
    )  # fmt: skip
    assert [(gpu.pci, gpu.node, gpu.usable) for gpu in found] == [("0000:41:00.0", 1, True), ("0000:81:00.0", 0, True)]


@pytest.mark.parametrize(
    ("driver", "why"), [("nouveau", "bound-to-nouveau"), ("vfio-pci", "bound-to-vfio-pci"), (None, "no-driver")]
)
def test_nvidia_without_its_driver(driver: str | None, why: str) -> None:
    gpu = only(function("0000:41:00.0", "10de:2684", driver=driver))
    assert (gpu.usable, gpu.why, gpu.target) == (False, why, "sm_89")


def test_nvidia_that_the_driver_gave_up_on() -> None:
    found = seen(
        function("0000:41:00.0", "10de:2684", driver="nvidia"), function("0000:81:00.0", "10de:2684", driver="nvidia"),
        nvidia_proc("0000:41:00.0", 0),
    )  # fmt: skip
    assert [(gpu.usable, gpu.why) for gpu in found] == [(True, None), (False, "not-listed-by-driver")]
    assert only(
        function("0000:41:00.0", "10de:2684", driver="nvidia"), nvidia_proc("0000:41:00.0", 0, excluded="Yes")
    ).why == ("excluded-by-driver")


def test_nvidia_known_only_by_its_model() -> None:
    gpu = only(nvidia_proc("0009:01:00.0", 0, "NVIDIA GB10"))
    assert (gpu.target, gpu.apu, gpu.pci, gpu.device_id) == ("sm_121", True, "0009:01:00.0", None)
    odd = only(nvidia_proc("0009:01:00.0", 0, "Unknown"))
    assert (odd.target, odd.name) == (None, None)


def test_grace_blackwell_and_thor() -> None:
    gpu = only(
        function("000f:01:00.0", "10de:2e12", driver="nvidia", code=0x30000),
        nvidia_proc("000f:01:00.0", 0, "NVIDIA GB10"),
    )
    assert (gpu.target, gpu.apu, gpu.usable) == ("sm_121", True, True)
    thor = only(function("0000:01:00.0", "10de:2b00", driver=None))
    assert (thor.target, thor.apu) == ("sm_110", True)


ORIN = "/sys/devices/platform/bus@0/17000000.gpu"


def test_jetson_orin_is_no_pci_device() -> None:
    event = (
        "DRIVER=gk20a\nOF_NAME=gpu\nOF_FULLNAME=/bus@0/gpu@17000000\nOF_COMPATIBLE_0=nvidia,ga10b\nOF_COMPATIBLE_N=1\n"
    )
    files: dict[str, Content] = {
        "/sys/bus/platform/devices/17000000.gpu": "->../../../devices/platform/bus@0/17000000.gpu",
        "/sys/bus/platform/devices/13e00000.host1x": "->../../../devices/platform/bus@0/13e00000.host1x",
        f"{ORIN}/uevent": event,
        "/sys/class/drm/renderD129": "->../../devices/platform/bus@0/17000000.gpu/drm/renderD129",
        f"{ORIN}/drm/renderD129/device": "->../../../17000000.gpu",
        f"{ORIN}/drm/renderD129/dev": "226:129",
    }
    gpu = only(files)
    assert (gpu.target, gpu.pci, gpu.apu, gpu.usable, gpu.render_node) == (
        "sm_87",
        None,
        True,
        True,
        "/dev/dri/renderD129",
    )
    files[f"{ORIN}/uevent"] = event.replace("gk20a", "nouveau")
    assert only(files).why == "bound-to-nouveau"
    files[f"{ORIN}/uevent"] = event.replace("DRIVER=gk20a\n", "")
    assert only(files).why == "no-driver"


def test_virtual_functions_belong_to_their_card() -> None:
    physical = function("0000:05:00.0", "1002:74a1", driver="gim", code=0x120000)
    virtual = function("0000:05:02.0", "1002:74b5", driver="vfio-pci", code=0x120000)
    virtual["/sys/devices/pci0000:05/0000:05:02.0/physfn"] = "->../0000:05:00.0"
    found = seen(physical, virtual)
    assert [gpu.physical for gpu in found] == ["0000:05:00", "0000:05:00"]


def test_ids_from_single_files_when_uevent_was_not_captured() -> None:
    folder = "/sys/bus/pci/devices/0000:03:00.0"
    files: dict[str, Content] = {
        f"{folder}/vendor": "0x1002\n", f"{folder}/device": "0x744c\n", f"{folder}/class": "0x030000\n",
        f"{folder}/subsystem_vendor": "0x1da2\n", f"{folder}/subsystem_device": "0xe471\n",
    }  # fmt: skip
    gpu = only(files, kind=HostKind.TREE)
    assert (gpu.target, gpu.subsystem_id, gpu.driver, gpu.usable) == ("gfx1100", "1da2:e471", None, None)
    assert gpu.unknown["driver"] == "not-captured"
    assert only(files).why == "no-driver", "a whole machine without a driver link has none"
    files[f"{folder}/driver"] = "->../../../bus/pci/drivers/amdgpu"
    assert only(files, kind=HostKind.TREE).driver == "amdgpu"
    files[f"{folder}/driver"] = b"../../../bus/pci/drivers/nouveau"
    assert only(files, kind=HostKind.TREE).driver == "nouveau", "a link stored as a file"
    files[f"{folder}/driver"] = b"rubbish"
    assert only(files, kind=HostKind.TREE).unknown["driver"] == "unreadable"


def test_drm_alone_with_a_driver_that_the_bus_did_not_show() -> None:
    files: dict[str, Content] = {
        "/sys/bus/pci/devices/0000:03:00.0/vendor": "0x1002", "/sys/bus/pci/devices/0000:03:00.0/device": "0x744c",
        "/sys/bus/pci/devices/0000:03:00.0/class": "0x030000",
        "/sys/class/drm/card0/device/uevent": "DRIVER=amdgpu\nPCI_ID=1002:744C\nPCI_SLOT_NAME=0000:03:00.0\n",
        "/sys/class/drm/card0/device/mem_info_vram_total": str(24 * GIB),
    }  # fmt: skip
    gpu = only(files, kind=HostKind.TREE)
    assert (gpu.driver, gpu.memory_bytes, gpu.card_node) == ("amdgpu", 24 * GIB, "/dev/dri/card0")


@pytest.mark.parametrize("count", [200])
def test_cost_is_linear(count: int) -> None:
    def machine(cards: int) -> MemoryHost:
        files: dict[str, Content] = dict(CPU)
        for at in range(cards):
            address = f"{at >> 8:04x}:{at & 0xFF:02x}:00.0"
            files |= function(address, "1002:74a1", driver="amdgpu", code=0x120000, files={"mem_info_vram_total": "1"})
            files |= drm(address, at, 128 + at)
            files |= kfd_node(
                at + 1, simd_count=4, gfx_target_version=90402, device_id=0x74A1, domain=at >> 8,
                location_id=location(at & 0xFF), drm_render_minor=128 + at, bank=1,
            )  # fmt: skip
        return MemoryHost(files)

    few, many = machine(count), machine(5 * count)
    assert len(gpus(few)) == count
    assert len(gpus(many)) == 5 * count
    assert many.calls <= 5 * few.calls
