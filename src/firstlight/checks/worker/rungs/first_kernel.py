"""Rung `first-kernel`: a kernel runs on each device and its result, read back, is the right one to the last bit."""

from __future__ import annotations

from ..outcome import Finding, Job, failed, passed
from ..tensors import Tensor

SIZE = 100_003
"""Elements; prime, so that the last block of threads is not full."""


def check(job: Job) -> Finding:
    """Small integers in fp32, where every step is exact."""
    import torch

    devices = ["cpu"] if job.backend == "cpu" else [f"cuda:{index}" for index in job.devices]
    for device in devices:
        x = torch.arange(SIZE, dtype=torch.float32, device=device)
        y = (x % 251) * 2 + 1
        wrong = mismatch(y.cpu(), float(y.sum(dtype=torch.float64)))
        if wrong:
            return failed("wrong-numbers", wrong, device=device, elements=SIZE)
    return passed(devices=devices, elements=SIZE)


def mismatch(y: Tensor, total: float) -> str:
    """What differs from Python's own arithmetic; empty if nothing does."""
    values = y.tolist()
    for index, value in enumerate(values):
        if value != index % 251 * 2 + 1:
            return f"element {index} is {value!r}, expected {index % 251 * 2 + 1}"
    expected = sum(index % 251 * 2 + 1 for index in range(SIZE))
    return "" if total == expected else f"the sum is {total!r}, expected {expected}"
