"""More recorded hosts to plan for: old and new chips, several GPUs, drivers that are too old, absent or not recorded,
other C libraries, architectures and Pythons. Device ids are those of pci.ids, KFD's numbers those of the kernel."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.planted.builder import Machine

from .machines import FIXED, HALO, MI300X, NAVI31, RAPHAEL, amd, machine, nvidia

NAVI48 = ("0000:03:00.0", 0x7550, 120001, 16)
NAVI21 = ("0000:03:00.0", 0x73BF, 100300, 16)
NAVI10 = ("0000:03:00.0", 0x731F, 100100, 8)
PHOENIX = ("0000:c4:00.0", 0x15BF, 110003, 4)
MI250 = ("0000:c1:00.0", 0x740C, 90010, 64)
MI350X = ("0000:05:00.0", 0x75A0, 90500, 288)
MI100 = ("0000:03:00.0", 0x738C, 90008, 32)
VEGA10 = ("0000:03:00.0", 0x687F, 90000, 8)
POLARIS = ("0000:03:00.0", 0x67DF, 80003, 8)
STRIX = ("0000:c4:00.0", 0x150E, 110500, 8)
KRACKAN2 = ("0000:c4:00.0", 0x1902, 110503, 4)
UNKNOWN = ("0000:03:00.0", 0x7FFF, 0, 16)

ARM = "Open Kernel Module for aarch64"
WSL = "6.6.87.2-microsoft-standard-WSL2"


def _at(gpu: tuple[str, int, int, int], address: str) -> tuple[str, int, int, int]:
    return (address, *gpu[1:])


def radeon(*gpus: tuple[str, int, int, int], kernel: str = FIXED, pythons: tuple[str, ...] = ("3.12",),
           libc: str = "2.39") -> Callable[[Path], Machine]:  # fmt: skip
    """A machine with these AMD GPUs."""

    def make(folder: Path) -> Machine:
        found = amd(machine(folder, pythons=pythons, libc=libc), *gpus)
        if kernel != FIXED:
            found.remove(f"/lib/modules/{FIXED}")
            found.kernel(kernel)
        return found

    return make


def geforce(device: int, model: str, driver: str, *, arch: str = "x86_64", pythons: tuple[str, ...] = ("3.12",),
            libc: str = "2.39") -> Callable[[Path], Machine]:  # fmt: skip
    """A machine with this NVIDIA GPU under this driver."""

    def make(folder: Path) -> Machine:
        kind = ARM if arch == "aarch64" else "x86_64 Kernel Module"
        return nvidia(machine(folder, arch=arch, pythons=pythons, libc=libc), driver, device, model=model, kind=kind)

    return make


def plain(arch: str = "x86_64", libc: str = "2.39", pythons: tuple[str, ...] = ("3.12",)) -> Callable[[Path], Machine]:
    """A machine without a GPU."""
    return partial(machine, arch=arch, libc=libc, pythons=pythons)


def mi250_x8(folder: Path) -> Machine:
    """Four boards of two dies each: eight devices."""
    buses = ("11", "14", "32", "35", "8b", "8e", "ad", "b0")
    return amd(machine(folder), *(_at(MI250, f"0000:{bus}:00.0") for bus in buses))


def mi300x_cpx(folder: Path) -> Machine:
    """One card as eight devices: KFD gives each its number in the function bits of its place."""
    found = amd(machine(folder), MI300X)
    nodes = "/sys/class/kfd/kfd/topology/nodes"
    for part in range(8):
        found.write(f"{nodes}/{part + 1}/gpu_id", f"{4711 + part}\n")
        found.write(
            f"{nodes}/{part + 1}/properties",
            f"cpu_cores_count 0\nsimd_count 152\nsimd_per_cu 4\nmem_banks_count 1\ngfx_target_version 90402\n"
            f"vendor_id 4098\ndevice_id {0x74A1}\nlocation_id {0x500 | part}\ndomain 0\n"
            f"drm_render_minor {128 + part}\nunique_id 4660\n",
        )
        found.node(f"/dev/dri/renderD{128 + part}", gid=992)
    found.write("/sys/bus/pci/devices/0000:05:00.0/current_compute_partition", "CPX\n")
    return found


def amd_and_nvidia(folder: Path, own: tuple[str, int, int, int] = ("0000:0a:00.0", *NAVI31[1:])) -> Machine:
    """An RTX 4090 beside an AMD GPU."""
    found = nvidia(machine(folder), "580.105.08", 0x2684, model="NVIDIA GeForce RTX 4090")
    amd(found, own)
    found.modules("amdgpu", "ttm", "nvidia", "nvidia_uvm", "nvidia_modeset", "nvidia_drm")
    return found


def unserved(*gpus: tuple[str, int, int, int]) -> Callable[[Path], Machine]:
    """AMD cards on the bus for which no driver is loaded."""

    def make(folder: Path) -> Machine:
        found = amd(machine(folder), *gpus)
        for address, *_ in gpus:
            found.remove(f"/sys/bus/pci/devices/{address}/driver")
            place = f"/sys/bus/pci/devices/{address}/uevent"
            found.write(place, (found.root / place.lstrip("/")).read_text().replace("DRIVER=amdgpu\n", ""))
        for path in ("/sys/class/kfd", "/sys/class/drm", "/dev/kfd", "/dev/dri", "/sys/module/amdgpu"):
            found.remove(path)
        found.paths["/sys/class/drm"] = {"kind": "dir", "mode": "0755", "uid": 0, "gid": 0}
        found.modules("ttm")
        return found

    return make


def nouveau(folder: Path) -> Machine:
    """An RTX 4090 under the kernel's own driver."""
    found = nvidia(machine(folder), "580.105.08", 0x2684, model="NVIDIA GeForce RTX 4090")
    address = "/sys/bus/pci/devices/0000:01:00.0"
    found.link(f"{address}/driver", "../../../../bus/pci/drivers/nouveau")
    found.write(f"{address}/uevent", "DRIVER=nouveau\nPCI_CLASS=30000\nPCI_ID=10DE:2684\nPCI_SLOT_NAME=0000:01:00.0\n")
    for path in ("/proc/driver/nvidia", "/sys/module/nvidia", "/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia0"):
        found.remove(path)
    for library in ("libcuda.so", "libnvidia-ml.so"):
        found.remove(f"/usr/lib/x86_64-linux-gnu/{library}.580.105.08")
    found.modules("nouveau")
    return found


