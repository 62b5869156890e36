"""NVIDIA GPUs: PCI functions, what the driver lists, and the integrated ones of Jetson that are no PCI devices."""

from __future__ import annotations

from ..host.model import Host, Unread
from ..knowledge.nvidia_chips import (
    NvidiaChip,
    is_before_cuda,
    nvidia_by_compatible,
    nvidia_by_device,
    nvidia_by_model,
)
from .gpus_drm import DrmDevice
from .gpus_nvidia_proc import NvidiaEntries, NvidiaEntry
from .gpus_seen import Seen, Unknowns, card_of, hexadecimal
from .model import Gpu
from .pci import DISPLAY, followed, uevent

VENDOR = 0x10DE
COMPUTE_DRIVER = "nvidia"
PLATFORM = "/sys/bus/platform/devices"
PLATFORM_DRIVERS = frozenset({"gk20a", "nvgpu"})
"""Drivers of L4T that serve an integrated GPU for CUDA."""
PLATFORM_SUFFIXES = (".gpu", ".gm20b", ".gp10b", ".gv11b", ".ga10b")
NOT_LISTED, NO_TARGET = "device-id-not-known", "chip-without-known-target"
NOT_TOLD = "only-the-driver-library-tells"


def nvidia_gpus(host: Host, seen: list[Seen], served: NvidiaEntries) -> list[Gpu]:
    """One entry for each display device of the vendor and for each GPU that the driver lists."""
    entries = {entry.address: entry for entry in served.entries}
    cards = [one for one in seen if _is_gpu(one)]
    found = [_gpu(host, one, entries.pop(one.function.address or "", None), served.missing) for one in cards]
    return found + [_gpu(host, None, entry, served.missing) for entry in entries.values()]


def _is_gpu(seen: Seen) -> bool:
    """Of other classes only what is known to be a GPU: NVSwitch is a bridge (0680), audio 0403."""
    function = seen.function
    return function.base_class in {DISPLAY, None} or nvidia_by_device(function.device) is not None


def _gpu(host: Host, seen: Seen | None, entry: NvidiaEntry | None, missing: str | None) -> Gpu:
    function = seen.function if seen else None
    chip = nvidia_by_device(function.device) if function else None
    if chip is None and entry and entry.model:
        chip = nvidia_by_model(entry.model)
    driver, doubt = (function.driver, function.driver_unknown) if function else (None, "not-captured")
    if entry:
        driver, doubt = COMPUTE_DRIVER, None  # it lists what it is bound to
    usable, why, reason = _usable(driver, doubt, entry, missing)
    if function and chip is None and is_before_cuda(function.device):
        usable, why, reason = False, "pre-cuda", None
    address = function.address if function else entry.address if entry else None
    return _made(
        chip,
        name=entry.model if entry and entry.model else None,
        pci=address,
        device_id=hexadecimal((VENDOR, function.device)) if function else None,
        subsystem_id=hexadecimal(function.subsystem) if function else None,
        node=entry.minor if entry else None,
        physical=card_of(host, seen) if seen else (address or "").rpartition(".")[0],
        render=seen.render if seen else None,
        card=seen.card if seen else None,
        driver=driver,
        doubt=doubt,
        usable=usable,
        why=why,
        reason=reason,
    )


def _made(
    chip: NvidiaChip | None,
    *,
    name: str | None,
    pci: str | None,
    device_id: str | None,
    subsystem_id: str | None,
    node: int | None,
    physical: str,
    render: str | None,
    card: str | None,
    driver: str | None,
    doubt: str | None,
    usable: bool | None,
    why: str | None,
    reason: str | None,
) -> Gpu:
    """A card of its own is no APU; only chips that are known to be integrated are."""
    target = chip.target if chip else None
    nameless = why if why == "pre-cuda" else NO_TARGET if chip else NOT_LISTED
    apu = chip.integrated if chip else None
    name = name or (chip.name if chip else None)
    unknown = Unknowns()
    for field, value, because in (
        ("target", target, nameless), ("name", name, NOT_LISTED), ("apu", apu, nameless),
        ("memory_bytes", None, NOT_TOLD), ("driver", driver, doubt), ("usable", usable, reason),
        ("node", node, "not-captured"), ("device_id", device_id, "not-captured"),
    ):  # fmt: skip
        unknown.note(field, value, because)
    return Gpu(
        vendor="nvidia",
        target=target,
        name=name,
        memory_bytes=None,
        memory=None,
        pci=pci,
        device_id=device_id,
        subsystem_id=subsystem_id,
        apu=apu,
        node=node,
        physical=physical,
        render_node=f"/dev/dri/{render}" if render else None,
        card_node=f"/dev/dri/{card}" if card else None,
        driver=driver,
        kfd=None,
        compute_units=None,
        visible_vram_bytes=None,
        usable=usable,
        why=why,
        unknown=dict(unknown),
    )


def _usable(
    driver: str | None, doubt: str | None, entry: NvidiaEntry | None, missing: str | None
) -> tuple[bool | None, str | None, str | None]:
    """(usable, why not, why it is not known)."""
    if entry:
        return (False, "excluded-by-driver", None) if entry.excluded else (True, None, None)
    if driver is None:
        return (None, None, doubt) if doubt else (False, "no-driver", None)
    if driver != COMPUTE_DRIVER:
        return False, f"bound-to-{driver}", None
    return (None, None, missing) if missing else (False, "not-listed-by-driver", None)


def platform_gpus(host: Host, drm: list[DrmDevice]) -> list[Gpu]:
    """Integrated GPUs of Jetson: platform devices whose device-tree string we know."""
    names = host.names(PLATFORM)
    folders = {} if isinstance(names, Unread) else {f"{PLATFORM}/{one}": None for one in names if _may_be_gpu(one)}
    places = {followed(host, folder): None for folder in folders}
    found: dict[str, Gpu] = {}
    for path, device in [*places.items(), *((one.path, one) for one in drm)]:
        event = uevent(host, path) or {}
        chips = (nvidia_by_compatible(text) for key, text in event.items() if key.startswith("OF_COMPATIBLE_"))
        chip = next((one for one in chips if one), None)
        if chip:
            key = event.get("OF_FULLNAME") or path
            found[key] = _platform(chip, key, event.get("DRIVER") or None, device)
    return list(found.values())


def _may_be_gpu(name: str) -> bool:
    return name.endswith(PLATFORM_SUFFIXES)


def _platform(chip: NvidiaChip, key: str, driver: str | None, drm: DrmDevice | None) -> Gpu:
    usable = True if driver in PLATFORM_DRIVERS else False if driver in {None, "nouveau"} else None
    return _made(
        chip,
        name=None,
        pci=None,
        device_id=None,
        subsystem_id=None,
        node=None,
        physical=key,
        render=drm.render if drm else None,
        card=drm.card if drm else None,
        driver=driver,
        doubt=None,
        usable=usable,
        why=None if usable is not False else f"bound-to-{driver}" if driver else "no-driver",
        reason="driver-not-known-to-us",
    )
