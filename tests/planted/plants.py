"""Faults to plant in a healthy machine: what is changed on it, and the cause that must then come first."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tests.planted.builder import Machine

AMD = ("phoenix-apu", "navi31-desktop", "mi300x-server")
NVIDIA = ("rtx3090-desktop", "dgx-station")
ALL = (*AMD, *NVIDIA, "laptop-without-gpu")


class Plant(NamedTuple):
    """One fault."""

    cause: str
    machines: tuple[str, ...]
    """Where it can be planted."""
    do: Callable[[Machine], None]
    layer: str = ""
    """Faults of one layer exclude each other when two are planted."""


def _nomodeset(machine: Machine) -> None:
    machine.cmdline("quiet nomodeset")
    _unbind(machine, "amdgpu")
    _unbind(machine, "nvidia")


def _unbind(machine: Machine, driver: str) -> None:
    """The driver is loaded for nothing or not at all: no link, no DRIVER line, no device node."""
    for uevent in machine.root.glob("sys/**/uevent"):
        if not uevent.is_file():
            continue
        text = uevent.read_text(errors="replace")
        if f"DRIVER={driver}\n" in text:
            uevent.write_text(text.replace(f"DRIVER={driver}\n", ""))
            link = uevent.parent / "driver"
            if link.is_symlink():
                link.unlink()
    if driver == "amdgpu":
        _pci_functions_without_drm(machine)
        machine.remove("/sys/class/kfd/kfd")
        machine.remove("/sys/class/drm")
        machine.paths["/sys/class/drm"] = {"kind": "dir", "mode": "0755", "uid": 0, "gid": 0}
        machine.paths["/sys/class/kfd"] = {"kind": "dir", "mode": "0755", "uid": 0, "gid": 0}
        for path in [p for p in machine.paths if p == "/dev/kfd" or p.startswith("/dev/dri/")]:
            machine.remove(path)
        machine.modules()
    if driver == "nvidia":
        machine.remove("/proc/driver/nvidia")
        for path in [p for p in machine.paths if p.startswith("/dev/nvidia")]:
            machine.remove(path)
        machine.modules()
        for module in ("nvidia", "nvidia_uvm"):
            machine.remove(f"/sys/module/{module}")


def _pci_functions_without_drm(machine: Machine) -> None:
    """What PCI still shows of AMD GPUs once no driver serves them."""
    for uevent in sorted(machine.root.glob("sys/class/drm/card*/device/uevent")):
        lines = dict(line.partition("=")[::2] for line in uevent.read_text().splitlines())
        if lines.get("PCI_ID", "").startswith("1002:"):
            _plain_pci(machine, lines["PCI_SLOT_NAME"], lines["PCI_ID"].partition(":")[2].lower(), "0x030000")
    seen: set[int] = set()
    for properties in sorted(machine.root.glob("sys/class/kfd/kfd/topology/nodes/*/properties")):
        values = dict(line.split()[:2] for line in properties.read_text().splitlines() if " " in line)
        if int(values.get("simd_count", 0)) and int(values["location_id"]) & ~7 not in seen:
            location = int(values["location_id"]) & ~7
            seen.add(location)
            address = f"{int(values.get('domain', 0)):04x}:{location >> 8 & 255:02x}:{location >> 3 & 31:02x}.0"
            _plain_pci(machine, address, f"{int(values['device_id']):04x}", "0x120000")


def _plain_pci(machine: Machine, address: str, device: str, class_: str) -> None:
    folder = f"/sys/bus/pci/devices/{address}"
    for name, value in (("vendor", "0x1002"), ("device", f"0x{device}"), ("class", class_)):
        machine.write(f"{folder}/{name}", value + "\n")
    machine.write(
        f"{folder}/uevent", f"PCI_CLASS={class_[2:]}\nPCI_ID=1002:{device.upper()}\nPCI_SLOT_NAME={address}\n"
    )


def _no_permission(machine: Machine) -> None:
    machine.groups = [1000, 44]
    machine.write("/etc/group", "root:x:0:\nvideo:x:44:user1\nrender:x:992:\nuser1:x:1000:\n")


def _not_logged_in_again(machine: Machine) -> None:
    machine.groups = [1000]


def _container_without_devices(machine: Machine) -> None:
    machine.write("/.dockerenv", "")
    machine.write("/proc/1/cgroup", "0::/../../docker/0123456789ab\n")
    for path in [p for p in machine.paths if p == "/dev/kfd" or p.startswith(("/dev/dri/", "/dev/nvidia"))]:
        machine.remove(path)
    machine.paths.pop("/dev/dri", None)


def _container_wrong_group(machine: Machine) -> None:
    machine.write("/.dockerenv", "")
    machine.write("/etc/group", "root:x:0:\nvideo:x:44:user1\nrender:x:109:user1\nuser1:x:1000:\n")
    machine.groups = [1000, 44, 109]


def _nouveau(machine: Machine) -> None:
    for uevent in machine.root.glob("sys/**/uevent"):
        text = uevent.read_text() if uevent.is_file() else ""
        if "DRIVER=nvidia\n" not in text:
            continue
        uevent.write_text(text.replace("DRIVER=nvidia\n", "DRIVER=nouveau\n"))
        driver = uevent.parent / "driver"
        # the shared captures hold some links as files with the link's text
        to = (
            str(driver.readlink())
            if driver.is_symlink()
            else driver.read_text()
            if driver.is_file()
            else "drivers/nvidia"
        )
        driver.unlink(missing_ok=True)
        driver.symlink_to(to.strip().removesuffix("nvidia") + "nouveau")
    machine.remove("/proc/driver/nvidia")
    for path in [p for p in machine.paths if p.startswith("/dev/nvidia")]:
        machine.remove(path)
    for module in ("nvidia", "nvidia_uvm", "nvidia_modeset", "nvidia_drm"):
        machine.remove(f"/sys/module/{module}")
    machine.modules("nouveau")


def _library_mismatch(machine: Machine) -> None:
    for file in list(machine.root.glob("usr/lib/x86_64-linux-gnu/lib*.so.*")):
        if file.name.startswith(("libcuda", "libnvidia-ml")):
            file.unlink()
            machine.write(f"/usr/lib/x86_64-linux-gnu/{file.name.partition('.so.')[0]}.so.595.71.05", "\x7fELF")


def _old_driver(machine: Machine) -> None:
    version = machine.root / "proc/driver/nvidia/version"
    for old in ("590.48.01", "580.105.08"):
        version.write_text(version.read_text().replace(old, "535.161.07"))
        for file in list(machine.root.glob(f"usr/lib/x86_64-linux-gnu/lib*.so.{old}")):
            file.rename(file.with_name(file.name.replace(old, "535.161.07")))
    site = machine.environment_with(("torch", "2.14.1+cu130"))
    _torch_says(machine, site, "2.14.1+cu130", cuda="13.0", hip=None)


def _torch_says(machine: Machine, site: str, version: str, *, cuda: str | None, hip: str | None) -> None:
    text = f"__version__ = {version!r}\ncuda: Optional[str] = {cuda!r}\nhip: Optional[str] = {hip!r}\n"
    machine.write(f"{site}/torch/version.py", text)


def _cpu_torch(machine: Machine) -> None:
    site = machine.environment_with(("torch", "2.14.1+cpu"))
    _torch_says(machine, site, "2.14.1+cpu", cuda=None, hip=None)


def _cuda_torch(machine: Machine) -> None:
    site = machine.environment_with(("torch", "2.14.1"), ("nvidia-cudnn-cu13", "9.24.0.43"))
    _torch_says(machine, site, "2.14.1+cu130", cuda="13.0", hip=None)


def _old_rocm_torch(machine: Machine) -> None:
    site = machine.environment_with(("torch", "2.4.1+rocm6.1"))
    _torch_says(machine, site, "2.4.1+rocm6.1", cuda=None, hip="6.1.40091")


def _volta_with_cuda_13(machine: Machine) -> None:
    _cuda_torch(machine)


def _device_wheel_missing(machine: Machine) -> None:
    site = machine.environment_with(
        ("torch", "2.14.0+rocm10.1.0"), ("rocm", "10.1.0"), ("rocm-sdk-core", "10.1.0"),
        ("rocm-sdk-libraries", "10.1.0"), ("rocm-sdk-device-gfx1030", "10.1.0"),
        ("amd-torch-device-gfx1030", "2.14.0+rocm10.1.0"),
    )  # fmt: skip
    _torch_says(machine, site, "2.14.0+rocm10.1.0", cuda=None, hip="10.1.0")


def _variable(name: str, value: str) -> Callable[[Machine], None]:
    def plant(machine: Machine) -> None:
        machine.environment[name] = value

    return plant


def _shadowed(machine: Machine) -> None:
    site = machine.environment_with(("torch", "2.14.0+rocm7.2"))
    _torch_says(machine, site, "2.14.0+rocm7.2", cuda=None, hip="7.2.53210")
    machine.write(f"{site}/torch/lib/libamdhip64.so", "\x7fELF")
    machine.write("/opt/rocm-6.3.0/.info/version", "6.3.0-39\n")
    machine.link("/opt/rocm", "rocm-6.3.0")
    machine.environment["LD_LIBRARY_PATH"] = "/opt/rocm/lib"


def _mixed(machine: Machine) -> None:
    site = machine.environment_with(("torch", "2.14.0+rocm7.14.0"), ("torchvision", "0.29.0+rocm10.1.0"))
    _torch_says(machine, site, "2.14.0+rocm7.14.0", cuda=None, hip="7.14.0")


def _low_gtt(machine: Machine) -> None:
    for file in machine.root.glob("sys/class/drm/card*/device/mem_info_gtt_total"):
        file.write_text(f"{8 << 30}\n")
    machine.write("/sys/module/ttm/parameters/pages_limit", f"{(8 << 30) // 4096}\n")


def _secure_boot(machine: Machine) -> None:
    release = "6.18.9-generic"
    machine.write("/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c", b"\x06\0\0\0\x01")
    machine.write("/var/lib/dkms/nvidia/590.48.01/source/dkms.conf", "PACKAGE_NAME=nvidia\n")
    machine.write(f"/var/lib/dkms/nvidia/590.48.01/{release}/x86_64/module/nvidia.ko", b"\x7fELF" + bytes(64))
    machine.write(f"/lib/modules/{release}/updates/dkms/nvidia.ko", b"\x7fELF" + bytes(64))
    _unbind(machine, "nvidia")


def _full_disk(machine: Machine) -> None:
    machine.free_bytes = 1 << 30


def _clock(machine: Machine) -> None:
    machine.created = 1_577_836_800.0  # 2020-01-01: before the kernel was built


def _no_uvm(machine: Machine) -> None:
    machine.modules("nvidia", "nvidia_modeset", "nvidia_drm")
    machine.remove("/sys/module/nvidia_uvm")
    machine.remove("/dev/nvidia-uvm")


def _command_line_alone(words: str) -> Callable[[Machine], None]:
    return lambda machine: machine.cmdline(words)


def _blacklist_alone(machine: Machine) -> None:
    machine.write("/etc/modprobe.d/no.conf", "blacklist amdgpu\n")


def _blacklisted(machine: Machine) -> None:
    _blacklist_alone(machine)
    _unbind(machine, "amdgpu")


def _kfd_of_another_group(machine: Machine) -> None:
    for path in [one for one in machine.paths if one == "/dev/kfd" or one.startswith("/dev/dri/render")]:
        machine.paths[path] = {**machine.paths[path], "gid": 109}


def _unsigned_alone(machine: Machine) -> None:
    machine.write("/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c", b"\x06\0\0\0\x01")
    machine.write("/lib/modules/6.18.9-generic/updates/dkms/nvidia.ko", b"\x7fELF" + bytes(64))


def _dkms_on_apu(machine: Machine) -> None:
    machine.write("/var/lib/dkms/amdgpu/6.12.12/6.18.9-generic/x86_64/module/amdgpu.ko.zst", b"")


PLANTS: dict[str, Plant] = {
    "nomodeset": Plant("nomodeset-blocks-amdgpu", AMD, _nomodeset, "driver"),
    "nomodeset-alone": Plant("nomodeset-blocks-amdgpu", AMD, _command_line_alone("quiet nomodeset"), "driver"),
    "blacklisted": Plant("amdgpu-blacklisted", AMD, _blacklisted, "driver"),
    "blacklist-alone": Plant("amdgpu-blacklisted", AMD, _blacklist_alone, "driver"),
    "unsigned-alone": Plant("secure-boot-unsigned-module", NVIDIA, _unsigned_alone, "driver"),
    "old-kernel": Plant("kernel-too-old-for-gpu", AMD, lambda machine: machine.kernel("5.15.0-100-generic"), "driver"),
    "dkms-on-apu": Plant("amdgpu-dkms-over-intree", ("phoenix-apu",), _dkms_on_apu, "driver"),
    "kfd-of-another-group": Plant("kfd-permission-render-group", AMD, _kfd_of_another_group, "access"),
    "no-permission": Plant("kfd-permission-render-group", AMD, _no_permission, "access"),
    "not-logged-in-again": Plant("group-not-effective-until-login", AMD, _not_logged_in_again, "access"),
    "container-without-devices": Plant("container-missing-gpu-devices", (*AMD, *NVIDIA), _container_without_devices,
                                       "access"),
    "container-wrong-group": Plant("container-render-gid-mismatch", AMD, _container_wrong_group, "access"),
    "nouveau": Plant("gpu-bound-to-other-driver", NVIDIA, _nouveau, "driver"),
    "library-mismatch": Plant("nvidia-driver-library-mismatch", NVIDIA, _library_mismatch, "driver"),
    "old-driver": Plant("nvidia-driver-too-old", NVIDIA[:1], _old_driver, "driver"),
    "secure-boot": Plant("secure-boot-unsigned-module", ("rtx3090-desktop",), _secure_boot, "driver"),
    "no-uvm": Plant("nvidia-uvm-missing", NVIDIA, _no_uvm, "driver"),
    "cpu-torch": Plant("torch-wrong-backend-wheel", (*AMD, *NVIDIA), _cpu_torch, "torch"),
    "cuda-torch": Plant("torch-wrong-backend-wheel", AMD, _cuda_torch, "torch"),
    "old-rocm-torch": Plant("gpu-arch-not-in-rocm-build", ("phoenix-apu",), _old_rocm_torch, "torch"),
    "volta-with-cuda-13": Plant("cuda-arch-not-in-torch-build", ("dgx-station",), _volta_with_cuda_13, "torch"),
    "device-wheel": Plant("device-wheel-missing", AMD, _device_wheel_missing, "torch"),
    "mixed": Plant("mixed-rocm-index-versions", ("navi31-desktop",), _mixed, "torch"),
    "shadowed": Plant("system-rocm-shadows-wheel-libs", ("navi31-desktop", "mi300x-server"), _shadowed, "torch"),
    "override": Plant("hsa-override-wrong", AMD, _variable("HSA_OVERRIDE_GFX_VERSION", "8.0.3"), "variable"),
    "hip-hidden": Plant("hip-visible-devices-hides-gpu", AMD, _variable("HIP_VISIBLE_DEVICES", "-1"), "variable"),
    "cuda-hidden": Plant("cuda-visible-devices-hides-gpu", NVIDIA, _variable("CUDA_VISIBLE_DEVICES", ""), "variable"),
    "low-gtt": Plant("apu-gtt-limit-too-low", ("phoenix-apu",), _low_gtt, "memory"),
    "full-disk": Plant("disk-full", ALL, _full_disk, "disk"),
    "clock": Plant("clock-skew", ALL, _clock, "clock"),
}  # fmt: skip
