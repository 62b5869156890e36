# ruff: noqa: ARG005, PLW0108, T201
"""Runs in a Python that has torch: plants each fault in turn, tries its rung, and prints the verdicts as JSON.

Usage: wrong_ops.py WORKER_FOLDER
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

Plant = Callable[[Any], Any]


def main(worker: str) -> None:
    """One line for each plant: its name, the rung, what was said."""
    spec = importlib.util.spec_from_file_location(
        "firstlight_worker", f"{worker}/__init__.py", submodule_search_locations=[worker]
    )
    assert spec is not None
    sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    outcome = importlib.import_module("firstlight_worker.outcome")
    isolation = importlib.import_module("firstlight_worker.isolation")
    job = outcome.Job("cpu", [], [], [], "/", collectives_on_cpu=2)
    for rung, name, owner, attribute, make in plants():
        with planted(owner, attribute, make):
            finding = isolation.attempt(job, rung)
        print(json.dumps([rung, name, finding.verdict, finding.reason, finding.text]))
        again = isolation.attempt(job, rung) if name.endswith("*") else None
        assert again is None or again.verdict == "pass", again


@contextlib.contextmanager
def planted(owner: Any, attribute: str, make: Plant) -> Iterator[None]:
    """The attribute replaced, for a while."""
    original = getattr(owner, attribute)
    setattr(owner, attribute, make(original))
    try:
        yield
    finally:
        setattr(owner, attribute, original)


Planted = tuple[str, str, Any, str, Plant]
"""(rung, name, where, which attribute, what to make of it); after a name with `*` the rung is tried unharmed."""


def plants() -> Iterator[Planted]:
    """All, those of the collectives first: their ranks are forked, which must be before operations start threads."""
    yield from collectives()
    yield from products()
    yield from convolutions()
    yield from attentions()
    yield from trainings()


def collectives() -> Iterator[Planted]:
    from torch import distributed

    yield "collectives", "sum not taken*", distributed, "all_reduce", lambda _: lambda tensor: None
    yield "collectives", "gathered too early", distributed, "all_gather", lambda _: lambda parts, mine: None
    yield "collectives", "nothing sent", distributed, "broadcast", lambda _: lambda tensor, src: None


def products() -> Iterator[Planted]:
    import torch
    from torch.nn import functional

    yield "first-kernel", "last element off", torch, "arange", one_element(7)
    yield "matmul", "a thousandth off*", torch, "matmul", scaled(1.001)
    yield "matmul", "one NaN", torch, "mm", one_element(float("nan"))
    yield "matmul", "one infinity", torch, "bmm", one_element(float("inf"))
    yield "matmul", "one element lost", torch, "addmm", one_element(0.0)
    yield "matmul", "other shape", torch, "mm", lambda op: lambda a, b: op(a, b)[:-1]
    yield "matmul", "fp64 by fp32", torch, "matmul", lambda op: lambda a, b: op(a.float(), b.float()).to(a.dtype)
    yield "matmul", "fp32 by bf16", torch, "matmul", lambda op: lambda a, b: op(a.bfloat16(), b.bfloat16()).to(a.dtype)
    yield "matmul", "one layout", functional, "linear", when(lambda x, w: not w.is_contiguous(), 1.01)
    yield "memory", "one word lost*", torch.Tensor, "bitwise_xor_", lose_word


def convolutions() -> Iterator[Planted]:
    from torch.nn import functional

    yield "convolution", "a thousandth off*", functional, "conv2d", scaled(1.001)
    yield "convolution", "stride 2 only", functional, "conv2d", when(lambda x, w, b, s, *rest: s == 2, 1.001)
    yield "convolution", "depthwise only", functional, "conv2d", when(lambda *a: a[-1] == 16, 1.001)
    yield "convolution", "gradient only", functional, "conv2d", wrong_gradient
    yield "convolution", "transposed only", functional, "conv_transpose2d", one_element(0.5)


def attentions() -> Iterator[Planted]:
    import torch
    from torch.nn import functional

    name = "scaled_dot_product_attention"
    yield "attention", "a hundredth off*", functional, name, scaled(1.01)
    yield "attention", "one implementation", functional, name, where_flash_is_off
    yield "attention", "mask forgotten", functional, name, lambda op: lambda *a, is_causal: op(*a)
    yield "attention", "gradient only", functional, name, wrong_gradient
    yield "attention", "bf16 only", functional, name, when(lambda q, *a, **k: q.dtype == torch.bfloat16, 1.2)


def trainings() -> Iterator[Planted]:
    import torch
    from torch.nn import functional

    yield "training-step", "loss off*", functional, "cross_entropy", scaled(1.001)
    yield "training-step", "NaN", functional, "cross_entropy", scaled(float("nan"))
    yield "training-step", "another gelu", functional, "gelu", lambda op: lambda x: op(x, approximate="tanh")
    yield "training-step", "no step", torch.optim.AdamW, "step", lambda _: lambda self: None
    yield "training-step", "gradients kept", torch.optim.AdamW, "zero_grad", lambda _: lambda self: None
    yield "training-step", "another rate", torch.optim.AdamW, "__init__", other_rate
    yield "checkpoint", "weights changed*", torch, "save", lambda op: lambda state, path: op(nudged(state), path)
    yield "checkpoint", "optimiser emptied", torch, "save", lambda op: lambda s, p: op({**s, "optimiser": {}}, p)
    yield "checkpoint", "state not restored", torch.optim.AdamW, "load_state_dict", lambda _: lambda self, state: None


def scaled(factor: float) -> Plant:
    return lambda op: lambda *a, **k: op(*a, **k) * factor


def when(test: Callable[..., bool], factor: float) -> Plant:
    return lambda op: lambda *a, **k: op(*a, **k) * (factor if test(*a, **k) else 1)


def where_flash_is_off(op: Any) -> Any:
    """Wrong where torch is told to take another implementation."""
    from torch.backends import cuda

    return lambda *a, **k: op(*a, **k) * (1 if cuda.flash_sdp_enabled() else 1.2)


def one_element(value: float) -> Plant:
    def make(op: Any) -> Any:
        def wrong(*a: Any, **k: Any) -> Any:
            y = op(*a, **k).clone()
            y.reshape(-1)[-1] = value
            return y

        return wrong

    return make


def wrong_gradient(op: Any) -> Any:
    def wrong(*a: Any, **k: Any) -> Any:
        y = op(*a, **k)
        return y + 0.01 * (y - y.detach())

    return wrong


def other_rate(op: Any) -> Any:
    """A learning rate 5% too high."""

    def wrong(self: Any, parameters: Any, **k: Any) -> None:
        op(self, parameters, **{**k, "lr": k["lr"] * 1.05})

    return wrong


def nudged(state: dict[str, Any]) -> dict[str, Any]:
    """The model's weights a millionth larger."""
    return {**state, "model": {name: value * (1 + 1e-6) for name, value in state["model"].items()}}


def lose_word(op: Any) -> Any:
    """The third chunk that is written has one word of zeros."""
    calls = []

    def wrong(self: Any, value: int) -> Any:
        y = op(self, value)
        calls.append(value)
        if len(calls) == 3:
            y[12345] = 0
        return y

    return wrong


if __name__ == "__main__":
    main(sys.argv[1])
