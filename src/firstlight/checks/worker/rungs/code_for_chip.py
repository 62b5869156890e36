"""Rung `code-for-chip`: this torch holds code that the devices can run."""

from __future__ import annotations

import platform
from importlib import metadata

from ..chips import runs
from ..outcome import Finding, Job, failed, passed
from .device_visible import target

TORCH_CODE = "amd-torch-device-"
"""Name of the wheels that hold torch's code for one chip (ROCm/TheRock RELEASES.md, 2026-08-22). Where there is one,
torch itself holds none, although its list names every chip."""


def check(job: Job) -> Finding:
    """Each device's target against the build's list; on the CPU, which of its own kernels torch chose."""
    import torch

    if job.backend == "cpu":
        chosen = getattr(getattr(torch.backends, "cpu", None), "get_cpu_capability", None)
        return passed(machine=platform.machine(), capability=chosen() if chosen else None)
    listed = code_list()
    properties = [torch.cuda.get_device_properties(index) for index in range(torch.cuda.device_count())]
    targets = [target(each) for each in properties]
    wheels = device_wheels() if job.backend == "rocm" else []
    ways = [how(each, listed, wheels, job) for each in targets]
    served = [index for index, way in enumerate(ways) if way is not None]
    kinds = [index for index in served if targets.index(targets[index]) == index]
    lacking = [each for each, way in zip(targets, ways, strict=True) if way is None]
    evidence: dict[str, object] = {
        "targets": [{"target": each, "how": way} for each, way in zip(targets, ways, strict=True)],
        "code": listed,
        "device_wheels": wheels,
    }
    if not listed and not wheels:
        everything = {**evidence, "served": list(range(len(targets)))}
        return Finding("unknown", everything, "no-arch-list")
    if 0 not in served:  # torch's default device: programs take it
        return failed("no-code", f"this torch has no code for {', '.join(lacking)}", **evidence)
    apart = {index for index in served if is_apu(properties[index], job)}
    together = [index for index in served if index not in apart] or served
    return passed(served=served, kinds=kinds, together=together, lacking=lacking, **evidence)


def is_apu(properties: object, job: Job) -> bool:
    """Whether the processor has it. Older HIP does not say so of every APU, so what firstlight knows counts as well."""
    return bool(getattr(properties, "is_integrated", False)) or target(properties).partition(":")[0] in job.apu_targets


def how(target: str, listed: list[str], wheels: list[str], job: Job) -> str | None:
    """By which entry a target is served; None: by none."""
    import torch

    base, cuda = target.partition(":")[0], torch.version.cuda
    suffixes = [wheel.removeprefix(TORCH_CODE) for wheel in wheels if wheel.startswith(TORCH_CODE)]
    if suffixes:
        return "device-wheel" if any(covers(each, base) for each in suffixes) else None
    served = [way for way in (runs(target, entry, job.generic, cuda) for entry in listed) if way is not None]
    if served:
        return min(served, key=("native", "generic", "jit").index)
    return "device-wheel" if any(wheel.endswith(f"-{base}") for wheel in wheels) else None


def covers(suffix: str, target: str) -> bool:
    """Whether the wheel for `gfx1151`, `gfx115x`, `gfx11`, `all` serves the target (as causes/_builds.py)."""
    return suffix.partition("-")[0] in {target, f"{target[:-1]}x", target[:-2], "all"}


def code_list() -> list[str]:
    """What torch was built for. The private call needs no device; get_arch_list answers [] without one."""
    import torch

    flags = getattr(torch._C, "_cuda_getArchFlags", None)  # noqa: SLF001
    words = flags() if flags else None
    return str(words).split() if words else list(torch.cuda.get_arch_list())


def device_wheels() -> list[str]:
    """Installed distributions that hold the device code of one target (ROCm's own wheels, from ROCm 7.10)."""
    names = {str(each.metadata["Name"]).lower().replace("_", "-") for each in metadata.distributions()}
    return sorted(name for name in names if "-device-gfx" in name or name == f"{TORCH_CODE}all")
