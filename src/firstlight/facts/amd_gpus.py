"""AMD GPUs: KFD nodes and PCI functions brought together."""

from __future__ import annotations

from collections.abc import Iterator

from ..host.model import Host
from ..knowledge.amd_chips import (
    AmdChip,
    amd,
    amd_by_device,
    is_before_gcn,
    is_management_display,
    target_of_kfd,
)
from .amd_memory import pools
from .gpus_kfd import KfdNode, KfdTopology
from .gpus_seen import Seen, Unknowns, card_of, hexadecimal, serial_of
from .model import Gpu
from .pci import ACCELERATOR, DISPLAY
from .value import Record

VENDOR = 0x1002
COMPUTE_DRIVER = "amdgpu"
NOT_LISTED, NO_TARGET = "device-id-not-known", "chip-without-known-target"


class _Part(Record, frozen=True, kw_only=True):
    """One entry of the list in the making."""

    seen: Seen | None
    node: KfdNode | None
    address: str | None
    physical: str
    partition: bool
    """One of several nodes of its card."""


def amd_gpus(host: Host, seen: list[Seen], kfd: KfdTopology) -> list[Gpu]:
    """One entry for each KFD node, and one for each AMD display device or accelerator that has no node."""
    cards = [one for one in seen if _is_gpu(one)]
    return [_gpu(host, part, kfd) for part in _parts(host, cards, kfd.nodes)]


def _is_gpu(seen: Seen) -> bool:
    function = seen.function
    return function.base_class in {DISPLAY, ACCELERATOR, None} and not is_management_display(function.device)


def _parts(host: Host, cards: list[Seen], nodes: list[KfdNode]) -> Iterator[_Part]:
    by_address = {one.function.address: one for one in cards if one.function.address}
    crowd: dict[str, int] = {}
    for node in nodes:
        crowd[node.card] = crowd.get(node.card, 0) + 1
    named: dict[str, str] = {}
    served: set[str] = set()
    for node in nodes:
        address = _address(node, by_address, crowded=crowd[node.card] > 1)
        seen = by_address.get(address)
        served.add(address)
        physical = _physical(host, node, seen, named)
        yield _Part(seen=seen, node=node, address=address, physical=physical, partition=crowd[node.card] > 1)
    for one in cards:
        own = one.function.address
        if own not in served:
            yield _Part(seen=one, node=None, address=own, physical=_physical(host, None, one, named), partition=False)


def _address(node: KfdNode, by_address: dict[str, Seen], *, crowded: bool) -> str:
    """Partitions bear their number in the function bits (kfd_topology.c: location_id |= node_id); the card itself is
    function 0."""
    if node.address in by_address and not crowded:
        return node.address
    first = f"{node.card}.0"
    return first if crowded or first in by_address else node.address


def _physical(host: Host, node: KfdNode | None, seen: Seen | None, named: dict[str, str]) -> str:
    """The same name for what has one unique_id, one serial number (both dies of an MI250X: their unique_ids differ), or
    one PCI device."""
    card = card_of(host, seen) if seen else node.card if node else ""
    serial = serial_of(host, seen) if seen else None
    keys = [f"unique {node.unique}" if node and node.unique else card, f"serial {serial}" if serial else card, card]
    name = next((named[key] for key in keys if key in named), card)
    named.update(dict.fromkeys(keys, name))
    return name


