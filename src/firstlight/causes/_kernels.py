"""Kernels whose own amdgpu does not know a chip yet."""

from __future__ import annotations

from ..facts.model import Facts, Gpu, Unknown


def knows(facts: Facts, gpu: Gpu) -> bool | None:
    """Whether the running kernel's own driver knows the chip, by its version (knowledge/kernels.toml); None: not
    known."""
    from ..knowledge import rules

    release = facts.kernel.release
    if gpu.target is None or isinstance(release, Unknown):
        return None
    target = gpu.target.partition(":")[0]
    return False if rules.kernel_lacks(target, release) else rules.kernel_knows(target, release)
