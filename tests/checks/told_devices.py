# ruff: noqa: T201
"""Runs in a Python that has torch: what the rungs make of devices that torch tells of. No device is there; this tries
the judgement alone, with the driver's answers put in.

Usage: told_devices.py WORKER_FOLDER
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import os
import sys
import tempfile
import types
from collections.abc import Callable, Iterator
from typing import Any


def main(worker: str) -> None:
    """One line for each case: its name and the finding."""
    import torch

    spec = importlib.util.spec_from_file_location(
        "firstlight_worker", f"{worker}/__init__.py", submodule_search_locations=[worker]
    )
    assert spec is not None
    sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    outcome = importlib.import_module("firstlight_worker.outcome")
    isolation = importlib.import_module("firstlight_worker.isolation")
    for name, rung, backend, expected, targets, flags in CASES:
        tell(torch, backend, targets, flags)
        generic = {"gfx11-generic": ["gfx1151"]}
        job = outcome.Job(backend, [], [], [], "/", expected, generic=generic, apu_targets=["gfx1036"])
        with around(name):
            print(json.dumps([name, isolation.attempt(job, rung)._asdict()]))


@contextlib.contextmanager
def around(name: str) -> Iterator[None]:
    """What else is so in some cases."""
    import torch

    visible: Any = importlib.import_module("firstlight_worker.rungs.device_visible")
    code: Any = importlib.import_module("firstlight_worker.rungs.code_for_chip")
    wheels, instances = code.device_wheels, visible.MIG_INSTANCES
    if name == "hidden":
        os.environ["GPU_DEVICE_ORDINAL"] = "0"
    if name == "deferred":
        torch.cuda.init = raising(torch.cuda.DeferredCudaCallError("CUDA call failed lazily"))
    if name.startswith("wheel of"):
        code.device_wheels = lambda: [f"amd-torch-device-{name.removeprefix('wheel of ')}", "rocm-sdk-device-gfx1151"]
    with tempfile.TemporaryDirectory() as folder:
        if name == "mig":
            os.makedirs(f"{folder}/gpu0/mig/gi1")
            visible.MIG_INSTANCES = folder
        yield
    code.device_wheels, visible.MIG_INSTANCES = wheels, instances
    os.environ.pop("GPU_DEVICE_ORDINAL", None)


def raising(error: Exception) -> Callable[[], None]:
    """A function that raises it."""

    def wrong() -> None:
        raise error

    return wrong


CASES: list[tuple[str, str, str, int | None, list[str], str]] = [
    ("seen", "device-visible", "rocm", 1, ["gfx1151"], ""),
    ("fewer", "device-visible", "rocm", 2, ["gfx1151"], ""),
    ("mig", "device-visible", "cuda", 8, ["sm_90"], ""),
    ("hidden", "device-visible", "rocm", 2, ["gfx1151"], ""),
    ("deferred", "device-visible", "cuda", 1, ["sm_90"], ""),
    ("none", "device-visible", "cuda", 1, [], ""),
    ("native", "code-for-chip", "rocm", None, ["gfx90a:sramecc+:xnack-"], "gfx90a gfx1100"),
    ("xnack", "code-for-chip", "rocm", None, ["gfx90a:sramecc+:xnack-"], "gfx90a:xnack+"),
    ("generic", "code-for-chip", "rocm", None, ["gfx1151"], "gfx1100 gfx11-generic"),
    ("lacking", "code-for-chip", "rocm", None, ["gfx1151"], "gfx1100 gfx1030"),
    ("second", "code-for-chip", "rocm", None, ["gfx1100", "gfx1036"], "gfx1100 gfx1030"),
    ("mixed", "code-for-chip", "rocm", None, ["gfx1100", "gfx1036", "gfx1100", "gfx1201"], "gfx1100 gfx1036 gfx1201"),
    ("wheel of gfx115x", "code-for-chip", "rocm", None, ["gfx1151"], "gfx1100 gfx1151"),
    ("wheel of gfx1100", "code-for-chip", "rocm", None, ["gfx1151"], "gfx1100 gfx1151"),
    ("untold", "code-for-chip", "rocm", None, ["gfx1151"], ""),
    ("jit", "code-for-chip", "cuda", None, ["sm_121"], "sm_80 compute_120"),
    ("minor", "code-for-chip", "cuda", None, ["sm_121"], "sm_90 sm_120"),
    ("newer", "code-for-chip", "cuda", None, ["sm_121"], "sm_80 sm_90a"),
]


def tell(torch: Any, backend: str, targets: list[str], flags: str) -> None:
    """Have torch tell these devices."""
    torch.version.hip = "7.2" if backend == "rocm" else None
    torch.version.cuda = "13.0" if backend == "cuda" else None
    torch.cuda.init = lambda: None
    torch.cuda.is_available = lambda: True
    torch.cuda.device_count = lambda: len(targets)
    torch.cuda.get_device_properties = lambda index: properties(targets[index])
    torch.cuda.get_arch_list = flags.split
    torch._C._cuda_getArchFlags = lambda: flags


def properties(target: str) -> types.SimpleNamespace:
    """Of one device."""
    digits = target.removeprefix("sm_") if target.startswith("sm_") else "00"
    return types.SimpleNamespace(
        name="test", total_memory=1 << 30, multi_processor_count=8, gcnArchName=target,
        major=int(digits[:-1]), minor=int(digits[-1]),
    )  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1])
