# ruff: noqa: ARG001, ARG005, T201
"""Runs in a Python that has torch: the rungs where there are several devices. There is no GPU here: names of devices
stand for the CPU, and one of them is at fault. Prints each finding as JSON.

Usage: several_devices.py WORKER_FOLDER
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

GIB = 1 << 30


def main(worker: str) -> None:
    """Each case."""
    import torch

    spec = importlib.util.spec_from_file_location(
        "firstlight_worker", f"{worker}/__init__.py", submodule_search_locations=[worker]
    )
    assert spec is not None
    sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    outcome = importlib.import_module("firstlight_worker.outcome")
    isolation = importlib.import_module("firstlight_worker.isolation")
    job = outcome.Job("cuda", [], [], [], "/", devices=[0, 1, 2], kinds=[0, 1])
    torch.Tensor.to = on_cpu(torch.Tensor.to)
    torch.nn.Module.to = lambda self, device: self
    torch.cuda.get_device_capability = lambda device: (7, 0)
    torch.cuda.get_device_properties = lambda device: types.SimpleNamespace(major=7, minor=0, is_integrated=True)
    torch.version.hip = None
    arange = torch.arange
    for name, rung, fault in CASES:
        torch.arange = on_cpu(arange)
        with planted(fault) if fault else contextlib.nullcontext():
            print(json.dumps([name, isolation.attempt(job, rung)._asdict()]))
    torch.arange = on_cpu(arange)
    memory = importlib.import_module("firstlight_worker.rungs.memory")
    for name, finding in memories(memory):
        print(json.dumps([name, finding._asdict()]))


def on_cpu(operation: Callable[..., Any]) -> Callable[..., Any]:
    """The same, where every device is the CPU."""

    def moved(*a: Any, **k: Any) -> Any:
        k = {name: "cpu" if name == "device" else value for name, value in k.items()}
        return operation(*("cpu" if isinstance(each, str) and each.startswith("cuda") else each for each in a), **k)

    return moved


CASES: list[tuple[str, str, tuple[str, int, str] | None]] = [
    ("kernels", "first-kernel", None),
    ("no code on the second", "first-kernel", ("arange", 1, "CUDA error: no kernel image is available for execution")),
    ("invalid image", "first-kernel", ("arange", 0, "HIP error: device kernel image is invalid")),
    ("memory taken", "first-kernel", ("arange", 2, "CUDA out of memory. Tried to allocate")),
    ("products", "matmul", None),
    ("bf16 refused", "matmul", ("bfloat16", 0, "CUDA error: CUBLAS_STATUS_NOT_SUPPORTED")),
    ("fp16 refused", "matmul", ("float16", 0, "CUDA error: CUBLAS_STATUS_NOT_SUPPORTED")),
    ("training", "training-step", None),
]
"""(name, rung, (what is refused, on which call or 0: always, the words))"""


@contextlib.contextmanager
def planted(fault: tuple[str, int, str]) -> Iterator[None]:
    """A call that raises: the n-th arange, or each product of a type."""
    import torch

    what, number, words = fault
    calls: list[int] = []
    owner, name = (torch, "arange") if what == "arange" else (torch, "matmul")
    original = getattr(owner, name)

    def wrong(*a: Any, **k: Any) -> Any:
        if what == "arange" and k.get("dtype") == torch.float32:
            calls.append(0)
        if (what == "arange" and len(calls) == number + 1) or (what != "arange" and a[0].dtype == getattr(torch, what)):
            calls.append(0)
            raise RuntimeError(words)
        return original(*a, **k)

    setattr(owner, name, wrong)
    yield
    setattr(owner, name, original)


def memories(memory: Any) -> Iterator[tuple[str, Any]]:
    """The rung `memory` where pages come from the host, where they do not, and where others take them."""
    import torch

    torch.cuda.synchronize = torch.cuda.empty_cache = lambda *device: None
    made: list[int] = []
    pattern = memory.pattern

    def chunk(device: str, words: int, number: int) -> Any:
        made.append(words * 4)
        return pattern("cpu", 64, number)

    memory.pattern = chunk
    torch.cuda.mem_get_info = lambda device: (64 * GIB, 96 * GIB)
    memory.host_free = lambda: 32 * GIB - sum(made)
    yield "host pages", memory.on_gpu("cuda:0")
    memory.host_free = lambda: 4 * GIB
    yield "own pages", memory.on_gpu("cuda:0")
    memory.host_free = lambda: 0
    yield "nothing free", memory.on_gpu("cuda:0")
    memory.host_free = lambda: 32 * GIB

    def full(device: str, words: int, number: int) -> Any:
        if number == 2:
            raise RuntimeError("HIP out of memory. Tried to allocate 1.00 GiB")
        return pattern("cpu", 64, number)

    memory.pattern = full
    yield "refused", memory.on_gpu("cuda:0")
    answers = [64 * GIB, 3 * GIB]
    torch.cuda.mem_get_info = lambda device: (answers.pop(0), 96 * GIB)
    yield "taken", memory.on_gpu("cuda:0")


if __name__ == "__main__":
    main(sys.argv[1])
