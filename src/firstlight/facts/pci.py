"""PCI functions that may be GPUs or neural processors, from sysfs (Documentation/ABI/testing/sysfs-bus-pci)."""

from __future__ import annotations

from ..host.model import Host, Kind, Missing, Unread, text
from .value import Record

BUS = "/sys/bus/pci/devices"
DISPLAY, ACCELERATOR, SIGNAL = 0x03, 0x12, 0x11
"""Base classes (PCI Code and ID Assignment): display controllers, processing accelerators, signal processing."""
FUNCTIONS_AT_MOST = 1 << 14
"""More than any machine has; a tree with more is hostile."""
SMALL = 1 << 16
ALIAS_LENGTH = len("pci:v00001002d0000744Csv0000148Csd00002422bc03sc00i00")


class PciFunction(Record, frozen=True, kw_only=True):
    """One PCI function that shows itself as a display controller or an accelerator."""

    address: str | None
    """`0000:c5:00.0`, lower-case; null if the tree does not tell it."""
    vendor: int
    device: int
    base_class: int | None
    subsystem: tuple[int, int] | None
    driver: str | None
    driver_unknown: str | None
    """Why the driver is not known; null with `driver` null: none is bound."""
    path: str
    """Its folder in sysfs."""


def functions(host: Host, classes: frozenset[int]) -> list[PciFunction]:
    """All functions of the given base classes, by address. Costs one read for each function of the machine that is
    none of them."""
    names = host.names(BUS)
    if isinstance(names, Unread):
        return []
    entries = (entry for entry in names[:FUNCTIONS_AT_MOST] if is_address(entry.lower()))
    found = (function_at(host, followed(host, f"{BUS}/{entry}"), entry.lower()) for entry in entries)
    return [function for function in found if function is not None and function.base_class in classes]


def function_at(host: Host, folder: str, address: str | None) -> PciFunction | None:
    """What one device folder says of itself; null if it names no PCI ids. `uevent` comes first: many captures have
    nothing else; `modalias` last, which says the same once more."""
    event = uevent(host, folder)
    said = event or {}
    vendor, device = _pair(said.get("PCI_ID", "")) or (_file(host, folder, "vendor"), _file(host, folder, "device"))
    if vendor is None or device is None:
        said = _of_alias(host, folder, said)
        ids = _pair(said.get("PCI_ID", ""))
        if ids is None:
            return None
        vendor, device = ids
    slot = said.get("PCI_SLOT_NAME", "").lower()
    code = _hex(said.get("PCI_CLASS", ""), 8)
    code = code if code is not None else _file(host, folder, "class")
    driver, unknown = _driver(host, folder, event)
    return PciFunction(
        address=address or (slot if is_address(slot) else None),
        vendor=vendor,
        device=device,
        base_class=None if code is None else code >> 16,
        subsystem=_pair(said.get("PCI_SUBSYS_ID", "")) or _subsystem(host, folder, event),
        driver=driver,
        driver_unknown=unknown,
        path=folder,
    )


def uevent(host: Host, folder: str) -> dict[str, str] | None:
    """`KEY=value` lines of a device's uevent; null if it cannot be read."""
    found = text(host, f"{folder}/uevent", SMALL)
    if isinstance(found, Unread):
        return None
    return dict(line.partition("=")[::2] for line in found.splitlines() if "=" in line)


def _of_alias(host: Host, folder: str, said: dict[str, str]) -> dict[str, str]:
    """`pci:v00001002d0000744Csv0000148Csd00002422bc03sc00i00` (drivers/pci/pci-sysfs.c, modalias_show) as the lines
    that uevent would have had."""
    found = said.get("MODALIAS") or text(host, f"{folder}/modalias", SMALL)
    if isinstance(found, Unread) or not (found.startswith("pci:v") and len(found) == ALIAS_LENGTH):
        return said
    vendor, device, sub_vendor, sub_device = found[9:13], found[18:22], found[28:32], found[38:42]
    told = {"PCI_ID": f"{vendor}:{device}", "PCI_SUBSYS_ID": f"{sub_vendor}:{sub_device}"}
    return {"PCI_CLASS": found[44:46] + found[48:50] + found[51:53]} | said | told


def is_address(word: str) -> bool:
    """Whether it is `domain:bus:device.function`, lower-case. A domain may have more than four digits."""
    head, dot, function = word.partition(".")
    parts = head.split(":")
    right = len(parts) == 3 and 4 <= len(parts[0]) <= 8 and len(parts[1]) == 2 and len(parts[2]) == 2
    return bool(dot) and right and len(function) == 1 and function in "01234567" and _is_hex("".join(parts))


def followed(host: Host, path: str) -> str:
    """The path, or where it leads if it is a link that was stored as a small file holding the link's text (as git
    does without core.symlinks). True links are the host's own business."""
    info = host.info(path)
    if isinstance(info, Unread) or info.kind is not Kind.FILE:
        return path
    target = text(host, path, 4096)
    if isinstance(target, Unread) or not target.startswith(("../", "./", "/")) or "\n" in target:
        return path
    folder = path.rpartition("/")[0]
    real = host.resolve(folder)
    return _joined(folder if isinstance(real, Unread) else real, target)


def link_name(host: Host, path: str) -> str | Missing:
    """Last part of a link's text, also of one that was stored as a file; or why there is none."""
    info = host.info(path)
    if isinstance(info, Unread):
        return info.reason
    target = info.link if info.kind is Kind.LINK else followed(host, path)
    name = (target or "").rstrip("/").rpartition("/")[2]
    return name if target != path and name else Missing.UNREADABLE


def _driver(host: Host, folder: str, event: dict[str, str] | None) -> tuple[str | None, str | None]:
    """The link, where it was captured; else uevent, which has a DRIVER line whenever a driver is bound
    (drivers/base/core.c, dev_uevent)."""
    name = link_name(host, f"{folder}/driver")
    if not isinstance(name, Missing):
        return name, None
    if event is not None:
        return event.get("DRIVER") or None, None
    return None, None if name is Missing.ABSENT else name.value


def _subsystem(host: Host, folder: str, event: dict[str, str] | None) -> tuple[int, int] | None:
    if event and "PCI_ID" in event:
        return None
    vendor, device = _file(host, folder, "subsystem_vendor"), _file(host, folder, "subsystem_device")
    return None if vendor is None or device is None else (vendor, device)


def _file(host: Host, folder: str, name: str) -> int | None:
    found = text(host, f"{folder}/{name}", SMALL)
    return None if isinstance(found, Unread) else _hex(found.removeprefix("0x"), 8)


def _pair(word: str) -> tuple[int, int] | None:
    """`10DE:2704`."""
    first, _, second = word.partition(":")
    vendor, device = _hex(first, 4), _hex(second, 4)
    return None if vendor is None or device is None else (vendor, device)


def _hex(word: str, digits: int) -> int | None:
    return int(word, 16) if 0 < len(word) <= digits and _is_hex(word) else None


def _is_hex(word: str) -> bool:
    return all(sign in "0123456789abcdefABCDEF" for sign in word)


def _joined(folder: str, target: str) -> str:
    parts = [] if target.startswith("/") else folder.split("/")
    for part in target.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in {"", "."}:
            parts.append(part)
    return "/" + "/".join(part for part in parts if part)
