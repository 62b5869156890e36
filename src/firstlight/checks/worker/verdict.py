"""From comparisons to a finding."""

from __future__ import annotations

from collections.abc import Sequence

from .outcome import Finding, failed, passed
from .tensors import Comparison, round3

SHOWN = 6
"""Wrong cases told in full; the rest is counted."""


def verdict(comparisons: Sequence[Comparison], rule: str, **evidence: object) -> Finding:
    """Pass if all are right. `rule` says how the bounds were made."""
    wrong = [each for each in comparisons if not each.right]
    worst = max(comparisons, key=lambda each: each.ratio)
    evidence = {**evidence, "cases": len(comparisons), "bound_rule": rule}
    if wrong:
        first = wrong[0]
        told = f": got {first.got!r}, expected {first.expected!r} within {round3(first.bound)}"
        text = first.case + (told if first.at else "")
        return failed(
            "wrong-numbers", text, wrong=len(wrong), worst=[each.evidence() for each in wrong[:SHOWN]], **evidence
        )
    return passed(**evidence, worst=worst.evidence(), share_of_bound=round3(worst.ratio))
