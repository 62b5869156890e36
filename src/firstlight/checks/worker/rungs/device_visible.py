"""Rung `device-visible`: torch counts and names the devices. `is_available()` is evidence, never the verdict."""

from __future__ import annotations

import os
import platform

from ..outcome import Finding, Job, failed, passed

SELECTORS = ("HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL",
             "HSA_OVERRIDE_GFX_VERSION")  # fmt: skip


def check(job: Job) -> Finding:
    """Each device must tell its name, memory and architecture."""
    import torch

    if job.backend == "cpu":
        return passed(count=1, names=[platform.processor() or platform.machine()], threads=torch.get_num_threads())
    built = "rocm" if torch.version.hip else "cuda" if torch.version.cuda else "cpu"
    if built != job.backend:
        text = f"torch {torch.__version__} is built for {built}, not for {job.backend}"
        return failed("wrong-build", text, built_for=built, wanted=job.backend)
    evidence: dict[str, object] = {
        "available": torch.cuda.is_available(),
        "expected": job.expected_devices,
        "variables": {name: os.environ[name] for name in SELECTORS if name in os.environ},
    }
    try:
        torch.cuda.init()
    except (RuntimeError, AssertionError) as error:
        return failed("no-device", f"{type(error).__name__}: {error}", count=0, **evidence)
    devices = [describe(index) for index in range(torch.cuda.device_count())]
    evidence = {**evidence, "count": len(devices), "devices": devices}
    if not devices:
        return failed("no-device", "torch sees no device", **evidence)
    if job.expected_devices is not None and len(devices) < job.expected_devices:
        return fewer(job.expected_devices, evidence)
    return passed(**evidence)


def fewer(expected: int, evidence: dict[str, object]) -> Finding:
    """Fewer devices than the machine has: a fault, unless a variable asks for fewer."""
    variables = evidence["variables"]
    if isinstance(variables, dict) and any(name.endswith("VISIBLE_DEVICES") for name in variables):
        return passed(**evidence, limited_by_variables=True)
    text = f"torch sees {evidence['count']} of {expected} devices"
    return failed("fewer-devices", text, **evidence)


def describe(index: int) -> dict[str, object]:
    """One device in torch's words."""
    import torch

    properties = torch.cuda.get_device_properties(index)
    return {
        "name": properties.name,
        "target": target(properties),
        "memory_bytes": properties.total_memory,
        "units": properties.multi_processor_count,
    }


def target(properties: object) -> str:
    """`gfx90a:sramecc+:xnack-` of a ROCm device, `sm_90` of a CUDA device."""
    import torch

    arch = getattr(properties, "gcnArchName", None)
    if torch.version.hip and arch:
        return str(arch)
    return f"sm_{getattr(properties, 'major', 0)}{getattr(properties, 'minor', 0)}"
