"""How much memory an AMD GPU has, and which of it."""

from __future__ import annotations

from ..host.model import Host
from .gpus_kfd import KfdNode
from .gpus_seen import Seen, number
from .model import GpuMemory
from .value import Record


class Pools(Record, frozen=True, kw_only=True):
    """Sizes in bytes."""

    total: int | None
    memory: GpuMemory | None
    visible: int | None
    reason: str
    """Why `total` or `memory` is null."""
    visible_reason: str


def pools(host: Host, seen: Seen | None, node: KfdNode | None, *, apu: bool | None, partition: bool) -> Pools:
    """amdgpu's mem_info_* files (Documentation/gpu/amdgpu/driver-misc.rst) and KFD's memory banks. The files speak of
    the whole card: of a partition only its own bank counts."""
    bank = node.bank_bytes if node else None
    if partition or seen is None:
        return Pools(total=bank, memory=None, visible=None, reason="not-captured", visible_reason="not-captured")
    vram, gtt, visible = (number(host, seen.folders, f"mem_info_{kind}_total") for kind in ("vram", "gtt", "vis_vram"))
    carveout, limit = _known(vram), _known(gtt)
    known = carveout is not None or limit is not None
    return Pools(
        total=_apu_total(bank, carveout, limit) if apu else carveout if carveout is not None else bank,
        memory=GpuMemory(carveout=carveout, gtt=limit) if known else None,
        visible=_known(visible),
        reason=next((one for one in (vram, gtt) if isinstance(one, str)), "not-captured"),
        visible_reason=visible if isinstance(visible, str) else "",
    )


def _apu_total(bank: int | None, carveout: int | None, gtt: int | None) -> int | None:
    """KFD's bank is the pool that the driver allocates from; without it the larger pool is, if both are known."""
    if bank is not None:
        return bank
    return max(carveout, gtt) if carveout is not None and gtt is not None else None


def _known(value: int | str) -> int | None:
    return value if isinstance(value, int) else None
