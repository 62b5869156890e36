"""One PCI device as several parts of the kernel show it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from ..host.model import Host, Unread, text
from .gpus_drm import DrmDevice
from .pci import PciFunction, is_address, link_name
from .value import Record


class Seen(Record, frozen=True, kw_only=True):
    """A PCI function with its DRM nodes."""

    function: PciFunction
    card: str | None
    render: str | None
    folders: tuple[str, ...]
    """Where its attribute files may lie."""


class Unknowns(dict[str, str]):
    """Reasons for the fields of one GPU that are not known."""

    def note(self, field: str, value: object, reason: str | None) -> None:
        """Remember why a field is null; a known value, or no reason, needs none."""
        if value is None and reason:
            self[field] = reason


def brought_together(functions: Iterable[PciFunction], drm: Iterable[DrmDevice]) -> list[Seen]:
    """Every function once, by address; a DRM device whose function the PCI bus does not show stands for itself."""
    found: dict[str, Seen] = {}
    for one in functions:
        found[one.address or one.path] = Seen(function=one, card=None, render=None, folders=(one.path,))
    for device in drm:
        key = device.address or device.path
        old = found.get(key)
        function = _merged(old.function, device.function) if old else device.function
        if function is None:
            continue
        folders = (*(old.folders if old else ()), device.path)
        found[key] = Seen(function=function, card=device.card, render=device.render, folders=folders)
    return list(found.values())


def _merged(bus: PciFunction, drm: PciFunction | None) -> PciFunction:
    """What the bus says, with what only DRM's copy of the folder knows."""
    if drm is None:
        return bus
    if bus.driver_unknown and not drm.driver_unknown:
        bus = replace(bus, driver=drm.driver, driver_unknown=None)
    return bus if bus.subsystem else replace(bus, subsystem=drm.subsystem)


def number(host: Host, folders: tuple[str, ...], name: str) -> int | str:
    """A decimal attribute from the first folder that has it, or why there is none."""
    reason = "not-captured"
    for folder in dict.fromkeys(folders):
        found = text(host, f"{folder}/{name}", 4096)
        if isinstance(found, Unread):
            reason = found.reason.value
        elif found.isascii() and found.isdigit() and len(found) <= 19:
            return int(found)
        else:
            reason = "malformed"
    return reason


def card_of(host: Host, seen: Seen) -> str:
    """`domain:bus:device` of the card that a function belongs to; of an SR-IOV virtual function the physical one's."""
    real = link_name(host, f"{seen.function.path}/physfn")
    own = seen.function.address or seen.function.path
    address = real if isinstance(real, str) and is_address(real) else own
    return address.rpartition(".")[0] if is_address(address) else address


def serial_of(host: Host, seen: Seen) -> str | None:
    """Serial number of the board (amdgpu_fru_eeprom.c: server boards have one); the dies of one board tell the same.
    Of what is empty, all one sign, or odd nothing is concluded."""
    for folder in dict.fromkeys(seen.folders):
        found = text(host, f"{folder}/serial_number", 4096)
        if not isinstance(found, Unread):
            return found if len(found) >= 6 and found.isascii() and found.isalnum() and len(set(found)) > 1 else None
    return None


def hexadecimal(pair: tuple[int, int] | None) -> str | None:
    """`1002:744c`."""
    return f"{pair[0]:04x}:{pair[1]:04x}" if pair else None
