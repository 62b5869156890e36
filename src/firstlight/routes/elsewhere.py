"""What else serves a chip that a build has no code for, in words: a reason that ends in "no" says where to go."""

from __future__ import annotations

from collections.abc import Sequence

from ..knowledge.carriers import ROCM_ARCH, carriers
from ..words import Words

MANY = 3
"""Indices that are named."""


def elsewhere(targets: Sequence[str], arch: str, *, vendor: bool = True, driver: str | None = None) -> Words:
    """Where code for the first of `targets` is, by what is known. `vendor`: AMD's own indices may be named. `driver`:
    NVIDIA's, so that no CUDA is named that it is too old for."""
    target = targets[0].partition(":")[0] if targets else ""
    found = carriers(target, arch, vendor=vendor, driver=driver)
    if found:
        names = ", ".join(found[:MANY])
        return Words(f"code for {target} is in: {names}", f"含 {target} 代码的有：{names}")
    if _community(target, arch):
        return Words(
            f"no index that is known has code for {target}; builds by others are among the routes",
            f"已知的索引都没有 {target} 的代码；第三方构建列在各路线中",
        )
    return Words(
        f"no build that is known has code for {target}: declare one of your own as a `[[route]]`",
        f"已知的构建都没有 {target} 的代码：可将自行构建的版本声明为 `[[route]]`",
    )


def _community(target: str, arch: str) -> bool:
    from ..knowledge.community import builds_for

    return target.startswith("gfx") and arch == ROCM_ARCH and bool(builds_for(target))
