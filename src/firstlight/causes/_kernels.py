"""Kernels whose own amdgpu does not know a chip yet."""

from __future__ import annotations

from ..facts.model import Facts, Gpu, Unknown

LAST_WITHOUT = {
    "gfx1030": "5.8", "gfx1031": "5.10", "gfx1032": "5.11", "gfx90a": "5.11", "gfx942": "6.3", "gfx1100": "5.18",
    "gfx1101": "5.18", "gfx1102": "5.18", "gfx1103": "5.18", "gfx1150": "6.5", "gfx1151": "6.8", "gfx1152": "6.9",
    "gfx1200": "6.9", "gfx1201": "6.9",
}  # fmt: skip
"""Newest mainline kernel that lacks the chip's graphics block (IP_VERSION in amdgpu_discovery.c and kfd_device.c).
Debian's linux-source 6.1.176 was read: GC 11.0.x is there, 9.4.3, 11.5.x and 12.0.x are not; 6.12 has them all
(knowledge). 6.8 without gfx1201 is reported (ROCm/legacy-rocm-build issue 5102). The other numbers follow the merge
windows in which the blocks came and were not read again. Distributions backport, so this counts only where the GPU is
not served."""


def knows(facts: Facts, gpu: Gpu) -> bool | None:
    """Whether the running kernel's own driver knows the chip, by its version; None: not known."""
    from ..knowledge import rules
    from ..knowledge.versions import version_key

    release = facts.kernel.release
    if gpu.target is None or isinstance(release, Unknown):
        return None
    target = gpu.target.partition(":")[0]
    last = LAST_WITHOUT.get(target)
    key = version_key(release)
    if last and key and key[:2] <= version_key(last):
        return False
    return rules.kernel_knows(target, release)
