"""HSA_OVERRIDE_GFX_VERSION: what the runtime is told a GPU is.

Source: ROCr libhsakmt/src/topology.c (ROCm/rocm-systems): `HSA_OVERRIDE_GFX_VERSION_<KFD node>` before the plain name;
three decimal numbers with dots, else the topology is refused as a whole."""

from __future__ import annotations

from ..facts.model import Facts, Gpu
from ._environments import variable

NAME = "HSA_OVERRIDE_GFX_VERSION"


def of(facts: Facts, gpu: Gpu) -> tuple[str, str] | None:
    """The variable that counts for this GPU and its value; None: none is set."""
    for name in (f"{NAME}_{gpu.node}", NAME):
        value = variable(facts, name)
        if value is not None and not (name != NAME and gpu.node is None):
            return name, value
    return None


def target(value: str) -> str | None:
    """`11.0.0` is gfx1100, `9.0.10` gfx90a; None: the runtime refuses it."""
    parts = value.split(".")
    if len(parts) != 3 or not all(part.isascii() and part.isdecimal() and len(part) <= 3 for part in parts):
        return None
    major, minor, step = (int(part) for part in parts)
    if major > 63 or minor > 255 or step > 255:
        return None
    return f"gfx{major}{minor:x}{step:x}"


def effective(facts: Facts, gpu: Gpu) -> str | None:
    """What the runtime takes the GPU for, after the override."""
    override = of(facts, gpu)
    return (target(override[1]) if override else None) or gpu.target


def family(name: str) -> str:
    """Major and minor version: `gfx1030` is of `gfx103`. Code of one family may run on its other members."""
    return name[:-1]


def major(name: str) -> str:
    """`gfx1151` is of major 11, `gfx90a` of 9."""
    return name.removeprefix("gfx")[:-2]
