"""Deterministic input, the device under test, and the comparison with a reference."""

from __future__ import annotations

import contextlib
import math
import sys
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from .outcome import Job

Tensor = Any
"""torch.Tensor: torch is not there when this is type-checked."""
Dtype = Any
"""torch.dtype"""

UNIT = {"fp64": 2.0**-53, "fp32": 2.0**-24, "fp16": 2.0**-11, "bf16": 2.0**-8, "tf32": 2.0**-11}
"""Unit roundoff: half the distance from 1 to the next number (bf16: 8 bits of precision, half an ulp is 2^-9; one
whole ulp is taken, for hardware that truncates)."""


def every_device(job: Job) -> list[str]:
    """What torch calls the devices under test. ROCm builds call them `cuda`, too."""
    return ["cpu"] if job.backend == "cpu" else [f"cuda:{index}" for index in job.devices]


def one_of_each_kind(job: Job) -> list[str]:
    """A device of each kind of chip: for what depends on torch's code, which is equal for equal chips."""
    return ["cpu"] if job.backend == "cpu" else [f"cuda:{index}" for index in job.kinds]


def each_in_turn(devices: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each device, and a word that tells it from the others in a report: empty if it is the only one.

    It is printed as well: if a driver takes the process down, the output ends with the device that it died on.
    """
    for device in devices:
        if len(devices) > 1:
            print("on", device, file=sys.stderr, flush=True)
        yield device, f"{device} " if len(devices) > 1 else ""


def native_bf16(device: str) -> bool:
    """Whether the chip computes with bf16; elsewhere libraries emulate it or refuse.

    NVIDIA from compute capability 8.0 (CUDA C++ Programming Guide, table of features); AMD Instinct from gfx908 and
    Radeon from gfx11 (WMMA). Not yet tried on such hardware.
    """
    import torch

    if device == "cpu":
        return True
    properties = torch.cuda.get_device_properties(device)
    if torch.version.hip:
        name = str(getattr(properties, "gcnArchName", "")).partition(":")[0]
        return not name.startswith(("gfx8", "gfx90", "gfx10")) or name in ("gfx908", "gfx90a")
    return bool(properties.major >= 8)


def dtype_of(name: str) -> Dtype:
    """The torch type; tf32 is a way to multiply fp32."""
    import torch

    return {
        "fp64": torch.float64,
        "fp32": torch.float32,
        "tf32": torch.float32,
        "fp16": torch.float16,
        "bf16": torch.bfloat16,
    }[name]


def noise(*shape: int, seed: int, dtype: str = "fp64") -> Tensor:
    """Numbers in [-1, 1) from an integer hash of their index, on the CPU, in float64 but exact in `dtype`.

    Integer operations only, so it is the same on every machine, torch version and thread count.
    """
    import torch

    mask = 0xFFFFFFFF
    h = torch.arange(math.prod(shape), dtype=torch.int64) * 2654435761 + (seed + 1) * 40503
    for _ in range(2):
        h = ((h & mask) ^ ((h & mask) >> 16)) * 0x45D9F3B
    values = ((h & mask) ^ ((h & mask) >> 16)).to(torch.float64) / 2.0**31 - 1.0
    return values.reshape(shape).to(dtype_of(dtype)).to(torch.float64)


def precise(*, tf32: bool = False) -> None:
    """fp32 means fp32: NVIDIA's tf32 only where it is asked for."""
    import torch

    torch.set_float32_matmul_precision("high" if tf32 else "highest")
    torch.backends.cudnn.allow_tf32 = tf32


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """For many small operations: threads would wait for each other at each of them, for long on a busy machine."""
    import torch

    usual = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(usual)


def may_lack(error: Exception, dtype: str, device: str) -> bool:
    """Whether it is no fault that an operation in a type was refused: the CPU's fp16 before torch 2.1, and bf16 on a
    GPU that does not compute with it (cuBLAS, cuDNN and MIOpen each refuse in words of their own)."""
    if device == "cpu":
        return "not implemented for" in str(error)
    return dtype == "bf16" and not native_bf16(device)


class Comparison(NamedTuple):
    """One result beside its reference."""

    case: str
    worst: float
    """Largest error, or nan."""
    bound: float
    """What was allowed there."""
    ratio: float
    """Largest error divided by what was allowed for it; right if at most 1."""
    at: list[int]
    got: float
    expected: float

    @property
    def right(self) -> bool:
        """False also where a number is NaN or infinite."""
        return self.ratio <= 1.0

    def evidence(self) -> dict[str, object]:
        """For a report; numbers of three digits where more say nothing."""
        short = {"case": self.case, "worst_error": round3(self.worst), "bound": round3(self.bound)}
        return short if self.right else {**short, "at": self.at, "got": self.got, "expected": self.expected}


def round3(value: float) -> float:
    """Three significant digits."""
    return float(f"{value:.3g}")


def compare(case: str, actual: Tensor, expected: Tensor, bound: Tensor | float) -> Comparison:
    """Compare element by element on the CPU in float64. `bound`: absolute, a number or one for each element.

    A result of another shape is wrong in every element.
    """
    import torch

    got = actual.detach().to("cpu").to(torch.float64)
    want = expected.detach()
    if got.shape != want.shape:
        shapes = f"{case}: shape {tuple(got.shape)}, expected {tuple(want.shape)}"
        return Comparison(shapes, math.nan, 0.0, math.nan, [], math.nan, math.nan)
    allowed = torch.as_tensor(bound, dtype=torch.float64).expand(want.shape)
    error = (got - want).abs()
    ratio = torch.where(torch.isfinite(error), error / allowed.clamp(min=1e-300), torch.full_like(error, math.inf))
    flat = int(ratio.reshape(-1).argmax())
    at = position(flat, list(want.shape))
    pick = [float(tensor.reshape(-1)[flat]) for tensor in (error, allowed, ratio, got, want)]
    return Comparison(case, pick[0], pick[1], pick[2], at, pick[3], pick[4])


def position(flat: int, shape: list[int]) -> list[int]:
    """Indices of an element from its place in row-major order."""
    at = []
    for size in reversed(shape):
        flat, index = divmod(flat, size)
        at.append(index)
    return at[::-1]