def driver_not_captured(folder: Path) -> Machine:
    """An H100 whose driver's own files were not recorded."""
    found = nvidia(machine(folder), "580.105.08", 0x2330, model="NVIDIA H100 80GB HBM3")
    for path in ("/proc/driver/nvidia", "/sys/module/nvidia", "/sys/module"):
        found.remove(path)
    for library in ("libcuda.so", "libnvidia-ml.so"):
        found.remove(f"/usr/lib/x86_64-linux-gnu/{library}.580.105.08")
    for path in ("/proc/driver/nvidia", "/sys/module", "/proc/driver/nvidia/version"):
        found.paths[path] = {"missing": "not-captured"}
    return found


def jetson_orin(folder: Path, driver: str = "540.4.0") -> Machine:
    """JetPack 6: its GPU is on no PCI bus."""
    found = machine(folder, arch="aarch64", libc="2.35", pythons=("3.10",))
    gpu = "/sys/devices/platform/bus@0/17000000.gpu"
    found.write(f"{gpu}/uevent", "DRIVER=gk20a\nOF_NAME=gpu\nOF_FULLNAME=/bus@0/gpu@17000000\n"
                "OF_COMPATIBLE_0=nvidia,ga10b\nOF_COMPATIBLE_N=1\n")  # fmt: skip
    found.link("/sys/bus/platform/devices/17000000.gpu", "../../../devices/platform/bus@0/17000000.gpu")
    found.write("/proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX Open Kernel Module for aarch64  "
                f"{driver}  Release Build  (buildbrain@host)  Tue Jan  7 17:35:12 PST 2025\n")  # fmt: skip
    found.write("/etc/nv_tegra_release", "# R36 (release), REVISION: 4.3, GCID: 38968081, BOARD: generic\n")
    found.kernel("5.15.148-tegra")
    found.modules("nvgpu", "nvidia")
    for name in ("nvidiactl", "nvidia0", "nvmap"):
        found.node(f"/dev/{name}", gid=44)
    return found


