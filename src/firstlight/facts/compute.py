"""Which GPUs a user would compute on. A judgement over records, asked by causes and by routes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .devices import Gpu, Vendor

WITHOUT_COMPUTE = ("gfx6", "gfx7", "gcn", "radeon", "terascale", "pre-")
"""How reasons begin, of chips for which no compute stack exists, whatever is mended."""
DISPLAY_ONLY_UNITS = 2
"""Compute units of the graphics in desktop processors (gfx1036, gfx1037): made for a display, not for this work."""
LARGE_INTEGRATED = ("gfx1151", "gfx942")
"""Strix Halo and MI300A: integrated, and bought for computing."""
OLDEST_SM = 37
"""Of the last Kepler (K80), which PyTorch's wheels for CUDA 11.8 up to torch 2.3 carry (knowledge/torch_cuda.toml); for
Fermi and older Kepler there is no build."""


def hopeless(gpu: Gpu) -> bool:
    """Whether no driver or setting would let it compute with any torch of today."""
    target = gpu.target or ""
    if target.startswith("sm_"):
        return _number(target) < OLDEST_SM
    if len(target) == 6 and target.startswith(("gfx6", "gfx7")):  # gfx600 to gfx705: GCN 1 and 2
        return True
    known = gpu.target is not None and gpu.why == "bound-to-radeon"  # a chip that amdgpu would take
    return gpu.usable is False and not known and (gpu.why or "").startswith((*WITHOUT_COMPUTE, "bound-to-radeon"))


def display_only(gpu: Gpu) -> bool:
    """Whether it is an integrated GPU of two compute units or fewer."""
    small = gpu.compute_units is not None and gpu.compute_units <= DISPLAY_ONLY_UNITS
    return gpu.apu is True and (small or gpu.target in {"gfx1036", "gfx1037"})


def of_a_laptop(gpu: Gpu) -> bool:
    """Whether it is a processor's graphics that nobody would prefer to a card beside it."""
    return gpu.apu is True and (gpu.target or "").split(":")[0] not in LARGE_INTEGRATED


def in_hip_order(gpus: Iterable[Gpu]) -> list[Gpu]:
    """AMD GPUs as ROCr numbers them: those with a KFD node, by its number."""
    listed = [gpu for gpu in gpus if gpu.vendor == "amd" and gpu.kfd is True and gpu.usable is not False]
    return sorted(listed, key=lambda gpu: gpu.node if gpu.node is not None else 1 << 30)


def to_compute_on(gpus: Sequence[Gpu], vendor: Vendor) -> list[Gpu]:
    """Those of a vendor that a user means: the integrated one only where there is no card beside it."""
    mine = [gpu for gpu in gpus if gpu.vendor == vendor and not hopeless(gpu)]
    cards = [gpu for gpu in mine if gpu.apu is not True]
    return cards or [gpu for gpu in mine if not display_only(gpu)] or mine


def tegra(gpu: Gpu) -> bool:
    """Whether it is a Jetson's own GPU: its driver has other nodes, versions and limits than the one for cards."""
    return gpu.vendor == "nvidia" and gpu.driver in {"gk20a", "nvgpu"}


def _number(target: str) -> int:
    digits = target.removeprefix("sm_").rstrip("abcdefghijklmnopqrstuvwxyz")
    return int(digits) if digits.isdecimal() else OLDEST_SM
