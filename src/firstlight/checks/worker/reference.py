"""The operations in float64 from elementwise arithmetic and sums alone.

None of the code under test (matmul, convolution, attention, normalisation, loss, optimiser) is used, so an error in
it cannot hide in the reference. Gradients come from torch.autograd over this arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from .tensors import Tensor

BLOCK = 1 << 22
"""Elements of the largest intermediate product: 32 MiB."""


def matmul(a: Tensor, b: Tensor) -> Tensor:
    """(M, K) x (K, N) -> (M, N)."""
    import torch

    rows = max(1, BLOCK // (b.shape[0] * b.shape[1]))
    blocks = [(a[start : start + rows, :, None] * b[None]).sum(1) for start in range(0, a.shape[0], rows)]
    return torch.cat(blocks)


def linear(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """(..., I), (O, I), (O) -> (..., O)."""
    return (x.unsqueeze(-2) * weight).sum(-1) + bias


def convolution(
    x: Tensor, w: Tensor, *, stride: int = 1, padding: int = 0, groups: int = 1, dilation: int = 1
) -> Tensor:
    """(N, C, H, W) and (O, C / groups, KH, KW) -> (N, O, OH, OW)."""
    n, channels, height, width = x.shape
    outputs, depth, kh, kw = w.shape
    padded = pad(x, padding)
    oh = (height + 2 * padding - dilation * (kh - 1) - 1) // stride + 1
    ow = (width + 2 * padding - dilation * (kw - 1) - 1) // stride + 1
    kernels = w.reshape(1, groups, outputs // groups, depth, kh, kw)
    total = x.new_zeros(n, groups, outputs // groups, oh, ow)
    for i in range(kh):
        for j in range(kw):
            top, left = i * dilation, j * dilation
            seen = padded[
                :, :, top : top + (oh - 1) * stride + 1 : stride, left : left + (ow - 1) * stride + 1 : stride
            ]
            seen = seen.reshape(n, groups, 1, channels // groups, oh, ow)
            total = total + (seen * kernels[..., i, j, None, None]).sum(3)
    return total.reshape(n, outputs, oh, ow)


def pad(x: Tensor, padding: int) -> Tensor:
    """Zeros around the last two axes."""
    if padding == 0:
        return x
    rows = x.new_zeros(*x.shape[:-2], padding, x.shape[-1])
    x = cat((rows, x, rows), -2)
    columns = x.new_zeros(*x.shape[:-1], padding)
    return cat((columns, x, columns), -1)


def cat(parts: Sequence[Tensor], axis: int) -> Tensor:
    """torch.cat."""
    import torch

    return torch.cat(tuple(parts), axis)


def transposed_convolution(x: Tensor, w: Tensor, size: Sequence[int], *, stride: int, padding: int) -> Tensor:
    """(N, C, H, W) and (C, O, KH, KW) -> (N, O, *size): the adjoint of `convolution`, by differentiating it."""
    import torch

    z = torch.zeros(x.shape[0], w.shape[1], *size, dtype=x.dtype, requires_grad=True)
    y = convolution(z, w, stride=stride, padding=padding)
    return torch.autograd.grad(y, z, x, create_graph=True)[0]


def attention(q: Tensor, k: Tensor, v: Tensor, *, causal: bool = False) -> Tensor:
    """(..., L, D), (..., S, D), (..., S, E) -> (..., L, E): softmax(q k' / sqrt(D)) v."""
    import torch

    scores = (q.unsqueeze(-2) * k.unsqueeze(-3)).sum(-1) / math.sqrt(q.shape[-1])
    if causal:
        rows, columns = torch.arange(q.shape[-2])[:, None], torch.arange(k.shape[-2])
        scores = torch.where(rows >= columns, scores, torch.full_like(scores, -math.inf))
    weights = (scores - scores.detach().amax(-1, keepdim=True)).exp()
    weights = weights / weights.sum(-1, keepdim=True)
    return (weights.unsqueeze(-1) * v.unsqueeze(-3)).sum(-2)


def layer_norm(x: Tensor, weight: Tensor, bias: Tensor, eps: float = 1e-5) -> Tensor:
    """Over the last axis."""
    centred = x - x.mean(-1, keepdim=True)
    return centred / (centred.square().mean(-1, keepdim=True) + eps).sqrt() * weight + bias


def gelu(x: Tensor) -> Tensor:
    """The exact one, by the error function."""
    return 0.5 * x * (1 + (x / math.sqrt(2)).erf())


def cross_entropy(logits: Tensor, labels: Tensor) -> Tensor:
    """(N, C) and N class numbers -> mean of -log softmax."""
    import torch

    shifted = logits - logits.detach().amax(-1, keepdim=True)
    chosen = torch.arange(logits.shape[-1]) == labels[:, None]
    return (shifted.exp().sum(-1).log() - torch.where(chosen, shifted, torch.zeros_like(shifted)).sum(-1)).mean()
