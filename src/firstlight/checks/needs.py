"""Which rungs a rung stands on: it is not tried when one of them has failed. All others still run."""

from __future__ import annotations

from .model import RUNGS

NEEDS: dict[str, tuple[str, ...]] = {
    "device-node": (),
    "access": ("device-node",),
    "kernel-driver": (),
    "runtime": (),
    "import": (),
    # not `runtime`: libraries can lie where facts do not look, and a try is cheap
    "device-visible": ("device-node", "access", "kernel-driver", "import"),
    "code-for-chip": ("device-visible",),
    "first-kernel": ("device-visible", "code-for-chip"),
}


def needs(rung: str) -> tuple[str, ...]:
    """All that the rung stands on, at last the first kernel, in the ladder's order."""
    direct = NEEDS.get(rung, ("first-kernel",))
    return order(tuple({*direct, *(below for each in direct for below in needs(each))}))


def order(rungs: tuple[str, ...]) -> tuple[str, ...]:
    """The same rungs in the ladder's order. Raises ValueError for one that the ladder does not have."""
    strange = sorted(set(rungs) - set(RUNGS))
    if strange:
        raise ValueError(", ".join(strange))
    return tuple(sorted(rungs, key=RUNGS.index))
