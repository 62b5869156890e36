"""The GPUs that a cause is judged on, and the words that name them."""

from __future__ import annotations

from ..facts.compute import display_only, hopeless
from ..facts.compute import in_hip_order as hip_order
from ..facts.model import Facts, Gpu, Unknown
from ..host.model import HostKind
from .model import CLEAR, Evidence, Judgement, NotKnown

INSTINCT = ("gfx906", "gfx908", "gfx90a", "gfx94", "gfx950")
"""How the targets of AMD's compute cards begin."""


def of(facts: Facts, vendor: str) -> list[Gpu]:
    """GPUs of a vendor that are usable, or would be once the machine is mended."""
    return [gpu for gpu in facts.gpus if gpu.vendor == vendor and not hopeless(gpu)]


def for_compute(facts: Facts, vendor: str) -> list[Gpu]:
    """Those of `of` that a user would run a model on: not the display part of a desktop processor."""
    return [gpu for gpu in of(facts, vendor) if not display_only(gpu)]


def in_hip_order(facts: Facts) -> list[Gpu]:
    """AMD GPUs as ROCr numbers them."""
    return hip_order(facts.gpus)


def pooled(facts: Facts) -> list[Gpu]:
    """APUs for compute whose memory is shared with the host; not MI300A, whose HBM is the host's memory itself."""
    return [gpu for gpu in for_compute(facts, "amd") if gpu.apu is True and not (gpu.target or "").startswith("gfx94")]


def no_gpu(facts: Facts) -> Judgement:
    """For a cause whose GPUs are not here: clear; on a bare tree without any GPU, which says nothing, not known."""
    return (None if facts.gpus else not_captured(facts)) or CLEAR


def not_captured(facts: Facts, path: str = "gpus") -> NotKnown | None:
    """For an empty list on a bare tree, or in a recording that left /sys out: it says nothing about the machine. None
    on other hosts."""
    drivers = (facts.driver.amd.loaded, facts.driver.nvidia.loaded)
    blank = all(isinstance(one, Unknown) and one.unknown == "not-captured" for one in drivers)
    if facts.origin.kind is not HostKind.TREE and not blank:
        return None
    return NotKnown((f"{path} (not-captured: {facts.origin.label})",))


def label(gpu: Gpu) -> str:
    """`gfx1151 (0000:c5:00.0)`, as far as it is known; the same in every language."""
    name = gpu.target or gpu.name or f"{gpu.vendor} GPU"
    return f"{name} ({gpu.pci})" if gpu.pci else name


def evidence(facts: Facts, gpu: Gpu, field: str = "target", value: str | None = None) -> Evidence:
    """One field of a GPU."""
    at = next((index for index, other in enumerate(facts.gpus) if other is gpu), 0)
    shown = value if value is not None else str(getattr(gpu, field))
    source = f"/sys/bus/pci/devices/{gpu.pci}" if gpu.pci else gpu.physical
    return Evidence(f"gpus[{at}].{field}", shown, source)
