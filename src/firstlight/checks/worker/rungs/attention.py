"""Rung `attention`: scaled_dot_product_attention, forward and backward, against float64.

First as programs ask for it, then by each implementation of torch by name: which of them there are decides the speed.
"""

from __future__ import annotations

import contextlib
import math
import warnings
from collections.abc import Iterator
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
    precise,
)
from ..verdict import verdict
from .convolution import forward_backward


class Case(NamedTuple):
    """Sizes of one attention."""

    batch: int
    heads: int
    queries: int
    keys: int
    size: int
    causal: bool = False


CASES = (
    Case(2, 3, 16, 16, 16),
    Case(1, 2, 33, 33, 64, causal=True),
    Case(1, 4, 17, 40, 32),
    Case(2, 2, 24, 24, 40, causal=True),
)
LARGE = (Case(2, 4, 128, 128, 64, causal=True), Case(1, 2, 65, 65, 72), Case(1, 2, 96, 96, 128, causal=True))
"""On a GPU as well: sizes of the fused kernels' tiles, and heads beside them."""
BACKENDS = ("FLASH_ATTENTION", "EFFICIENT_ATTENTION", "MATH")
"""Names in torch.nn.attention.SDPBackend."""
REFUSED = ("no available kernel", "no viable backend")
"""What torch says where the one that was asked for does not take the sizes, the type or the chip (2.0 to 2.15)."""
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
    for device, word in each_in_turn(one_of_each_kind(job)):
        for name in types:
            ways: dict[str, str] = {}
            try:
                found = [each for case in cases for each in run(device, word, case, name, ways)]
            except RuntimeError as error:
                if not may_lack(error, name, device):
                    raise
                told[word + name] = "not-supported"
                continue
            worst = max(found, key=lambda each: each.ratio)
            told[word + name] = {**worst.evidence(), "implementations": ways}
            results += found
    return verdict(results, RULE, types=told)


def run(device: str, word: str, case: Case, dtype: str, ways: dict[str, str]) -> Iterator[Comparison]:
    """One case as torch chooses, and by each of its implementations; `ways` remembers which accepted any
    (torch 2.0 heeds the choice on a GPU only)."""
    seed = (CASES + LARGE).index(case)
    lengths = (case.queries, case.keys, case.keys)
    leaves = tuple(
        noise(case.batch, case.heads, n, case.size, seed=4 * seed + i, dtype=dtype) for i, n in enumerate(lengths)
    )
    g = noise(case.batch, case.heads, case.queries, case.size, seed=4 * seed + 3, dtype=dtype)
    expected = forward_backward(lambda q, k, v: reference.attention(q, k, v, causal=case.causal), leaves, g)
    name = f"{word}{dtype} {case.batch}x{case.heads}x{case.queries}x{case.keys}x{case.size}"
    for backend in (None, *BACKENDS):
        got = attended(device, case, dtype, [*leaves, g], backend)
        if backend:
            ways[backend] = "accepted" if got else ways.get(backend, "refused")
        said = f"{name}{' causal' if case.causal else ''}{f' {backend}' if backend else ''}"
        yield from judged(said, got, expected, case, dtype)


def attended(device: str, case: Case, dtype: str, tensors: list[Tensor], backend: str | None) -> list[Tensor]:
    """Output and gradients; nothing if torch refuses the backend here."""
    from torch.nn import functional

    *leaves, g = (each.to(device=device, dtype=dtype_of(dtype)) for each in tensors)
    q, k, v = (leaf.requires_grad_() for leaf in leaves)
    try:
        with only(backend):
            y = functional.scaled_dot_product_attention(q, k, v, is_causal=case.causal)
    except RuntimeError as error:
        if backend and any(words in str(error).lower() for words in REFUSED):
            return []
        raise
    y.backward(g)
    return [y, q.grad, k.grad, v.grad]


@contextlib.contextmanager
def only(backend: str | None) -> Iterator[None]:
    """Let torch take this implementation alone. It warns of each reason why it cannot."""
    import torch

    if backend is None:
        yield
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            from torch.nn.attention import SDPBackend, sdpa_kernel

            chosen = sdpa_kernel([getattr(SDPBackend, backend)])
        except ImportError:  # torch before 2.3
            names = dict(zip(("enable_flash", "enable_mem_efficient", "enable_math"), BACKENDS, strict=True))
            chosen = torch.backends.cuda.sdp_kernel(**{name: each == backend for name, each in names.items()})
        with chosen:
            yield


def judged(name: str, got: list[Tensor], expected: list[Tensor], case: Case, dtype: str) -> Iterator[Comparison]:
    """Each part beside its reference."""
    share = 16 * math.sqrt(case.keys + case.size) * UNIT["fp32"] + (0 if dtype == "fp32" else 16 * UNIT[dtype])
    parts = ("output", "grad q", "grad k", "grad v")
    for part, a, e in zip(parts, got, expected, strict=True) if got else ():
        scale = float(e.abs().max())
        yield compare(f"{name}: {part}", a, e, share * (scale if part == "output" else max(scale, 1.0)))
