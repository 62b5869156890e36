"""Which indices of the torch family are known to have code for a target."""

from __future__ import annotations

from collections.abc import Iterator

from .amd_chips import amd
from .builds import index_targets, runs_on
from .rules import official
from .sources import builtin_indices
from .versions import version_key

NEWEST_LIST = "10.0.0"
"""AMD's list that is asked, beside TheRock's own of what it releases."""


def carriers(target: str, arch: str = "x86_64") -> tuple[str, ...]:
    """Names of indices (`amd-rocm10`, `pytorch-cu132`) for a target (`gfx1151`, `sm_121`) on a processor, the best
    first: AMD's own, then PyTorch's, the newest first. Empty: none is known."""
    name = target.partition(":")[0]
    if name.startswith("gfx"):
        return (*_of_amd(name, arch), *_upstream("rocm", name, arch)) if arch == "x86_64" else ()
    return tuple(_upstream("cuda", name, arch))


def _of_amd(target: str, arch: str) -> Iterator[str]:
    chip = amd(target)
    built = chip.therock if chip else None
    released = built is not None and built.device_extra and "release" in (built.linux or "")
    if arch == "x86_64" and (released or (built and official(target, NEWEST_LIST))):
        yield from reversed([one.name for one in builtin_indices() if one.tier == "vendor"])


def _upstream(backend: str, target: str, arch: str) -> Iterator[str]:
    numbered = [(one.backend_version, one) for one in builtin_indices() if one.tier == "upstream"]
    mine = [(version_key(number), number, one) for number, one in numbered if number and one.backend == backend]
    for _, number, one in sorted(mine, key=lambda row: row[0], reverse=True):
        carried = index_targets(backend, number, arch, sure=True)
        if carried and runs_on(carried, target, backend_version=number) != "no":
            yield one.name
