"""GPUs as the NVIDIA driver shows them: /proc/driver/nvidia/gpus/ADDRESS/information."""

from __future__ import annotations

from ..host.model import Host, Missing, Unread, text
from .pci import FUNCTIONS_AT_MOST, is_address
from .value import Record

FOLDER = "/proc/driver/nvidia/gpus"


class NvidiaEntry(Record, frozen=True, kw_only=True):
    """What the driver says of one GPU."""

    address: str
    model: str | None
    minor: int | None
    """N of /dev/nvidiaN; its order need not be that of the addresses."""
    excluded: bool
    """Left out by NVreg_ExcludedGpus."""


class NvidiaEntries(Record, frozen=True, kw_only=True):
    """All that the driver serves."""

    entries: list[NvidiaEntry]
    missing: str | None
    """Why it is not known what the driver serves; null: the list is whole."""


def nvidia_entries(host: Host) -> NvidiaEntries:
    """One entry for each folder whose address can be told."""
    names = host.names(FOLDER)
    if isinstance(names, Unread):
        return NvidiaEntries(entries=[], missing=names.reason.value)
    found = [_entry(host, name) for name in names[:FUNCTIONS_AT_MOST]]
    missing = None if names and all(found) else Missing.NOT_CAPTURED.value
    return NvidiaEntries(entries=[entry for entry in found if entry], missing=missing)


def _entry(host: Host, name: str) -> NvidiaEntry | None:
    content = text(host, f"{FOLDER}/{name}/information", 1 << 16)
    lines = "" if isinstance(content, Unread) else content
    told = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines.splitlines())}
    address = next((word for word in (told.get("Bus Location", "").lower(), name.lower()) if is_address(word)), None)
    if address is None:
        return None
    model, minor = told.get("Model", ""), told.get("Device Minor", "")
    known = model and "unknown" not in model.lower() and len(model) < 200 and model.isprintable()
    return NvidiaEntry(
        address=address,
        model=model if known else None,
        minor=int(minor) if minor.isascii() and minor.isdigit() and len(minor) < 6 else None,
        excluded=told.get("GPU Excluded", "").lower() == "yes",
    )
