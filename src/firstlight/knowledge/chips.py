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

__all__ = [
    "AmdChip", "NvidiaChip", "Override", "TheRock", "TorchWheels", "amd", "amd_by_device", "kfd_of_target",
    "kfd_supported", "nvidia_by_compatible", "nvidia_by_device", "nvidia_by_model", "target_of_kfd",
]  # fmt: skip
