"""Which GPUs a user would compute on. A judgement over records, asked by causes and by routes."""

from __future__ import annotations

from .devices import Gpu

WITHOUT_COMPUTE = ("gfx6", "gfx7", "gcn", "radeon", "terascale", "pre-")
"""How reasons begin, of chips for which no compute stack exists, whatever is mended."""
DISPLAY_ONLY_UNITS = 2
"""Compute units of the graphics in desktop processors (gfx1036, gfx1037): made for a display, not for this work."""
OLDEST_SM = 50
"""Maxwell: CUDA 12 and every torch that knowledge lists begin there; Fermi and Kepler have no build."""


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


def tegra(gpu: Gpu) -> bool:
    """Whether it is a Jetson's own GPU: its driver has other nodes, versions and limits than the one for cards."""
    return gpu.vendor == "nvidia" and gpu.driver in {"gk20a", "nvgpu"}


def _number(target: str) -> int:
    digits = target.removeprefix("sm_").rstrip("abcdefghijklmnopqrstuvwxyz")
    return int(digits) if digits.isdecimal() else OLDEST_SM
