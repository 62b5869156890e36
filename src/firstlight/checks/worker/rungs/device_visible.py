"""Rung `device-visible`: torch counts and names the devices. `is_available()` is evidence, never the verdict."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable

from ..outcome import Finding, Job, failed, passed

HIDING = ("HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL")
"""Variables by which a user asks for fewer devices (ROCm: GPU isolation techniques; CUDA Programming Guide)."""
TELLING = (*HIDING, "HSA_OVERRIDE_GFX_VERSION", "NVIDIA_TF32_OVERRIDE", "CUDA_DEVICE_ORDER")
MIG_INSTANCES = "/proc/driver/nvidia/capabilities"
"""Holds gpuN/mig/giM for each instance (NVIDIA MIG User Guide, "Device Nodes and Capabilities")."""


def check(job: Job) -> Finding:
    """Each device must tell its name, memory and architecture. Not yet tried where there is a device."""
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
        "variables": {name: os.environ[name] for name in TELLING if name in os.environ},
    }
    try:
        torch.cuda.init()
        devices = [describe(index) for index in range(torch.cuda.device_count())]
    except Exception as error:  # noqa: BLE001  # RuntimeError, AssertionError, DeferredCudaCallError
        return failed("no-device", f"{type(error).__name__}: {error}", count=0, **evidence)
    evidence = {**evidence, "count": len(devices), "devices": devices}
    if not devices:
        return failed("no-device", "torch sees no device", **evidence)
    if job.expected_devices is not None and len(devices) < job.expected_devices:
        return fewer(job.expected_devices, evidence, mig=has_mig(str(each["name"]) for each in devices))
    return passed(**evidence)


def fewer(expected: int, evidence: dict[str, object], *, mig: bool) -> Finding:
    """Fewer devices than the machine has: a fault, unless a variable asks for fewer, or CUDA gives a process one MIG
    instance alone (NVIDIA MIG User Guide, "CUDA Device Enumeration")."""
    variables = evidence["variables"]
    if isinstance(variables, dict) and any(name in HIDING for name in variables):
        return passed(**evidence, limited_by="variables")
    if mig:
        return passed(**evidence, limited_by="mig")
    text = f"torch sees {evidence['count']} of {expected} devices"
    return failed("fewer-devices", text, **evidence)


def has_mig(names: Iterable[str]) -> bool:
    """Whether a GPU is divided into MIG instances."""
    if any(" MIG " in name for name in names):
        return True
    try:
        gpus = os.listdir(MIG_INSTANCES)
        return any(os.listdir(f"{MIG_INSTANCES}/{gpu}/mig") for gpu in gpus if gpu.startswith("gpu"))
    except OSError:
        return False


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
