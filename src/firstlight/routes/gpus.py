"""The GPUs that a route is chosen for, and those beside them that it must not touch."""

from __future__ import annotations

from collections.abc import Callable

from ..facts.compute import in_hip_order, to_compute_on
from ..facts.devices import Gpu, Vendor
from ..facts.model import Facts
from ..project.model import Backend
from .model import Because
from .reasons import gpu_not_served

VENDORS: dict[Backend, Vendor] = {"rocm": "amd", "cuda": "nvidia"}
VISIBLE = "ROCR_VISIBLE_DEVICES"
"""It is ROCr that leaves the others out, so that no library sees them (ROCm docs, GPU isolation)."""


def targets(backend: Backend, facts: Facts) -> tuple[str, ...]:
    """Of the GPUs that are meant, without features such as xnack; each once."""
    return tuple(dict.fromkeys(gpu.target.split(":")[0] for gpu in meant(backend, facts) if gpu.target))


def meant(backend: Backend, facts: Facts) -> list[Gpu]:
    """The GPUs of the backend's vendor that a user would compute on."""
    vendor = VENDORS.get(backend)
    return to_compute_on(facts.gpus, vendor) if vendor else []


def unserved(backend: Backend | None, facts: Facts) -> tuple[Because, ...]:
    """A note where none of the AMD GPUs that are meant can compute now: what is installed is right all the same."""
    gpus = meant("rocm", facts) if backend == "rocm" else []
    if not gpus or any(gpu.usable is not False for gpu in gpus):
        return ()
    return (gpu_not_served(gpus[0].target or "?", gpus[0].why or "?"),)


def hidden(backend: Backend, facts: Facts, runs: Callable[[str], bool]) -> tuple[dict[str, str], tuple[str, ...]]:
    """(variables, targets left out): AMD GPUs for which the build has no code are hidden, where another has some.
    Nothing where the numbers that ROCr gives them are not known."""
    if backend != "rocm":
        return {}, ()
    listed = in_hip_order(facts.gpus)
    able = [gpu.target is None or runs(gpu.target) for gpu in listed]
    known = all(gpu.node is not None for gpu in listed)
    if all(able) or not any(able) or not known:
        return {}, ()
    left_out = tuple(dict.fromkeys(gpu.target or "?" for gpu, one in zip(listed, able, strict=True) if not one))
    return {VISIBLE: ",".join(str(at) for at, one in enumerate(able) if one)}, left_out
