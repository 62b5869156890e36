"""Kernels whose own amdgpu does not know a chip yet."""

from __future__ import annotations

from ..facts.model import Facts, Gpu, Unknown

LAST_WITHOUT = {
    "gfx1030": "5.8", "gfx1031": "5.10", "gfx1032": "5.11", "gfx90a": "5.11", "gfx942": "6.3", "gfx1100": "5.18",
    "gfx1101": "5.18", "gfx1102": "5.18", "gfx1103": "5.18", "gfx1150": "6.5", "gfx1151": "6.8", "gfx1152": "6.9",
    "gfx1200": "6.9", "gfx1201": "6.9",
}  # fmt: skip
"""Newest mainline kernel that surely lacks the chip: its patches came for the next one or the one after that
(merge windows of torvalds/linux, drivers/gpu/drm/amd: IP_VERSION of the graphics block in amdgpu_discovery.c and
kfd_device.c). A distribution's kernel may have them by backport, so this counts only where the GPU is not served."""


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