def alpine(folder: Path, *, gpu: bool = False) -> Machine:
    """musl instead of the GNU C library."""
    found = machine(folder)
    if gpu:
        nvidia(found, "470.256.02", 0x1EB8, model="Tesla T4")
    for path in ("/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu"):
        found.remove(path)
        found.paths[path] = {"missing": "absent"}
    for path in ("/lib64", "/usr/lib64"):
        found.paths[path] = {"missing": "absent"}
    found.write("/lib/ld-musl-x86_64.so.1", "\x7fELF")
    found.write("/etc/os-release", 'ID=alpine\nVERSION_ID=3.22.1\nPRETTY_NAME="Alpine Linux v3.22"\n')
    return found


def free_threaded(folder: Path) -> Machine:
    """Only the Python without a global lock, whose wheels have tags of their own."""
    found = machine(folder)
    found.remove("/usr/bin/python3.12")
    found.write("/usr/bin/python3.13t", "\x7fELF")
    found.link("/usr/bin/python3", "python3.13t")
    return found


def wsl(folder: Path) -> Machine:
    """Windows holds the GPU."""
    found = machine(folder)
    found.remove(f"/lib/modules/{FIXED}")
    found.kernel(WSL)
    found.node("/dev/dxg", gid=0, mode="0666")
    found.write("/usr/lib/wsl/lib/libdxcore.so", "\x7fELF")
    return found


def fedora(folder: Path) -> Machine:
    """Fedora 43, whose kernels have the fixes before their number says so."""
    found = radeon(HALO, kernel="6.17.12-300.fc43.x86_64")(folder)
    found.write("/etc/os-release", 'ID=fedora\nVERSION_ID=43\nPRETTY_NAME="Fedora Linux 43 (Workstation Edition)"\n')
    return found


T4, A100, RTX3090, RTX4090 = (0x1EB8, "Tesla T4"), (0x20B5, "NVIDIA A100 80GB PCIe"), \
    (0x2204, "NVIDIA GeForce RTX 3090"), (0x2684, "NVIDIA GeForce RTX 4090")  # fmt: skip
B200, B300, RTX5090 = (0x2901, "NVIDIA B200"), (0x3182, "NVIDIA B300 SXM6 AC"), (0x2B85, "NVIDIA GeForce RTX 5090")
GH200, GB200 = (0x2342, "NVIDIA GH200 480GB"), (0x2941, "NVIDIA GB200")

