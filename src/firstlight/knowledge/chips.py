"""Chips of every vendor."""

from __future__ import annotations

from .amd_chips import (
    AmdChip,
    Override,
    TheRock,
    TorchWheels,
    amd,
    amd_by_device,
    kfd_of_target,
    kfd_supported,
    target_of_kfd,
)
from .nvidia_chips import NvidiaChip, nvidia_by_compatible, nvidia_by_device, nvidia_by_model
from .tables import raw

__all__ = [
    "AmdChip", "NvidiaChip", "Override", "TheRock", "TorchWheels", "amd", "amd_by_device", "kfd_of_target",
    "kfd_supported", "nvidia_by_compatible", "nvidia_by_device", "nvidia_by_model", "target_of_kfd",
    "targets_of_product",
]  # fmt: skip


def targets_of_product(name: str) -> tuple[str, ...]:
    """Targets of the chips of which a product has all these words in its name: `MI300X`, `Strix Halo`. All tables of
    chips are read."""
    wanted = _words(name)
    rows = [(one, chip.products) for one in raw("amd/mach")["mach"] if (chip := amd(one))]
    rows += [(one, row.get("products", ())) for one, row in raw("nvidia/targets").items() if isinstance(row, dict)]
    return tuple(one for one, products in rows if wanted and any(wanted <= _words(product) for product in products))


def _words(text: str) -> set[str]:
    return set("".join(sign if sign.isalnum() else " " for sign in text.lower()).split())
