"""What else serves a chip that a build has no code for, in words: a reason that ends in "no" says where to go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..knowledge import rules
from ..knowledge.amd_chips import amd
from ..knowledge.builds import index_targets, runs_on
from ..knowledge.drivers import at_least, cuda_minimum
from ..knowledge.sources import builtin_indices
from ..knowledge.versions import version_key
from ..words import Words

MANY = 3
"""Indices that are named."""
NEWEST_LIST = "10.0.0"
"""AMD's list that is asked, beside TheRock's own of what it releases."""


def elsewhere(
    backend: str, targets: Sequence[str], arch: str, *, vendor: bool = True, driver: str | None = None
) -> Words:
    """Where code for the first of `targets` is, by what is known. `vendor`: AMD's own indices may be named. `driver`:
    NVIDIA's, so that no CUDA is named that it is too old for."""
    target = targets[0].partition(":")[0] if targets else ""
    own = _vendors(target, arch) if vendor and backend == "rocm" else ()
    found = [*own, *indices_with(backend, target, arch, driver=driver)]
    if found:
        names = ", ".join(found[:MANY])
        return Words(f"code for {target} is in: {names}", f"含 {target} 代码的有：{names}")
    if _community(backend, target, arch):
        return Words(
            f"no index that is known has code for {target}; builds by others are among the routes",
            f"已知的索引都没有 {target} 的代码；第三方构建列在各路线中",
        )
    return Words(
        f"no build that is known has code for {target}: declare one of your own as a `[[route]]`",
        f"已知的构建都没有 {target} 的代码：可将自行构建的版本声明为 `[[route]]`",
    )


def _vendors(target: str, arch: str) -> Iterator[str]:
    """AMD's, newest first: TheRock releases it, or AMD answers for it."""
    chip = amd(target)
    built = chip.therock if chip else None
    released = built is not None and built.device_extra and "release" in (built.linux or "")
    if arch == "x86_64" and (released or (built and rules.official(target, NEWEST_LIST))):
        yield from reversed([one.name for one in builtin_indices() if one.tier == "vendor"])


def indices_with(backend: str, target: str, arch: str, *, driver: str | None = None) -> list[str]:
    """PyTorch's own indices that are known to have code for a target, the newest ROCm or CUDA first."""
    return list(_upstream(backend, target, arch, driver)) if target else []


def _upstream(backend: str, target: str, arch: str, driver: str | None) -> Iterator[str]:
    numbered = ((one.backend_version, one) for one in builtin_indices() if one.tier == "upstream")
    mine = [(version_key(number), number, one) for number, one in numbered if number and one.backend == backend]
    for _, number, one in sorted(mine, key=lambda row: row[0], reverse=True):
        carried = index_targets(backend, number, arch, sure=True) if backend == "cuda" or arch == "x86_64" else None
        minimum = cuda_minimum(number) if backend == "cuda" else None
        new_enough = driver is None or minimum is None or at_least(driver, minimum)
        if carried and new_enough and runs_on(carried, target, backend_version=number) != "no":
            yield one.name


def _community(backend: str, target: str, arch: str) -> bool:
    from ..knowledge.community import builds_for

    return backend == "rocm" and arch == "x86_64" and bool(builds_for(target))
