"""Rung `matmul`: products of matrices, for each type, against float64."""

from __future__ import annotations

import math
from collections.abc import Iterator

from .. import reference
from ..outcome import Finding, Job
from ..tensors import (
    UNIT,
    Comparison,
    Tensor,
    compare,
    device_name,
    dtype_of,
    is_missing_kernel,
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
    """All shapes through all the ways to ask for a product."""
    results: list[Comparison] = []
    types: dict[str, object] = {}
    for name in types_of(job):
        try:
            found = list(of_type(job, name))
        except RuntimeError as error:
            if job.backend != "cpu" or not is_missing_kernel(error):
                raise
            types[name] = "not-implemented"
            continue
        worst = max(found, key=lambda each: each.ratio)
        types[name] = worst.evidence()
        results += found
    return verdict(results, RULE, types=types)


def types_of(job: Job) -> list[str]:
    """tf32 exists on NVIDIA from compute capability 8.0."""
    import torch

    types = ["fp32", "fp64", "bf16", "fp16"]
    if job.backend == "cuda" and torch.cuda.get_device_capability()[0] >= 8:
        types.append("tf32")
    return types


def of_type(job: Job, name: str) -> Iterator[Comparison]:
    """Each shape in one type."""
    precise(tf32=name == "tf32")
    shapes = SHAPES if job.backend == "cpu" else SHAPES + LARGE
    for number, (m, k, n) in enumerate(shapes):
        a, b = (noise(*shape, seed=2 * number + i, dtype=name) for i, shape in enumerate(((m, k), (k, n))))
        yield from products(job, name, a, b, number)
    precise()


def products(job: Job, name: str, a: Tensor, b: Tensor, number: int) -> Iterator[Comparison]:
    """One product, asked for in the ways that programs use; the operands both plain and transposed in memory."""
    import torch

    device, dtype = device_name(job), dtype_of(name)
    x, y = a.to(device=device, dtype=dtype), b.to(device=device, dtype=dtype)
    rows = a if a.shape[0] <= 256 else a[:: a.shape[0] // ROWS]
    step = 1 if rows is a else a.shape[0] // ROWS
    with one_thread():
        expected = reference.matmul(rows, b)
        bound = reference.matmul(rows.abs(), b.abs()) * error_share(name, a.shape[1])
    turned = y.t().contiguous().t()
    ways = {
        "matmul": lambda: torch.matmul(x, y),
        "operator": lambda: x @ turned,
        "mm": lambda: torch.mm(x.t().contiguous().t(), y),
        "linear": lambda: torch.nn.functional.linear(x, y.t()),
        "bmm": lambda: torch.bmm(torch.stack((x, x)), torch.stack((turned, y)))[1],
        "addmm": lambda: torch.addmm(torch.zeros_like(x[:1, :1]), x, y),
    }
    chosen = list(ways) if step == 1 else ["matmul", "linear"]
    for way in chosen if number < 2 or step > 1 else chosen[number % 2 :: 2]:
        case = f"{name} {way} {a.shape[0]}x{a.shape[1]}x{b.shape[1]}"
        yield compare(case, ways[way]()[::step], expected, bound)


def error_share(name: str, k: int) -> float:
    """Bound of the error relative to |A| |B|."""
    if name == "fp64":
        return 4 * math.sqrt(k) * UNIT["fp64"]
    inexact = 0.0 if name == "fp32" else 4 * UNIT[name]
    return 4 * math.sqrt(k) * UNIT["fp32"] + inexact