HELD: dict[str, Callable[[Path], Machine]] = {
    "gfx1201": radeon(NAVI48),
    "gfx1030": radeon(NAVI21),
    "gfx1010": radeon(NAVI10),
    "gfx1103": radeon(PHOENIX),
    "gfx90a-x8": mi250_x8,
    "gfx950": radeon(MI350X),
    "gfx908": radeon(MI100),
    "gfx900": radeon(VEGA10),
    "gfx803": radeon(POLARIS),
    "gfx1150": radeon(STRIX),
    "gfx1153": radeon(KRACKAN2),
    "gfx1036": radeon(RAPHAEL),
    "gfx1100-gfx1030": radeon(NAVI31, _at(NAVI21, "0000:0a:00.0")),
    "gfx1100-gfx1010": radeon(NAVI31, _at(NAVI10, "0000:0a:00.0")),
    "gfx900-gfx1100": radeon(VEGA10, _at(NAVI31, "0000:0a:00.0")),
    "gfx1100-gfx1150": radeon(NAVI31, STRIX),
    "gfx1150-gfx1100": radeon(STRIX, _at(NAVI31, "0000:c8:00.0")),
    "gfx942-cpx": mi300x_cpx,
    "gfx1100-sm_89": amd_and_nvidia,
    "gfx1103-sm_89": partial(amd_and_nvidia, own=PHOENIX),
    "gfx1036-sm_89": partial(amd_and_nvidia, own=RAPHAEL),
    "amd-unknown": unserved(UNKNOWN),
    "gfx1300": radeon(("0000:03:00.0", 0x7FFF, 130000, 16)),
    "gfx1100-no-driver": unserved(NAVI31),
    "gfx1100-glibc-2.17": radeon(NAVI31, libc="2.17"),
    "sm_61-580": geforce(0x1B06, "NVIDIA GeForce GTX 1080 Ti", "580.105.08"),
    "sm_75-470": geforce(*T4, "470.256.02"),
    "sm_80-525": geforce(*A100, "525.147.05"),
    "sm_86-550": geforce(*RTX3090, "550.163.01"),
    "sm_89-535": geforce(*RTX4090, "535.288.01"),
    "sm_89-575": geforce(*RTX4090, "575.64.05"),
    "sm_89-590": geforce(*RTX4090, "590.48.01"),
    "sm_100-570": geforce(*B200, "570.195.03"),
    "sm_100-580": geforce(*B200, "580.105.08"),
    "sm_103-580": geforce(*B300, "580.105.08"),
    "sm_120-570": geforce(*RTX5090, "570.195.03"),
    "sm_120-575": geforce(*RTX5090, "575.64.05"),
    "sm_120-590": geforce(*RTX5090, "590.48.01"),
    "gh200-580": geforce(*GH200, "580.105.08", arch="aarch64"),
    "gh200-550": geforce(*GH200, "550.163.01", arch="aarch64"),
    "gb200-570": geforce(*GB200, "570.195.03", arch="aarch64"),
    "gb200-580": geforce(*GB200, "580.105.08", arch="aarch64"),
    "jetson-orin": jetson_orin,
    "jetson-orin-580": partial(jetson_orin, driver="580.00"),
    "sm_37-470": geforce(0x102D, "Tesla K80", "470.256.02", pythons=("3.11",)),
    "sm_89-nouveau": nouveau,
    "sm_90-not-captured": driver_not_captured,
    "musl": alpine,
    "musl-sm_75": partial(alpine, gpu=True),
    "glibc-2.17": plain(libc="2.17"),
    "glibc-2.26": plain(libc="2.26"),
    "glibc-2.31": plain(libc="2.31"),
    "aarch64": plain(arch="aarch64"),
    "ppc64le": plain(arch="ppc64le"),
    "riscv64": plain(arch="riscv64"),
    "python-3.9": plain(pythons=("3.9",)),
    "python-3.14": plain(pythons=("3.14",)),
    "python-3.14-3.12": plain(pythons=("3.14", "3.12")),
    "python-3.13t": free_threaded,
    "python-3.13-gfx1151": radeon(HALO, pythons=("3.13",)),
    "python-3.13-3.12-gfx1151": radeon(HALO, pythons=("3.13", "3.12")),
    "wsl": wsl,
    "halo-6.11": radeon(HALO, kernel="6.11.0-29-generic"),
    "halo-6.14-oem-1017": radeon(HALO, kernel="6.14.0-1017-oem"),
    "halo-6.14-oem-1018": radeon(HALO, kernel="6.14.0-1018-oem"),
    "halo-6.17-14": radeon(HALO, kernel="6.17.0-14-generic"),
    "halo-6.17-19": radeon(HALO, kernel="6.17.0-19-generic"),
    "halo-6.18.3": radeon(HALO, kernel="6.18.3-arch1-1"),
    "halo-6.18.4": radeon(HALO, kernel="6.18.4-arch1-1"),
    "halo-fedora-43": fedora,
}
