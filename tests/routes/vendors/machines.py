"""Recorded hosts to plan for: the least of sysfs and procfs that shows the chip, the driver, the C library, the Python.

Device ids and KFD's numbers are those of knowledge/; shapes as in shared/fixtures (kfd/, drm/, nvidia-proc/).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.planted.builder import Machine

GIB = 1 << 30
RENDER, VIDEO = 992, 44
BANNER = "NVRM version: NVIDIA UNIX {kind}  {version}  Release Build  (dvs-builder@U16)  Wed Oct 29 23:15:11 UTC 2025\n"
LIBC = "\x7fELF\x00GNU C Library (Ubuntu GLIBC {0}-0ubuntu8) stable release version {0}.\x00"
FIXED = "6.18.5-061805-generic"


def machine(folder: Path, *, arch: str = "x86_64", libc: str = "2.39", pythons: tuple[str, ...] = ("3.12",)) -> Machine:
    """A machine without a GPU: nothing is on its PCI bus."""
    found = Machine(folder)
    found.machine = arch
    found.write(f"/usr/lib/{arch}-linux-gnu/libc.so.6", LIBC.format(libc))
    found.link(f"/lib/{arch}-linux-gnu/libc.so.6", f"../../usr/lib/{arch}-linux-gnu/libc.so.6")
    for one in pythons:
        found.write(f"/usr/bin/python{one}", "\x7fELF")
    found.link("/usr/bin/python3", f"python{pythons[0]}")
    for path in ("/sys/bus/pci/devices", "/sys/class/drm", f"/usr/lib/{arch}-linux-gnu"):
        found.paths[path] = {"kind": "dir", "mode": "0755", "uid": 0, "gid": 0}
    found.kernel(FIXED)
    return found


def amd(found: Machine, *gpus: tuple[str, int, int, int]) -> Machine:
    """GPUs by PCI address, device id, KFD version and memory in GiB, in KFD's order."""
    nodes = "/sys/class/kfd/kfd/topology/nodes"
    found.write(f"{nodes}/0/properties", "cpu_cores_count 16\nsimd_count 0\nmem_banks_count 1\n")
    found.write(f"{nodes}/0/gpu_id", "0\n")
    for at, (address, device, version, gib) in enumerate(gpus):
        _pci(found, address, (0x1002, device), "amdgpu", at)
        bus, slot = (int(part, 16) for part in address[5:10].split(":"))
        found.write(f"{nodes}/{at + 1}/gpu_id", f"{4711 + at}\n")
        found.write(
            f"{nodes}/{at + 1}/properties",
            f"cpu_cores_count 0\nsimd_count 80\nsimd_per_cu 2\nmem_banks_count 1\ngfx_target_version {version}\n"
            f"vendor_id 4098\ndevice_id {device}\nlocation_id {bus << 8 | slot << 3}\ndomain 0\n"
            f"drm_render_minor {128 + at}\nunique_id {4660 + at}\n",
        )
        found.write(f"{nodes}/{at + 1}/mem_banks/0/properties",
                    f"heap_type 1\nsize_in_bytes {gib * GIB}\nflags 0\nwidth 256\n")  # fmt: skip
        found.write(f"/sys/bus/pci/devices/{address}/mem_info_vram_total", f"{gib * GIB}\n")
        found.write(f"/sys/bus/pci/devices/{address}/mem_info_gtt_total", f"{32 * GIB}\n")
    found.modules("amdgpu", "ttm")
    found.node("/dev/kfd", gid=RENDER)
    return found


def nvidia(found: Machine, version: str, device: int, *, model: str, kind: str = "x86_64 Kernel Module") -> Machine:
    """One GPU under that driver."""
    address = "0000:01:00.0"
    _pci(found, address, (0x10DE, device), "nvidia", 0)
    found.write("/proc/driver/nvidia/version", BANNER.format(kind=kind, version=version))
    found.write(
        f"/proc/driver/nvidia/gpus/{address}/information",
        f"Model: \t\t {model}\nIRQ:   \t\t 100\nBus Type: \t PCIe\nBus Location: \t {address}\nDevice Minor: \t 0\n",
    )
    found.modules("nvidia", "nvidia_uvm", "nvidia_modeset", "nvidia_drm")
    for name in ("nvidiactl", "nvidia-uvm", "nvidia0"):
        found.node(f"/dev/{name}", gid=0, mode="0666")
    for library in ("libcuda.so", "libnvidia-ml.so"):
        found.write(f"/usr/lib/{found.machine}-linux-gnu/{library}.{version}", "\x7fELF")
    return found


