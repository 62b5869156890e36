"""Rung `attention`: scaled_dot_product_attention, forward and backward, against float64."""

from __future__ import annotations

import math
from collections.abc import Iterator

from .. import reference
from ..outcome import Finding, Job
from ..tensors import UNIT, Comparison, compare, device_name, dtype_of, is_missing_kernel, noise, precise
from ..verdict import verdict
from .convolution import forward_backward

CASES = ((2, 3, 16, 16, 16, False), (1, 2, 33, 33, 64, True), (1, 4, 17, 40, 32, False), (2, 2, 24, 24, 40, True))
"""(batch, heads, queries, keys, head size, causal)"""
LARGE = ((2, 4, 128, 128, 64, True), (1, 2, 65, 65, 72, False), (1, 2, 96, 96, 128, True))
"""On a GPU as well: sizes of the fused kernels' tiles, and heads beside them."""
RULE = (
    "|error| <= (16 sqrt(keys + head size) u_fp32 + 16 u_type) max(|reference|), "
    "of a gradient: max(|reference|, 1)"
)  # fmt: skip


def check(job: Job) -> Finding:
    """All cases in each type."""
    precise()
    cases = CASES if job.backend == "cpu" else CASES + LARGE
    types = ["fp32", "bf16"] if job.backend == "cpu" else ["fp32", "fp16", "bf16"]
    results: list[Comparison] = []
    told: dict[str, object] = {}
    for name in types:
        try:
            found = [each for number, case in enumerate(cases) for each in run(job, case, name, number)]
        except RuntimeError as error:
            if job.backend != "cpu" or not is_missing_kernel(error):
                raise
            told[name] = "not-implemented"
            continue
        told[name] = max(found, key=lambda each: each.ratio).evidence()
        results += found
    return verdict(results, RULE, types=told)


def run(job: Job, case: tuple[int, int, int, int, int, bool], dtype: str, seed: int) -> Iterator[Comparison]:
    """Output and gradients of queries, keys and values."""
    from torch.nn import functional

    batch, heads, queries, keys, size, causal = case
    lengths = (queries, keys, keys)
    leaves = tuple(noise(batch, heads, n, size, seed=4 * seed + i, dtype=dtype) for i, n in enumerate(lengths))
    actual = [leaf.to(device=device_name(job), dtype=dtype_of(dtype)).requires_grad_() for leaf in leaves]
    y = functional.scaled_dot_product_attention(*actual, is_causal=causal)
    g = noise(*y.shape, seed=4 * seed + 3, dtype=dtype)
    y.backward(g.to(device=y.device, dtype=y.dtype))
    expected = forward_backward(lambda q, k, v: reference.attention(q, k, v, causal=causal), leaves, g)
    share = 16 * math.sqrt(keys + size) * UNIT["fp32"] + (0 if dtype == "fp32" else 16 * UNIT[dtype])
    name = f"{dtype} {batch}x{heads}x{queries}x{keys}x{size}{' causal' if causal else ''}"
    parts = zip(("output", "grad q", "grad k", "grad v"), [y, *(leaf.grad for leaf in actual)], expected, strict=True)
    for part, a, e in parts:
        scale = float(e.abs().max())
        yield compare(f"{name}: {part}", a, e, share * (scale if part == "output" else max(scale, 1.0)))
