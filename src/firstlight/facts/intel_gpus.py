"""Intel GPUs: listed, so that nobody misses them; this program does not judge their stack."""

from __future__ import annotations

from ..knowledge import pci
from .gpus_seen import Seen, Unknowns, hexadecimal
from .model import Gpu

VENDOR = 0x8086


def intel_gpu(seen: Seen) -> Gpu:
    """`target` and `usable` stay null."""
    function = seen.function
    full = pci.name(VENDOR, function.device)
    name = pci.bracketed(full) if full else None
    unknown = Unknowns(usable="not-judged", apu="not-judged", memory_bytes="not-judged")
    unknown.note("name", name, "device-id-not-known")
    unknown.note("driver", function.driver, function.driver_unknown)
    return Gpu(
        vendor="intel",
        target=None,
        name=name,
        memory_bytes=None,
        memory=None,
        pci=function.address,
        device_id=hexadecimal((VENDOR, function.device)),
        subsystem_id=hexadecimal(function.subsystem),
        apu=None,
        node=None,
        physical=(function.address or function.path).rpartition(".")[0] or function.path,
        render_node=f"/dev/dri/{seen.render}" if seen.render else None,
        card_node=f"/dev/dri/{seen.card}" if seen.card else None,
        driver=function.driver,
        kfd=None,
        compute_units=None,
        visible_vram_bytes=None,
        usable=None,
        why=None,
        unknown=dict(unknown),
    )
