"""Healthy machines: real captures, completed to what a whole machine of that kind shows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.planted.builder import Machine

RENDER, VIDEO = 992, 44


def phoenix_apu(folder: Path) -> Machine:
    """Ryzen 7040 laptop, gfx1103, KFD and DRM as captured; 64 GB of RAM."""
    machine = Machine(folder)
    machine.fixture("kfd/phoenix-gfx1103")
    _amd(machine, "card1", "renderD128")
    pages = 31433977856 // 4096
    machine.write("/sys/module/ttm/parameters/pages_limit", f"{pages}\n")
    machine.write("/sys/module/ttm/parameters/page_pool_size", f"{pages}\n")
    return machine


def navi31_desktop(folder: Path) -> Machine:
    """RX 7900 XTX as DRM shows it, with the KFD node that amdgpu makes for it."""
    machine = Machine(folder)
    machine.fixture("drm/rx7900xtx")
    card = next(path.name for path in sorted((machine.root / "sys/class/drm").iterdir()) if path.name[4:].isdigit())
    address = _slot(machine, card)
    _kfd_node(machine, 1, address, version=110000, device=0x744C, simds=192, vram=24 << 30)
    _amd(machine, card, "renderD128")
    return machine


def mi300x_server(folder: Path) -> Machine:
    """Eight MI300X in CPX mode as captured: 63 compute devices."""
    machine = Machine(folder)
    machine.fixture("kfd/mi300x-x8-cpx")
    _amd(machine)
    for minor in range(128, 191):
        machine.node(f"/dev/dri/renderD{minor}", gid=RENDER)
    machine.cmdline("iommu=pt pci=realloc=off")
    return machine


def rtx3090_desktop(folder: Path) -> Machine:
    """RTX 3090 with the open kernel module 590.48.01."""
    machine = Machine(folder)
    machine.fixture("nvidia-proc/rtx3090-590")
    _pci(machine, "0000:01:00.0", "10de", "2204", driver="nvidia")
    _nvidia(machine, "590.48.01", gpus=1)
    return machine


def dgx_station(folder: Path) -> Machine:
    """Four V100 as udev exported them, driver 580."""
    machine = Machine(folder)
    machine.fixture("udev/nvidia-dgx-station")
    version = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.105.08  Wed Oct 29 23:15:11 UTC 2025\n"
    machine.write("/proc/driver/nvidia/version", version)
    _nvidia(machine, "580.105.08", gpus=4)
    return machine


def laptop_without_gpu(folder: Path) -> Machine:
    """A hybrid Intel laptop, CPU only."""
    machine = Machine(folder)
    machine.fixture("hwloc/cpu-20-hybrid")
    machine.kernel("6.18.9-generic")
    machine.cmdline("quiet")
    machine.paths["/sys/bus/pci/devices"] = {"kind": "dir", "mode": "0755", "uid": 0, "gid": 0}
    machine.paths["/sys/class/drm"] = {"kind": "dir", "mode": "0755", "uid": 0, "gid": 0}
    return machine


MACHINES: dict[str, Callable[[Path], Machine]] = {
    "phoenix-apu": phoenix_apu,
    "navi31-desktop": navi31_desktop,
    "mi300x-server": mi300x_server,
    "rtx3090-desktop": rtx3090_desktop,
    "dgx-station": dgx_station,
    "laptop-without-gpu": laptop_without_gpu,
}


def _amd(machine: Machine, card: str | None = None, render: str | None = None) -> None:
    machine.modules("amdgpu", "ttm")
    machine.node("/dev/kfd", gid=RENDER)
    if card:
        machine.node(f"/dev/dri/{card}", gid=VIDEO)
    if render:
        machine.node(f"/dev/dri/{render}", gid=RENDER)


def _nvidia(machine: Machine, version: str, *, gpus: int) -> None:
    machine.modules("nvidia", "nvidia_uvm", "nvidia_modeset", "nvidia_drm")
    for name in ("nvidiactl", "nvidia-uvm", *(f"nvidia{index}" for index in range(gpus))):
        machine.node(f"/dev/{name}", gid=0, mode="0666")
    for library in ("libcuda.so", "libnvidia-ml.so"):
        machine.write(f"/usr/lib/x86_64-linux-gnu/{library}.{version}", "\x7fELF")


def _slot(machine: Machine, card: str) -> str:
    text = (machine.root / f"sys/class/drm/{card}/device/uevent").read_text()
    return next(line.partition("=")[2] for line in text.splitlines() if line.startswith("PCI_SLOT_NAME="))


def _pci(machine: Machine, address: str, vendor: str, device: str, *, driver: str | None) -> None:
    folder = f"/sys/bus/pci/devices/{address}"
    bound = f"DRIVER={driver}\n" if driver else ""
    ids = f"PCI_CLASS=30000\nPCI_ID={vendor.upper()}:{device.upper()}\nPCI_SLOT_NAME={address}\n"
    machine.write(f"{folder}/vendor", f"0x{vendor}\n")
    machine.write(f"{folder}/device", f"0x{device}\n")
    machine.write(f"{folder}/class", "0x030000\n")
    machine.write(f"{folder}/uevent", bound + ids)
    if driver:
        machine.link(f"{folder}/driver", f"../../../../bus/pci/drivers/{driver}")


def _kfd_node(machine: Machine, node: int, address: str, *, version: int, device: int, simds: int, vram: int) -> None:
    folder = f"/sys/class/kfd/kfd/topology/nodes/{node}"
    domain, bus, rest = address.split(":")
    location = int(bus, 16) << 8 | int(rest.partition(".")[0], 16) << 3
    machine.write(f"{folder}/gpu_id", "4711\n")
    machine.write(
        f"{folder}/properties",
        f"cpu_cores_count 0\nsimd_count {simds}\nmem_banks_count 1\ngfx_target_version {version}\nvendor_id 4098\n"
        f"device_id {device}\nlocation_id {location}\ndomain {int(domain, 16)}\ndrm_render_minor 128\n",
    )
    machine.write(f"{folder}/mem_banks/0/properties", f"heap_type 1\nsize_in_bytes {vram}\nflags 0\nwidth 384\n")
