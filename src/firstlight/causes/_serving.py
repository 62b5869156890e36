"""Whether a kernel driver serves a GPU for compute, as far as facts prove it."""

from __future__ import annotations

from ..facts.model import Facts, Gpu, Unknown
from ._gpus import evidence, for_compute, not_captured, of
from .model import CLEAR, Evidence, Judgement, NotKnown

OWN = {"amd": "amdgpu", "nvidia": "nvidia"}
"""The driver that compute needs."""


def driver_of(gpu: Gpu) -> str:
    """Name of the kernel driver that compute needs on this GPU."""
    return OWN.get(gpu.vendor, "")


def unbound(gpu: Gpu) -> bool:
    """Whether it is known that no kernel driver at all is bound to it."""
    return gpu.driver is None and "driver" not in gpu.unknown


def bound_elsewhere(gpu: Gpu) -> bool:
    """Whether a driver that is known not to compute holds it (Jetson's own drivers do)."""
    return gpu.driver is not None and gpu.driver != driver_of(gpu) and gpu.usable is False


def served(facts: Facts, gpu: Gpu) -> bool | None:
    """Whether its own driver serves it; None where facts do not tell. A driver that is not loaded serves nothing."""
    if gpu.kfd is True or gpu.usable is True or gpu.driver == driver_of(gpu):
        return True
    if unbound(gpu) or bound_elsewhere(gpu) or loaded(facts, gpu.vendor) is False:
        return False
    return None


def loaded(facts: Facts, vendor: str) -> bool | Unknown:
    """Whether the vendor's driver is loaded."""
    return facts.driver.amd.loaded if vendor == "amd" else facts.driver.nvidia.loaded


def unserved(facts: Facts, vendor: str) -> list[Gpu]:
    """GPUs that could compute, and that no driver serves."""
    return [gpu for gpu in of(facts, vendor) if served(facts, gpu) is False]


def severity_free(facts: Facts, gpu: Gpu) -> bool:
    """Whether other GPUs compute while this one does not, or this one is but a display part."""
    others = [one for one in facts.gpus if one is not gpu and one.physical != gpu.physical and one.usable is True]
    worth = [one for one in others if one in for_compute(facts, one.vendor)]
    return bool(worth)


def rest(facts: Facts, vendor: str) -> Judgement:
    """The judgement where no GPU of the vendor is known to be unserved: clear, or not known."""
    gpus = of(facts, vendor)
    if not gpus:
        return (not_captured(facts) if not facts.gpus else None) or CLEAR
    doubtful = [gpu for gpu in gpus if served(facts, gpu) is None]
    if not doubtful:
        return CLEAR
    at = facts.gpus.index(doubtful[0])
    return NotKnown((f"gpus[{at}].driver ({doubtful[0].unknown.get('driver', 'not-known')})",))


def no_driver(facts: Facts, gpu: Gpu) -> Evidence:
    """Evidence that no driver, or another one, has the GPU."""
    return evidence(facts, gpu, "driver", gpu.driver or "none")


def module_evidence(facts: Facts, vendor: str) -> Evidence:
    """Whether the vendor's module is loaded."""
    state = loaded(facts, vendor)
    shown = state.unknown if isinstance(state, Unknown) else str(state).lower()
    return Evidence(f"driver.{vendor}.loaded", shown, f"/sys/module/{OWN[vendor]}, /proc/modules")
