"""AMD GPUs as the kernel's compute driver shows them: /sys/class/kfd/kfd/topology/nodes (amdkfd/kfd_topology.c)."""

from __future__ import annotations

from ..host.model import Host, Missing, Unread, text
from .value import Record

NODES = "/sys/class/kfd/kfd/topology/nodes"
NODES_AT_MOST = 1 << 14
BANKS_AT_MOST = 64
FRAME_BUFFER = (1, 2)
"""heap_type of a memory bank: public and private frame buffer (HSA_MEM_HEAP_TYPE_FB_*, kfd_crat.h)."""


class KfdNode(Record, frozen=True, kw_only=True):
    """One node with compute units: a GPU, or a partition of one."""

    number: int
    version: int
    """gfx_target_version; 0 where the kernel is too old to tell."""
    device: int | None
    domain: int
    location: int
    """PCI bus, device and function in 16 bits; of partitions the function is the partition's number."""
    unique: int
    """0 says nothing."""
    render_minor: int
    """0: masked or not told."""
    compute_units: int | None
    with_cpu: bool
    """The node holds CPU cores, too: an APU of the old kind."""
    bank_bytes: int | None
    """Its memory banks together; on an APU the pool that the driver allocates from."""

    @property
    def card(self) -> str:
        """`domain:bus:device`."""
        return f"{self.domain:04x}:{self.location >> 8 & 0xFF:02x}:{self.location >> 3 & 0x1F:02x}"

    @property
    def address(self) -> str:
        """With the function bits as they are told."""
        return f"{self.card}.{self.location & 7}"


class KfdTopology(Record, frozen=True, kw_only=True):
    """The nodes, and whether they are all."""

    nodes: list[KfdNode]
    missing: str | None
    """Why it is not known that a card is absent from the topology; null: what is not in `nodes` is not in KFD."""


def kfd_topology(host: Host) -> KfdTopology:
    """All GPU nodes by number. A node that could not be read makes the topology incomplete, nothing else."""
    names = host.names(NODES)
    if isinstance(names, Unread):
        return KfdTopology(nodes=[], missing=None if names.reason is Missing.ABSENT else names.reason.value)
    numbers = sorted(int(name) for name in names if name.isascii() and name.isdigit() and len(name) < 6)
    nodes, missing = [], None
    for number in numbers[:NODES_AT_MOST]:
        told = _numbers(host, f"{NODES}/{number}/properties")
        if isinstance(told, Unread):
            missing = told.reason.value
        elif told.get("simd_count", 0) > 0:
            nodes.append(_node(host, number, told))
    if missing is None and numbers != list(range(len(numbers))):
        missing = Missing.NOT_CAPTURED.value  # the kernel numbers without gaps
    return KfdTopology(nodes=nodes, missing=missing if numbers else Missing.NOT_CAPTURED.value)


def _node(host: Host, number: int, told: dict[str, int]) -> KfdNode:
    device = told.get("device_id", 0)
    per_unit = told.get("simd_per_cu", 0)
    return KfdNode(
        number=number,
        version=told.get("gfx_target_version", 0),
        device=device if 0 < device <= 0xFFFF else None,
        domain=told.get("domain", 0) & 0xFFFFFFFF,
        location=told.get("location_id", 0) & 0xFFFF,
        unique=told.get("unique_id", 0),
        render_minor=told.get("drm_render_minor", 0),
        compute_units=told["simd_count"] // per_unit if per_unit else None,
        with_cpu=told.get("cpu_cores_count", 0) > 0,
        bank_bytes=_banks(host, number) or told.get("local_mem_size", 0) or None,
    )


def _banks(host: Host, number: int) -> int:
    folder = f"{NODES}/{number}/mem_banks"
    names = host.names(folder)
    total = 0
    for name in () if isinstance(names, Unread) else names[:BANKS_AT_MOST]:
        bank = _numbers(host, f"{folder}/{name}/properties")
        if not isinstance(bank, Unread) and bank.get("heap_type") in FRAME_BUFFER:
            total += bank.get("size_in_bytes", 0)
    return total


def _numbers(host: Host, path: str) -> dict[str, int] | Unread:
    """`name number` lines; what is no number below 2^64 is left out."""
    found = text(host, path, 1 << 16)
    if isinstance(found, Unread):
        return found
    pairs = (line.split(" ", 1) for line in found.splitlines() if " " in line)
    return {name: int(value) for name, value in pairs if value.isascii() and value.isdigit() and len(value) <= 20}
