"""The two memory pools of an APU, and how large the shared one should be.

Sources: Linux drivers/gpu/drm/ttm/ttm_device.c (limit in pages, half of RAM by default), amdgpu_ttm.c (GTT follows that
limit; amdgpu.gttsize is in MiB), ROCm documentation, RDNA3.5 system optimisation (small carve-out, larger shared pool),
amd-debug-tools (amd-ttm asks above 90 % of RAM, refuses above all of it)."""

from __future__ import annotations

from ..facts.model import Facts, Gpu, KernelParameter, Unknown
from .model import Evidence

GIB = 1 << 30
KEPT = 4 * GIB
"""What the host keeps at least."""


def shared(gpu: Gpu) -> bool:
    """Whether the compute stack allocates from GTT here: the larger of the two pools serves it."""
    return bool(gpu.memory and gpu.memory.gtt and gpu.memory.gtt > (gpu.memory.carveout or 0))


def limit_bytes(facts: Facts, gpu: Gpu) -> int | None:
    """How much host memory the GPU may use: the TTM limit, else the GTT size that follows from it."""
    pages = facts.memory.ttm_pages_limit
    gtt = gpu.memory.gtt if gpu.memory else None
    by_pages = None if isinstance(pages, Unknown) else pages * facts.memory.page_bytes
    known = [size for size in (by_pages, gtt) if size is not None]
    return min(known) if known else None


def advised_gib(total: int) -> int:
    """Nine tenths of what Linux sees, in whole GiB, with four left to the host."""
    return max(1, min(total * 9 // 10, total - KEPT) // GIB)


def pages(gib: int, page_bytes: int) -> int:
    """The same in pages."""
    return gib * GIB // page_bytes


def options(facts: Facts, gib: int) -> str:
    """`pages_limit=N page_pool_size=N`."""
    count = pages(gib, facts.memory.page_bytes or 4096)
    return f"pages_limit={count} page_pool_size={count}"


def module(facts: Facts) -> str:
    """`ttm`, or `amdttm` where AMD's DKMS driver is loaded."""
    return facts.memory.ttm_module if isinstance(facts.memory.ttm_module, str) else "ttm"


def ignored(facts: Facts) -> list[Evidence]:
    """Options that were meant for this limit and have no effect: misspelt, of the other module, or in a wrong unit."""
    found = [] if isinstance(facts.kernel.cmdline, Unknown) else [
        Evidence("kernel.cmdline", _word(one), "/proc/cmdline")
        for one in facts.kernel.cmdline
        if _is_ignored(facts, one.name, one.value)
    ]  # fmt: skip
    configured = [] if isinstance(facts.modules.options, Unknown) else facts.modules.options
    found += [
        Evidence("modules.options", f"{one.module}.{one.option}={one.value}"[:200], one.file)
        for one in configured
        if _is_ignored(facts, f"{one.module}.{one.option}", one.value)
    ]
    return found


def _word(one: KernelParameter) -> str:
    return (one.name if one.value is None else f"{one.name}={one.value}")[:200]


def _is_ignored(facts: Facts, name: str, value: str | None) -> bool:
    """The kernel takes `-` and `_` in option names as the same."""
    of, _, option = name.replace("-", "_").partition(".")
    if of in {"ttm", "amdttm"}:
        known = option in {"pages_limit", "page_pool_size", "dma32_pages_limit"}
        return ("page" in option or "limit" in option) and (not known or of != module(facts) or not _number(value))
    if of == "amdgpu" and option.startswith(("gtt", "vram_gtt")):
        return option != "gttsize" or not _is_mebibytes(facts, value)
    return False


def _number(value: str | None) -> bool:
    return bool(value) and str(value).isdecimal()


def _is_mebibytes(facts: Facts, value: str | None) -> bool:
    """`-1` is automatic; a size below 1 GiB or above all RAM was meant in another unit."""
    if value == "-1" or isinstance(facts.memory.total_bytes, Unknown):
        return True
    if not _number(value) or len(str(value)) > 18:
        return False
    return 1024 <= int(str(value)) <= 2 * facts.memory.total_bytes // (1 << 20)