def _pci(found: Machine, address: str, ids: tuple[int, int], driver: str, at: int) -> None:
    folder = f"/sys/bus/pci/devices/{address}"
    for name, value in (("vendor", f"0x{ids[0]:04x}"), ("device", f"0x{ids[1]:04x}"), ("class", "0x030000")):
        found.write(f"{folder}/{name}", value + "\n")
    both = f"PCI_CLASS=30000\nPCI_ID={ids[0]:04X}:{ids[1]:04X}\nPCI_SLOT_NAME={address}\n"
    found.write(f"{folder}/uevent", f"DRIVER={driver}\n{both}")
    found.link(f"{folder}/driver", f"../../../../bus/pci/drivers/{driver}")
    for name in (f"card{at}", f"renderD{128 + at}"):
        found.link(f"/sys/class/drm/{name}/device", f"../../../bus/pci/devices/{address}")
        found.node(f"/dev/dri/{name}", gid=VIDEO if name.startswith("card") else RENDER)


HALO = ("0000:c5:00.0", 0x1586, 110501, 96)
NAVI31 = ("0000:03:00.0", 0x744C, 110000, 24)
RAPHAEL = ("0000:18:00.0", 0x164E, 100306, 1)
VEGA20 = ("0000:03:00.0", 0x66AF, 90006, 16)
KRACKAN = ("0000:c4:00.0", 0x1114, 110502, 16)
MI300X = ("0000:05:00.0", 0x74A1, 90402, 192)


def strix_halo(folder: Path) -> Machine:
    return amd(machine(folder), HALO)


def strix_halo_old_kernel(folder: Path) -> Machine:
    found = amd(machine(folder), HALO)
    found.remove(f"/lib/modules/{FIXED}")
    found.kernel("6.11.0-29-generic")
    return found


def strix_halo_hwe(folder: Path) -> Machine:
    """Ubuntu's own kernel with the fixes."""
    found = amd(machine(folder), HALO)
    found.remove(f"/lib/modules/{FIXED}")
    found.kernel("6.17.0-19-generic")
    return found


def strix_halo_new_python(folder: Path) -> Machine:
    return amd(machine(folder, pythons=("3.14",)), HALO)


def navi31_with_igpu(folder: Path) -> Machine:
    return amd(machine(folder), NAVI31, RAPHAEL)


def igpu_before_navi31(folder: Path) -> Machine:
    """KFD may list the processor's graphics first."""
    return amd(machine(folder), ("0000:02:00.0", *RAPHAEL[1:]), NAVI31)


def vega20(folder: Path) -> Machine:
    return amd(machine(folder), VEGA20)


def krackan(folder: Path) -> Machine:
    return amd(machine(folder), KRACKAN)


def mi300x(folder: Path) -> Machine:
    return amd(machine(folder), MI300X)


def gb10(folder: Path) -> Machine:
    kind = "Open Kernel Module for aarch64"
    return nvidia(machine(folder, arch="aarch64"), "580.95.05", 0x2E12, model="NVIDIA GB10", kind=kind)


def h100_535(folder: Path) -> Machine:
    return nvidia(machine(folder, libc="2.35", pythons=("3.10",)), "535.161.08", 0x2330, model="NVIDIA H100 80GB HBM3")


def h100_old_python(folder: Path) -> Machine:
    return nvidia(machine(folder, libc="2.34", pythons=("3.9",)), "580.105.08", 0x2330, model="NVIDIA H100 80GB HBM3")


def v100(folder: Path) -> Machine:
    return nvidia(machine(folder), "580.105.08", 0x1DB6, model="Tesla V100-PCIE-32GB")


def v100_old_libc(folder: Path) -> Machine:
    """An image with a C library of 2014 and a Python of its own."""
    return nvidia(machine(folder, libc="2.17", pythons=("3.11",)), "580.105.08", 0x1DB6, model="Tesla V100-PCIE-32GB")


def without_gpu(folder: Path) -> Machine:
    return machine(folder)


MACHINES: dict[str, Callable[[Path], Machine]] = {
    "gfx1151": strix_halo,
    "gfx1151-hwe": strix_halo_hwe,
    "gfx1151-old-kernel": strix_halo_old_kernel,
    "gfx1151-python-3.14": strix_halo_new_python,
    "gfx1100-igpu": navi31_with_igpu,
    "igpu-gfx1100": igpu_before_navi31,
    "gfx906": vega20,
    "gfx1152": krackan,
    "gfx942": mi300x,
    "sm_121-aarch64": gb10,
    "sm_90-driver-535": h100_535,
    "sm_90-python-3.9": h100_old_python,
    "sm_70": v100,
    "sm_70-glibc-2.17": v100_old_libc,
    "cpu": without_gpu,
}
