"""Rung `checkpoint`: a training that was saved, loaded and continued equals one that was not interrupted."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from typing import Any

from .. import learning
from ..outcome import Finding, Job, failed, passed
from ..tensors import UNIT, Comparison, Tensor, compare, every_device, one_thread, precise

BEFORE, AFTER = 3, 3
"""Steps before saving, and after."""
RULE = "state: equal bit by bit; after 3 more steps: |difference| <= 4096 u_fp32 (0 on the CPU) of the largest value"

State = Any
"""What a checkpoint holds: tensors, numbers, and lists and dictionaries of them."""


def check(job: Job) -> Finding:
    """Save to a temporary folder, load with weights_only, continue both."""
    precise()
    with one_thread():
        return resumed(job)


def resumed(job: Job) -> Finding:
    """Train, save, load, train on."""
    import torch

    device = every_device(job)[0]
    images, labels = learning.batch()
    data = (images.float().to(device), labels.to(device))
    model = learning.network().to(device)
    adamw = learning.optimiser(model)
    learning.train(model, adamw, *data, BEFORE)
    before = {"model": copied(model.state_dict()), "optimiser": copied(adamw.state_dict())}
    with tempfile.TemporaryDirectory(prefix="firstlight-") as folder:
        path = os.path.join(folder, "checkpoint.pt")
        torch.save({"model": model.state_dict(), "optimiser": adamw.state_dict(), "step": BEFORE}, path)
        size = os.path.getsize(path)
        loaded = torch.load(path, map_location=device, weights_only=True)
    changed = differences(before, {key: loaded.get(key) for key in before})
    if changed:
        return failed("wrong-numbers", f"loaded differs from saved: {changed[0]}", differs=changed[:6], file_bytes=size)
    again = learning.network().to(device)
    restored = learning.optimiser(again)
    again.load_state_dict(loaded["model"])
    restored.load_state_dict(loaded["optimiser"])
    straight = learning.train(model, adamw, *data, AFTER)
    second = learning.train(again, restored, *data, AFTER)
    found = list(continued(model.state_dict(), again.state_dict(), exact=device == "cpu"))
    wrong = [each for each in found if not each.right]
    evidence: dict[str, object] = {
        "file_bytes": size,
        "losses": straight,
        "resumed_losses": second,
        "bound_rule": RULE,
    }
    if wrong:
        text = f"{wrong[0].case} differs after the resumed steps"
        return failed("wrong-numbers", text, worst=[each.evidence() for each in wrong[:6]], **evidence)
    return passed(**evidence, tensors=len(found))


def copied(state: State) -> State:
    """The same on the CPU, in memory of its own."""
    if hasattr(state, "detach"):
        return state.detach().to("cpu", copy=True)
    if isinstance(state, dict):
        return {key: copied(value) for key, value in state.items()}
    return [copied(value) for value in state] if isinstance(state, (list, tuple)) else state


def differences(saved: State, loaded: State, path: str = "") -> list[str]:
    """Paths of what is not equal."""
    if hasattr(saved, "detach"):
        same = hasattr(loaded, "detach") and loaded.dtype == saved.dtype and equal(saved, loaded.cpu())
        return [] if same else [path]
    if isinstance(saved, dict):
        if not isinstance(loaded, dict) or set(saved) != set(loaded):
            return [path]
        return [each for key in saved for each in differences(saved[key], loaded[key], f"{path}/{key}")]
    if isinstance(saved, list):
        if not isinstance(loaded, (list, tuple)) or len(saved) != len(loaded):
            return [path]
        return [
            each for n, pair in enumerate(zip(saved, loaded, strict=True)) for each in differences(*pair, f"{path}/{n}")
        ]
    return [] if saved == loaded else [path]


def equal(a: Tensor, b: Tensor) -> bool:
    """Same shape and values."""
    return a.shape == b.shape and bool((a == b).all())


def continued(straight: dict[str, Tensor], resumed: dict[str, Tensor], *, exact: bool) -> Iterator[Comparison]:
    """Each weight of the two trainings; a GPU may sum in another order each time."""
    for name, value in straight.items():
        want = value.cpu().double()
        bound = 0.0 if exact else 4096 * UNIT["fp32"] * float(want.abs().max())
        yield compare(name, resumed[name], want, bound)
