"""A small network and its training, once with torch's own operations and once by `reference` in float64."""

from __future__ import annotations

from typing import Any

from . import reference
from .tensors import Tensor, noise

SIZE, CLASSES, BATCH, WIDTH, HEADS = 8, 4, 16, 16, 2
RATE, BETAS, EPS, DECAY = 1e-2, (0.9, 0.99), 1e-4, 1e-2
"""Of AdamW. The large eps keeps gradients near zero, where rounding decides the sign, from moving a weight far."""
STEPS = 30

Model = Any
"""torch.nn.ModuleDict"""
Optimiser = Any
"""torch.optim.Optimizer"""

SHAPES: dict[str, tuple[int, ...]] = {
    "stem.weight": (8, 1, 3, 3),
    "stem.bias": (8,),
    "down.weight": (WIDTH, 8, 3, 3),
    "down.bias": (WIDTH,),
    "norm.weight": (WIDTH,),
    "norm.bias": (WIDTH,),
    "qkv.weight": (3 * WIDTH, WIDTH),
    "qkv.bias": (3 * WIDTH,),
    "head.weight": (CLASSES, WIDTH),
    "head.bias": (CLASSES,),
}


def start_values() -> dict[str, Tensor]:
    """Initial weights, float64 but exact in fp32."""
    values = {}
    for seed, (name, shape) in enumerate(SHAPES.items()):
        fan_in = max(1, noise(*shape, seed=0)[0].numel())
        scale = 1.0 if name == "norm.weight" else fan_in**-0.5
        drawn = noise(*shape, seed=1000 + seed, dtype="fp32") * scale
        values[name] = (1 + 0.1 * drawn if name == "norm.weight" else drawn).float().double()
    return values


def batch() -> tuple[Tensor, Tensor]:
    """Images of a stripe pattern for each class under noise, (BATCH, 1, SIZE, SIZE), and their classes."""
    import torch

    labels = torch.arange(BATCH) % CLASSES
    patterns = noise(CLASSES, 1, SIZE, SIZE, seed=7)
    images = patterns[labels] + 0.5 * noise(BATCH, 1, SIZE, SIZE, seed=8)
    return images.float().double(), labels


def network() -> Model:
    """Convolutions, normalisation, attention and a linear head, with `start_values`, on the CPU in fp32."""
    import torch
    from torch import nn

    made = nn.ModuleDict(
        {
            "stem": nn.Conv2d(1, 8, 3, padding=1),
            "down": nn.Conv2d(8, WIDTH, 3, stride=2, padding=1),
            "norm": nn.LayerNorm(WIDTH),
            "qkv": nn.Linear(WIDTH, 3 * WIDTH),
            "head": nn.Linear(WIDTH, CLASSES),
        }
    )
    values = start_values()
    with torch.no_grad():
        for name, parameter in made.named_parameters():
            parameter.copy_(values[name])
    return made


def forward(model: Model, x: Tensor) -> Tensor:
    """(N, 1, SIZE, SIZE) -> (N, CLASSES), by torch's operations."""
    from torch.nn import functional

    x = functional.gelu(model["down"](functional.gelu(model["stem"](x)))).flatten(2).transpose(1, 2)
    q, k, v = (split_heads(part) for part in model["qkv"](model["norm"](x)).chunk(3, -1))
    seen = functional.scaled_dot_product_attention(q, k, v)
    return model["head"]((x + join_heads(seen)).mean(1))


def split_heads(x: Tensor) -> Tensor:
    """(N, L, W) -> (N, HEADS, L, W / HEADS)."""
    return x.reshape(x.shape[0], x.shape[1], HEADS, -1).transpose(1, 2)


def join_heads(x: Tensor) -> Tensor:
    """The inverse of `split_heads`."""
    return x.transpose(1, 2).reshape(x.shape[0], x.shape[2], -1)


def optimiser(model: Model) -> Optimiser:
    """torch's AdamW."""
    import torch

    return torch.optim.AdamW(model.parameters(), lr=RATE, betas=BETAS, eps=EPS, weight_decay=DECAY)


def train(model: Model, adamw: Optimiser, images: Tensor, labels: Tensor, steps: int) -> list[float]:
    """Losses before each step."""
    from torch.nn import functional

    losses = []
    for _ in range(steps):
        adamw.zero_grad()
        loss = functional.cross_entropy(forward(model, images), labels)
        loss.backward()
        adamw.step()
        losses.append(float(loss))
    return losses


def referenced(p: dict[str, Tensor], x: Tensor) -> Tensor:
    """The network of elementwise float64 arithmetic."""
    x = reference.convolution(x, p["stem.weight"], padding=1) + p["stem.bias"][:, None, None]
    x = reference.convolution(reference.gelu(x), p["down.weight"], stride=2, padding=1) + p["down.bias"][:, None, None]
    x = reference.gelu(x).flatten(2).transpose(1, 2)
    normed = reference.layer_norm(x, p["norm.weight"], p["norm.bias"])
    q, k, v = (split_heads(part) for part in reference.linear(normed, p["qkv.weight"], p["qkv.bias"]).chunk(3, -1))
    x = x + join_heads(reference.attention(q, k, v))
    return reference.linear(x.mean(1), p["head.weight"], p["head.bias"])


def reference_losses(steps: int, *, disturbance: float = 0.0) -> list[float]:
    """Losses of the float64 training. `disturbance`: relative size of an error put into each gradient."""
    import torch

    images, labels = batch()
    values = start_values()
    means = {name: torch.zeros_like(value) for name, value in values.items()}
    squares = {name: torch.zeros_like(value) for name, value in values.items()}
    losses = []
    for step in range(1, steps + 1):
        leaves = {name: value.requires_grad_() for name, value in values.items()}
        loss = reference.cross_entropy(referenced(leaves, images), labels)
        gradients = torch.autograd.grad(loss, list(leaves.values()))
        losses.append(float(loss))
        for seed, (name, gradient) in enumerate(zip(leaves, gradients, strict=True)):
            if disturbance:
                size = disturbance * gradient.abs().max()
                gradient = gradient + size * noise(*gradient.shape, seed=step * 100 + seed)  # noqa: PLW2901
            values[name] = adamw_step(leaves[name].detach(), gradient, means[name], squares[name], step)
    return losses


def adamw_step(value: Tensor, gradient: Tensor, mean: Tensor, square: Tensor, step: int) -> Tensor:
    """One step of AdamW (Loshchilov and Hutter 2019) as torch defines it; `mean` and `square` are changed."""
    first, second = BETAS
    mean.mul_(first).add_(gradient * (1 - first))
    square.mul_(second).add_(gradient * gradient * (1 - second))
    root = (square / (1 - second**step)).sqrt() + EPS
    return value * (1 - RATE * DECAY) - RATE * (mean / (1 - first**step)) / root
