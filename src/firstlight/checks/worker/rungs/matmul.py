"""Rung `matmul`: products of matrices, for each type and on each device, against float64."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from .. import reference
from ..outcome import Finding, Job
from ..tensors import (
    UNIT,
    Comparison,
    Tensor,
    compare,
    dtype_of,
    each_in_turn,
    every_device,
    may_lack,
    noise,
    one_thread,
    precise,
)
from ..verdict import verdict

SHAPES = ((64, 64, 64), (33, 65, 17), (1, 257, 130), (127, 511, 96), (200, 128, 1), (256, 64, 256))
"""(M, K, N): with and without tails, a row, a column."""
LARGE = ((1024, 1024, 1024), (2047, 513, 1025))
"""On a GPU only; a few rows are compared."""
ROWS = 8
RULE = "|error| <= (4 sqrt(K) u_sum + 4 u_type) (|A| |B|); u: unit roundoff of the sum (fp32, or fp64) and of the type"


def check(job: Job) -> Finding:
    """All shapes through all the ways to ask for a product. A faulty card gives wrong numbers alone: all are tried."""
    results: list[Comparison] = []
    types: dict[str, object] = {}
    devices = every_device(job)
    shapes = SHAPES if job.backend == "cpu" else SHAPES + LARGE
    for name in types_of(job):
        precise(tf32=name == "tf32")
        cases = [Case(name, number, *shape) for number, shape in enumerate(shapes)]
        found: list[Comparison] = []
        for device, word in each_in_turn(devices_of(name, devices)):
            try:
                found += [each for case in cases for each in case.on(device, word)]
            except RuntimeError as error:  # noqa: PERF203  a device at a time
                if not may_lack(error, name, device):
                    raise
                types[f"{word}{name}"] = "not-supported"
        if found:
            types[name] = max(found, key=lambda each: each.ratio).evidence()
        results += found
    precise()
    return verdict(results, RULE, devices=devices, types=types)


def types_of(job: Job) -> list[str]:
    """tf32 exists on NVIDIA only."""
    return ["fp32", "fp64", "bf16", "fp16", *(["tf32"] if job.backend == "cuda" else [])]


def devices_of(name: str, devices: Sequence[str]) -> list[str]:
    """Devices that know the type: tf32 needs compute capability 8.0."""
    import torch

    return [each for each in devices if name != "tf32" or torch.cuda.get_device_capability(each)[0] >= 8]


class Case:
    """One product in one type, with its reference."""

    def __init__(self, name: str, number: int, m: int, k: int, n: int) -> None:
        self.name, self.number = name, number
        self.a, self.b = (noise(*s, seed=2 * number + i, dtype=name) for i, s in enumerate(((m, k), (k, n))))
        self.step = 1 if m <= 256 else m // ROWS
        rows = self.a[:: self.step]
        with one_thread():
            self.expected = reference.matmul(rows, self.b)
            self.bound = reference.matmul(rows.abs(), self.b.abs()) * error_share(name, k)

    def on(self, device: str, word: str) -> Iterator[Comparison]:
        """The product, asked for in the ways that programs use; the operands both plain and transposed in memory."""
        x, y = (each.to(device=device, dtype=dtype_of(self.name)) for each in (self.a, self.b))
        ways = ways_of(x, y)
        chosen = list(ways) if self.step == 1 else ["matmul", "linear"]
        for way in chosen if self.number < 2 or self.step > 1 else chosen[self.number % 2 :: 2]:
            case = f"{word}{self.name} {way} {x.shape[0]}x{x.shape[1]}x{y.shape[1]}"
            yield compare(case, ways[way]()[:: self.step], self.expected, self.bound)


def ways_of(x: Tensor, y: Tensor) -> dict[str, Callable[[], Tensor]]:
    """(M, K) and (K, N): how programs ask for the product."""
    import torch

    turned = y.t().contiguous().t()
    return {
        "matmul": lambda: torch.matmul(x, y),
        "operator": lambda: x @ turned,
        "mm": lambda: torch.mm(x.t().contiguous().t(), y),
        "linear": lambda: torch.nn.functional.linear(x, y.t()),
        "bmm": lambda: torch.bmm(torch.stack((x, x)), torch.stack((turned, y)))[1],
        "addmm": lambda: torch.addmm(torch.zeros_like(x[:1, :1]), x, y),
    }


def error_share(name: str, k: int) -> float:
    """Bound of the error relative to |A| |B|."""
    if name == "fp64":
        return 4 * math.sqrt(k) * UNIT["fp64"]
    inexact = 0.0 if name == "fp32" else 4 * UNIT[name]
    return 4 * math.sqrt(k) * UNIT["fp32"] + inexact