def _gpu(host: Host, part: _Part, kfd: KfdTopology) -> Gpu:
    unknown = Unknowns()
    seen, node = part.seen, part.node
    device = seen.function.device if seen else node.device if node else None
    by_id = amd_by_device(device) if device is not None else None
    target = _target(node, by_id)
    chip = by_id or (amd(target) if target else None)
    apu = _apu(node, chip)
    memory = pools(host, seen, node, apu=apu, partition=part.partition)
    driver, driver_reason = (seen.function.driver, seen.function.driver_unknown) if seen else (None, "not-captured")
    in_kfd = True if node else None if kfd.missing else False
    render, card = _nodes(part)
    hopeless = _hopeless(device, chip)
    usable, why, doubt = _usable(driver, driver_reason, in_kfd=in_kfd, render=render, hopeless=hopeless)
    name = _name(device, seen) if device is not None else None
    nameless = NOT_LISTED if name is None else hopeless or NO_TARGET
    for field, value, reason in (
        ("target", target, nameless), ("name", name, NOT_LISTED), ("apu", apu, nameless),
        ("memory_bytes", memory.total, memory.reason), ("memory", memory.memory, memory.reason),
        ("visible_vram_bytes", memory.visible, memory.visible_reason),
        ("driver", driver, driver_reason), ("kfd", in_kfd, kfd.missing), ("usable", usable, doubt),
        ("render_node", render, "not-captured" if not node or node.render_minor == 0 else None),
        ("compute_units", node.compute_units if node else None, "no-kfd-node"),
    ):  # fmt: skip
        unknown.note(field, value, reason)
    return Gpu(
        vendor="amd",
        target=target,
        name=name,
        memory_bytes=memory.total,
        memory=memory.memory,
        pci=part.address,
        device_id=hexadecimal((VENDOR, device)) if device is not None else None,
        subsystem_id=hexadecimal(seen.function.subsystem) if seen else None,
        apu=apu,
        node=node.number if node else None,
        physical=part.physical,
        render_node=render,
        card_node=card,
        driver=driver,
        kfd=in_kfd,
        compute_units=node.compute_units if node else None,
        visible_vram_bytes=memory.visible,
        usable=usable,
        why=why,
        unknown=dict(unknown),
    )


def _target(node: KfdNode | None, chip: AmdChip | None) -> str | None:
    """KFD says it; an old kernel's KFD, and every other place, has only the device id."""
    told = target_of_kfd(node.version) if node else None
    return told or (chip.target if chip else None)


def _apu(node: KfdNode | None, chip: AmdChip | None) -> bool | None:
    return True if node and node.with_cpu else chip.apu if chip else None


def _name(device: int, seen: Seen | None) -> str | None:
    """The board's name where pci.ids has the subsystem, else the product's."""
    from ..knowledge import pci

    full = pci.name(VENDOR, device)
    board = pci.name(VENDOR, device, seen.function.subsystem) if seen and seen.function.subsystem else None
    if full is None:
        return None
    return board if board and board != full else pci.bracketed(full)


def _nodes(part: _Part) -> tuple[str | None, str | None]:
    """(/dev/dri/renderDN, /dev/dri/cardN). A further partition has a render node of its own, and no card node."""
    seen, node = part.seen, part.node
    told = f"renderD{node.render_minor}" if node and node.render_minor else None
    own = seen is not None and (not part.partition or (told is not None and told == seen.render))
    render = told or (seen.render if seen and own else None)
    card = seen.card if seen and own else None
    return (f"/dev/dri/{render}" if render else None), (f"/dev/dri/{card}" if card else None)


def _usable(
    driver: str | None, doubt: str | None, *, in_kfd: bool | None, render: str | None, hopeless: str | None
) -> tuple[bool | None, str | None, str | None]:
    """(usable, why not, why it is not known)."""
    if in_kfd:
        served = driver == COMPUTE_DRIVER and render is not None
        return (True, None, None) if served else (None, None, doubt or "no-render-node-seen")
    if hopeless:
        return False, hopeless, None
    if driver is None:
        return (None, None, doubt) if doubt else (False, "no-driver", None)
    if driver != COMPUTE_DRIVER:
        return False, f"bound-to-{driver}", None
    return (None, None, "kfd-not-captured") if in_kfd is None else (False, "not-in-kfd", None)


def _hopeless(device: int | None, chip: AmdChip | None) -> str | None:
    """Why no driver would make such a chip compute."""
    if chip and chip.kfd is False:
        return "gcn1" if chip.arch == "GCN 1" else "gcn-not-in-kfd"
    return "pre-gcn" if chip is None and device is not None and is_before_gcn(device) else None
