"""Rung `first-kernel`: a kernel runs on each device and its result, read back, is the right one to the last bit."""

from __future__ import annotations

from ..isolation import is_out_of_memory
from ..outcome import Finding, Job, failed, passed
from ..tensors import Tensor, each_in_turn, every_device

SIZE = 100_003
"""Elements; prime, so that the last block of threads is not full."""
CODELESS = (
    "no kernel image is available",  # cudaErrorNoKernelImageForDevice, hipErrorNoBinaryForGpu
    "device kernel image is invalid",  # cudaErrorInvalidKernelImage, hipErrorInvalidImage
    "invalid device function",
    "shared object symbol not found",
    "unsupported toolchain",  # cudaErrorUnsupportedPtxVersion: the driver is too old for the PTX
    "hiperrorinvalidimage",
    "hiperrornobinaryforgpu",
)
"""What a runtime says that finds no code for a chip (cudaGetErrorString, hipGetErrorString; CUDA 13.2, ROCm 7.2)."""


def check(job: Job) -> Finding:
    """Small integers in fp32, where every step is exact. All devices are tried, also after one has failed."""
    devices = every_device(job)
    wrong: dict[str, Finding] = {}
    for device, _ in each_in_turn(devices):
        finding = on(device)
        if finding:
            wrong[device] = finding
    if not wrong:
        return passed(devices=devices, elements=SIZE)
    first = next(iter(wrong.values()))
    text = "\n".join(f"{device}: {each.text}" for device, each in wrong.items())
    return failed(first.reason or "exception", text, failed_devices=list(wrong), devices=devices, elements=SIZE)


def on(device: str) -> Finding | None:
    """What is wrong on one device, if anything is."""
    import torch

    try:
        x = torch.arange(SIZE, dtype=torch.float32, device=device)
        y = (x % 251) * 2 + 1
        told = mismatch(y.cpu(), float(y.sum(dtype=torch.float64)))
    except RuntimeError as error:
        if device == "cpu":
            raise
        message = f"{type(error).__name__}: {error}"
        if is_out_of_memory(error):
            return failed("out-of-memory", message)
        codeless = any(words in message.lower() for words in CODELESS)
        return failed("no-code" if codeless else "exception", message)
    return failed("wrong-numbers", told) if told else None


def mismatch(y: Tensor, total: float) -> str:
    """What differs from Python's own arithmetic; empty if nothing does."""
    values = y.tolist()
    for index, value in enumerate(values):
        if value != index % 251 * 2 + 1:
            return f"element {index} is {value!r}, expected {index % 251 * 2 + 1}"
    expected = sum(index % 251 * 2 + 1 for index in range(SIZE))
    return "" if total == expected else f"the sum is {total!r}, expected {expected}"
