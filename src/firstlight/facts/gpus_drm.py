"""GPUs as the DRM subsystem shows them: /sys/class/drm/cardN and renderDN."""

from __future__ import annotations

from ..host.model import Host, Unread
from .pci import FUNCTIONS_AT_MOST, PciFunction, followed, function_at, is_address
from .value import Record

CLASS = "/sys/class/drm"


class DrmDevice(Record, frozen=True, kw_only=True):
    """One device with its nodes, e.g. `card0` and `renderD128`."""

    function: PciFunction | None
    """Null for a platform device (Jetson, a further partition of an AMD card), and where the folder names no ids."""
    address: str | None
    """Of the PCI function, even where its folder was not captured; null for a platform device."""
    path: str
    card: str | None
    render: str | None


def drm_devices(host: Host) -> list[DrmDevice]:
    """All of them; nodes of one device are brought together by its PCI address."""
    names = host.names(CLASS)
    if isinstance(names, Unread):
        return []
    found: dict[str, DrmDevice] = {}
    entries = [entry for entry in names if _is(entry, "card") or _is(entry, "renderD")]
    for entry in entries[:FUNCTIONS_AT_MOST]:
        path = followed(host, f"{followed(host, f'{CLASS}/{entry}')}/device")
        address = _address(host, path)
        old = found.get(address or path)
        function = (old.function if old else None) or function_at(host, path, address)
        key = (function.address if function else None) or address or path
        old = old or found.get(key)
        found[key] = DrmDevice(
            function=function,
            address=(function.address if function else None) or address,
            path=old.path if old else path,
            card=entry if _is(entry, "card") else old.card if old else None,
            render=entry if _is(entry, "renderD") else old.render if old else None,
        )
    return list(found.values())


def _is(entry: str, prefix: str) -> bool:
    number = entry.removeprefix(prefix)
    return number != entry and number.isascii() and number.isdigit() and len(number) < 10


def _address(host: Host, path: str) -> str | None:
    """From the folder that the `device` link leads to."""
    real = host.resolve(path)
    for place in (path, "" if isinstance(real, Unread) else real):
        name = place.rpartition("/")[2].lower()
        if is_address(name):
            return name
    return None
