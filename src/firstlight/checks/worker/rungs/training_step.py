"""Rung `training-step`: a short training run; its loss falls, along the curve of the same training in float64."""

from __future__ import annotations

import math
import time

from .. import learning
from ..outcome import Finding, Job, failed, passed
from ..tensors import UNIT, each_in_turn, every_device, one_thread, precise, round3

FALL = 0.5
"""The last loss is at most this share of the first."""
DISTURBANCE = 32 * math.sqrt(learning.BATCH * learning.SIZE**2) * UNIT["fp32"]
"""Relative error of a gradient that fp32 may make: the longest sum has BATCH x SIZE^2 terms."""
SAFETY = 4.0
RULE = (
    "|loss - float64 loss| <= 4 x the largest deviation so far of a float64 training whose gradients were disturbed by "
    "32 sqrt(1024) u_fp32 of their maximum, + 64 u_fp32 of the first loss"
)


def check(job: Job) -> Finding:
    """Train on each device in fp32, then twice on the CPU in float64, for the curve and for its sensitivity."""
    precise()
    with one_thread():
        runs = {device: trained(device) for device, _ in each_in_turn(every_device(job))}
        expected = learning.reference_losses(learning.STEPS)
        disturbed = learning.reference_losses(learning.STEPS, disturbance=DISTURBANCE)
    findings = {
        device: judge(losses, expected, bounds(expected, disturbed), seconds)
        for device, (losses, seconds) in runs.items()
    }
    return worst_of(findings)


def worst_of(findings: dict[str, Finding]) -> Finding:
    """The first that failed, else that of the device nearest to its bound; with the name of its device."""
    device = next((name for name, each in findings.items() if each.verdict != "pass"), None)
    device = device or max(findings, key=lambda name: float(str(findings[name].evidence["share_of_bound"])))
    found = findings[device]
    text = f"{device}: {found.text}" if found.text and len(findings) > 1 else found.text
    return found._replace(evidence={**found.evidence, "device": device, "devices": list(findings)}, text=text)


def trained(device: str) -> tuple[list[float], float]:
    """Losses on one device, and the seconds that they took."""
    images, labels = learning.batch()
    model = learning.network().to(device)
    started = time.perf_counter()
    losses = learning.train(
        model, learning.optimiser(model), images.float().to(device), labels.to(device), learning.STEPS
    )
    return losses, time.perf_counter() - started


def bounds(expected: list[float], disturbed: list[float]) -> list[float]:
    """Allowed deviation of each loss."""
    allowed, largest = [], 0.0
    for plain, moved in zip(expected, disturbed, strict=True):
        largest = max(largest, abs(plain - moved))
        allowed.append(SAFETY * largest + 64 * UNIT["fp32"] * abs(expected[0]))
    return allowed


def judge(losses: list[float], expected: list[float], allowed: list[float], seconds: float) -> Finding:
    """Both claims: the curve is the right one, and it falls."""
    ratios = [
        abs(a - e) / b if math.isfinite(a) else math.inf for a, e, b in zip(losses, expected, allowed, strict=True)
    ]
    worst = max(range(len(ratios)), key=lambda step: ratios[step])
    evidence: dict[str, object] = {
        "steps": len(losses),
        "first_loss": losses[0],
        "last_loss": losses[-1],
        "fall_wanted": FALL,
        "losses": [round3(loss) for loss in losses[:: max(1, len(losses) // 10)]],
        "step_ms": round3(seconds / len(losses) * 1000),
        "bound_rule": RULE,
        "worst": {
            "step": worst,
            "got": losses[worst],
            "expected": expected[worst],
            "error": round3(abs(losses[worst] - expected[worst])),
            "bound": round3(allowed[worst]),
        },
        "share_of_bound": round3(ratios[worst]),
    }
    if not ratios[worst] <= 1:
        first = next(step for step, ratio in enumerate(ratios) if not ratio <= 1)
        text = f"loss of step {worst}: got {losses[worst]!r}, expected {expected[worst]!r} within {allowed[worst]:.3g}"
        return failed("wrong-numbers", f"{text}; wrong from step {first} on", first_wrong_step=first, **evidence)
    if not losses[-1] <= FALL * losses[0]:
        return failed("loss-does-not-fall", f"from {losses[0]!r} to {losses[-1]!r}", **evidence)
    return passed(**evidence)
