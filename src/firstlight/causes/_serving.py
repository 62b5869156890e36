"""Whether a kernel driver serves a GPU for compute, as far as facts prove it."""

from __future__ import annotations

from ..facts.model import Facts, Gpu, Unknown
from ..host.model import HostKind
from ._gpus import evidence, for_compute, not_captured, of
from .model import CLEAR, Evidence, Judgement, NotKnown

OWN = {"amd": "amdgpu", "nvidia": "nvidia"}
"""The driver that compute needs."""
RIVALS = ("nouveau", "nova_core")
"""Modules that take NVIDIA's GPUs for a display."""


def driver_of(gpu: Gpu) -> str:
    """Name of the kernel driver that compute needs on this GPU."""
    return OWN.get(gpu.vendor, "")


def unbound(gpu: Gpu) -> bool:
    """Whether it is known that no kernel driver at all is bound to it."""
    return gpu.driver is None and "driver" not in gpu.unknown


def holder(facts: Facts, gpu: Gpu) -> str | None:
    """The driver that holds the GPU and is known not to compute (Jetson's own do); None: none is known to. Where the
    bus does not tell, nouveau or nova that is loaded while NVIDIA's module is not has it."""
    if gpu.driver is not None and gpu.driver != driver_of(gpu):
        return gpu.driver if gpu.vendor == "amd" or gpu.usable is False else None
    modules = facts.modules.loaded
    if (
        gpu.vendor != "nvidia"
        or unbound(gpu)
        or isinstance(modules, Unknown)
        or facts.driver.nvidia.loaded is not False
    ):
        return None
    return next((name for name in RIVALS if name in modules), None)


def bound_elsewhere(facts: Facts, gpu: Gpu) -> bool:
    """Whether a driver that is known not to compute holds it."""
    return holder(facts, gpu) is not None


def served(facts: Facts, gpu: Gpu) -> bool | None:
    """Whether its own driver serves it; None where facts do not tell. A driver that is not loaded serves nothing."""
    if bound_elsewhere(facts, gpu):
        return False
    if gpu.kfd is True or gpu.usable is True or gpu.driver == driver_of(gpu):
        return True
    if unbound(gpu) or loaded(facts, gpu.vendor) is False:
        return False
    return None


def loaded(facts: Facts, vendor: str) -> bool | Unknown:
    """Whether the vendor's driver is loaded. Where /sys/module does not tell, the list of modules does: distributions
    build these drivers as modules."""
    state = facts.driver.amd.loaded if vendor == "amd" else facts.driver.nvidia.loaded
    modules = facts.modules.loaded
    return state if isinstance(state, bool) or isinstance(modules, Unknown) else OWN[vendor] in modules


def left_out(facts: Facts, gpu: Gpu) -> bool:
    """Whether KFD is known not to list the GPU. A bare tree need not hold every node."""
    return gpu.kfd is False and facts.origin.kind is not HostKind.TREE


def runs_now(facts: Facts, vendor: str) -> bool:
    """Whether the driver is seen at work: its own device node is there, which no file of another time shows."""
    node = "/dev/kfd" if vendor == "amd" else "/dev/nvidiactl"
    return any(one.path == node for one in facts.access.nodes)


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
    return evidence(facts, gpu, "driver", holder(facts, gpu) or gpu.driver or "none")


def module_evidence(facts: Facts, vendor: str) -> Evidence:
    """Whether the vendor's module is loaded."""
    state = loaded(facts, vendor)
    shown = state.unknown if isinstance(state, Unknown) else str(state).lower()
    return Evidence(f"driver.{vendor}.loaded", shown, f"/sys/module/{OWN[vendor]}, /proc/modules")
