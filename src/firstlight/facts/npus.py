"""Neural processors: never counted as GPUs."""

from __future__ import annotations

from ..host.model import Host, Unread
from ..knowledge import pci as ids
from .gpus_seen import hexadecimal
from .model import Npu
from .pci import ACCELERATOR, SIGNAL, PciFunction, followed, functions, is_address

ACCEL = "/sys/class/accel"
VENDORS = {0x1022: "amd", 0x8086: "intel", 0x1002: "amd"}
DRIVERS = frozenset({"amdxdna", "intel_vpu"})
"""Kernel drivers of NPUs (drivers/accel)."""
NODES_AT_MOST = 4096


def npus(host: Host) -> list[Npu]:
    """Intel's show themselves as accelerators (class 12), AMD's as signal processors (class 11); of the latter only
    what pci.ids names as one, or what an NPU driver is bound to, counts."""
    found = [one for one in functions(host, frozenset({ACCELERATOR, SIGNAL})) if _is_npu(one)]
    nodes = _nodes(host) if found else {}
    return [_npu(one, nodes) for one in found]


def _is_npu(function: PciFunction) -> bool:
    if function.driver in DRIVERS:
        return True
    name = ids.name(function.vendor, function.device) or ""
    named = "NPU" in name or "Neural Processing" in name
    return named or (function.vendor == 0x8086 and function.base_class == ACCELERATOR)


def _npu(function: PciFunction, nodes: dict[str, str]) -> Npu:
    return Npu(
        vendor=VENDORS.get(function.vendor, f"{function.vendor:04x}"),
        name=ids.name(function.vendor, function.device),
        pci=function.address,
        device_id=hexadecimal((function.vendor, function.device)),
        driver=function.driver,
        node=nodes.get(function.address or ""),
    )


def _nodes(host: Host) -> dict[str, str]:
    """PCI address -> /dev/accel/accelN."""
    names = host.names(ACCEL)
    found: dict[str, str] = {}
    for name in () if isinstance(names, Unread) else names[:NODES_AT_MOST]:
        path = followed(host, f"{followed(host, f'{ACCEL}/{name}')}/device")
        real = host.resolve(path)
        for place in (path, "" if isinstance(real, Unread) else real):
            address = place.rpartition("/")[2].lower()
            if name.startswith("accel") and is_address(address):
                found[address] = f"/dev/accel/{name}"
    return found
