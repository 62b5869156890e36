"""Which indices of the torch family are known to have code for a target."""

from __future__ import annotations

from collections.abc import Iterator

from .amd_chips import amd
from .builds import index_targets, runs_on
from .drivers import cuda_minimum
from .rules import official
from .sources import builtin_indices
from .versions import at_least, version_key

NEWEST_LIST = "10.0.0"
"""AMD's list that is asked, beside TheRock's own of what it releases."""
ROCM_ARCH = "x86_64"
"""The only processor that ROCm's wheels are published for (torch_rocm.toml)."""


def carriers(target: str, arch: str = ROCM_ARCH, *, vendor: bool = True, driver: str | None = None) -> tuple[str, ...]:
    """Names of indices (`amd-rocm10`, `pytorch-cu132`) for a target (`gfx1151`, `sm_121`) on a processor, the best
    first: AMD's own (unless `vendor` is false), then PyTorch's, the newest first. `driver`: NVIDIA's, so that no CUDA
    is named that it is too old for. Empty: none is known."""
    name = target.partition(":")[0]
    backend = "rocm" if name.startswith("gfx") else "cuda"
    if backend == "rocm" and arch != ROCM_ARCH:
        return ()
    own = _of_amd(name) if vendor and backend == "rocm" else ()
    return (*own, *_upstream(backend, name, arch, driver))


def _of_amd(target: str) -> Iterator[str]:
    """TheRock releases it, or AMD answers for it."""
    chip = amd(target)
    built = chip.therock if chip else None
    released = built is not None and built.device_extra and "release" in (built.linux or "")
    if released or (built and official(target, NEWEST_LIST)):
        yield from reversed([one.name for one in builtin_indices() if one.tier == "vendor"])


def _upstream(backend: str, target: str, arch: str, driver: str | None) -> Iterator[str]:
    numbered = ((one.backend_version, one) for one in builtin_indices() if one.tier == "upstream")
    mine = [(version_key(number), number, one) for number, one in numbered if number and one.backend == backend]
    for _, number, one in sorted(mine, key=lambda row: row[0], reverse=True):
        carried = index_targets(backend, number, arch, sure=True)
        minimum = cuda_minimum(number) if backend == "cuda" else None
        new_enough = driver is None or minimum is None or at_least(driver, minimum)
        if carried and new_enough and runs_on(carried, target, backend_version=number) != "no":
            yield one.name
