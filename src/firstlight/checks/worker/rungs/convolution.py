"""Rung `convolution`: forward and backward, against float64."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

from .. import reference
from ..outcome import Finding, Job
from ..tensors import (
    UNIT,
    Comparison,
    Tensor,
    compare,
    dtype_of,
    each_in_turn,
    may_lack,
    noise,
    one_of_each_kind,
    one_thread,
    precise,
)
from ..verdict import verdict

RULE = (
    "|error| <= (32 sqrt(K) u_fp32 + 8 u_type) max(the same convolution of absolute values); K: terms of each sum; "
    "against the maximum, since Winograd and FFT algorithms mix neighbours"
)


class Case(NamedTuple):
    """One convolution. `groups` of a transposed one is 1."""

    name: str
    batch: int
    inputs: int
    outputs: int
    size: tuple[int, int]
    kernel: int
    stride: int = 1
    padding: int = 0
    groups: int = 1
    dilation: int = 1
    transposed: bool = False
    half: bool = False
    """Tried in half precision as well. On ROCm the first use of each costs a search and a compilation by MIOpen."""


CASES = (
    Case("3x3", 2, 8, 16, (14, 14), 3, padding=1, half=True),
    Case("3x3 stride 2", 2, 8, 16, (15, 14), 3, stride=2, padding=1, half=True),
    Case("3x3 dilated", 1, 4, 8, (13, 11), 3, padding=2, dilation=2),
    Case("1x1", 3, 16, 8, (9, 7), 1, half=True),
    Case("1x1 stride 2", 2, 8, 8, (8, 8), 1, stride=2),
    Case("5x5 odd channels", 1, 3, 5, (12, 17), 5, padding=2),
    Case("grouped 3x3", 2, 8, 12, (10, 10), 3, padding=1, groups=4),
    Case("depthwise 3x3", 2, 16, 16, (9, 9), 3, padding=1, groups=16, half=True),
    Case("transposed 4x4 stride 2", 2, 8, 6, (7, 5), 4, stride=2, padding=1, transposed=True),
    Case("transposed 2x2 stride 2", 1, 5, 3, (6, 6), 2, stride=2, transposed=True),
)


def check(job: Job) -> Finding:
    """All cases; half precision on a GPU only, where it has kernels of its own."""
    precise()
    types = ["fp32"] if job.backend == "cpu" else ["fp32", "fp16", "bf16"]
    told: dict[str, object] = {}
    results: list[Comparison] = []
    for device, word in each_in_turn(one_of_each_kind(job)):
        for name in types:
            cases = [(seed, case) for seed, case in enumerate(CASES) if name == "fp32" or case.half]
            try:
                found = [each for seed, case in cases for each in run(device, word, case, name, seed)]
            except RuntimeError as error:
                if not may_lack(error, name, device):
                    raise
                told[word + name] = "not-supported"
                continue
            told[word + name] = max(found, key=lambda each: each.ratio).evidence()
            results += found
    return verdict(results, RULE, types=told)


def run(device: str, word: str, case: Case, dtype: str, seed: int) -> Iterator[Comparison]:
    """Output and gradients of input, weight and bias of one case."""
    per_group = case.inputs // case.groups
    weight = (case.inputs, case.outputs) if case.transposed else (case.outputs, per_group)
    x = noise(case.batch, case.inputs, *case.size, seed=3 * seed, dtype=dtype)
    w = noise(*weight, case.kernel, case.kernel, seed=3 * seed + 1, dtype=dtype)
    b = noise(case.outputs, seed=3 * seed + 2, dtype=dtype)
    actual = [each.to(device=device, dtype=dtype_of(dtype)).requires_grad_() for each in (x, w, b)]
    y = torched(case, *actual)
    g = noise(*y.shape, seed=100 + seed, dtype=dtype)
    y.backward(g.to(device=y.device, dtype=y.dtype))
    expected = forward_backward(lambda *leaves: referenced(case, *leaves), (x, w, b), g)
    scale = forward_backward(lambda *leaves: referenced(case, *leaves), (x.abs(), w.abs(), b.abs()), g.abs())
    points = case.batch * y.shape[2] * y.shape[3]
    area = case.kernel * case.kernel
    terms = (per_group * area, case.outputs // case.groups * area, points, points)
    got = [y, *(leaf.grad for leaf in actual)]
    for part, k, a, e, s in zip(
        ("output", "grad input", "grad weight", "grad bias"), terms, got, expected, scale, strict=True
    ):
        share = 32 * math.sqrt(k) * UNIT["fp32"] + (0 if dtype == "fp32" else 8 * UNIT[dtype])
        yield compare(f"{word}{dtype} {case.name}: {part}", a, e, float(s.max()) * share)


def torched(case: Case, x: Tensor, w: Tensor, b: Tensor) -> Tensor:
    """The operation under test."""
    from torch.nn import functional

    if case.transposed:
        return functional.conv_transpose2d(x, w, b, stride=case.stride, padding=case.padding)
    return functional.conv2d(x, w, b, case.stride, case.padding, case.dilation, case.groups)


def referenced(case: Case, x: Tensor, w: Tensor, b: Tensor) -> Tensor:
    """The same in elementwise float64."""
    bias = b[:, None, None]
    if case.transposed:
        size = [(length - 1) * case.stride - 2 * case.padding + case.kernel for length in case.size]
        return reference.transposed_convolution(x, w, size, stride=case.stride, padding=case.padding) + bias
    return bias + reference.convolution(
        x, w, stride=case.stride, padding=case.padding, groups=case.groups, dilation=case.dilation
    )


def forward_backward(function: Callable[..., Tensor], leaves: tuple[Tensor, ...], gradient: Tensor) -> list[Tensor]:
    """Output and gradient of each leaf, by a reference."""
    import torch

    with one_thread():
        fresh = [leaf.detach().clone().requires_grad_() for leaf in leaves]
        y = function(*fresh)
        return [y, *torch.autograd.grad(y, fresh, gradient)]
