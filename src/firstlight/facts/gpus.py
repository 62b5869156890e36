"""Compute devices of every vendor at once, brought together by PCI address from PCI, DRM, KFD and the NVIDIA driver."""

from __future__ import annotations

from ..host.model import Host
from .amd_gpus import amd_gpus
from .gpus_drm import drm_devices
from .gpus_kfd import kfd_topology
from .gpus_nvidia_proc import nvidia_entries
from .gpus_seen import brought_together
from .intel_gpus import intel_gpu
from .model import Gpu
from .nvidia_gpus import nvidia_gpus, platform_gpus
from .pci import ACCELERATOR, DISPLAY, functions

AMD, NVIDIA, INTEL = 0x1002, 0x10DE, 0x8086


def gpus(host: Host) -> list[Gpu]:
    """Every compute device: one entry for each partition, none collapsed, in order of PCI address and node. A value
    that cannot be read is null, with the reason in `unknown`. Nothing here raises; the cost is linear in the number
    of PCI functions, DRM nodes and KFD nodes."""
    kfd = kfd_topology(host)
    nvidia = nvidia_entries(host)
    drm = drm_devices(host)
    seen = brought_together(functions(host, frozenset({DISPLAY, ACCELERATOR})), drm)
    found = amd_gpus(host, [one for one in seen if one.function.vendor == AMD], kfd)
    found += nvidia_gpus(host, [one for one in seen if one.function.vendor == NVIDIA], nvidia)
    found += [intel_gpu(one) for one in seen if one.function.vendor == INTEL and one.function.base_class == DISPLAY]
    found += platform_gpus(host, [one for one in drm if one.address is None and one.function is None])
    return sorted(found, key=_order)


def _order(gpu: Gpu) -> tuple[int, str, int]:
    domain = (gpu.pci or "~").partition(":")[0]
    return len(domain), gpu.pci or f"~{gpu.physical}", -1 if gpu.node is None else gpu.node
