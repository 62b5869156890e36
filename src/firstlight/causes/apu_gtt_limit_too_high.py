"""A GTT limit that leaves the host nothing."""

from __future__ import annotations

from ..facts.model import Facts, Unknown
from ..words import Words
from ._boot import module_options
from ._gpus import label, no_gpu, pooled
from ._pools import GIB, advised_gib, module, options
from .model import CLEAR, Cause, Evidence, Found, Judgement, Known, missing


def judge(facts: Facts) -> Judgement:
    """Found if the TTM limit is as much as all the RAM that Linux sees, e.g. set before the carve-out grew."""
    apus = pooled(facts)
    if not apus:
        return no_gpu(facts)
    total, limit = facts.memory.total_bytes, facts.memory.ttm_pages_limit
    lacking = missing(("memory.total_bytes", total), ("memory.ttm_pages_limit", limit))
    if lacking or isinstance(total, Unknown) or isinstance(limit, Unknown):
        return lacking or CLEAR
    size = limit * facts.memory.page_bytes
    if size < total:
        return CLEAR
    gib = advised_gib(total)
    why = Words(
        f"Limits the GPU to {gib} GiB, so that the host keeps the rest.", f"把 GPU 限制在 {gib} GiB，其余留给主机。"
    )
    return Found(
        evidence=(
            Evidence("memory.ttm_pages_limit", str(limit), f"/sys/module/{module(facts)}/parameters/pages_limit"),
            Evidence("memory.total_bytes", str(total), "/proc/meminfo"),
        ),
        values={"gpu": label(apus[0]), "limit": f"{size / GIB:.1f}", "total": f"{total / GIB:.1f}"},
        remedy=module_options(facts, module(facts), options(facts, gib), why),
    )


CAUSE = Cause(
    id="apu-gtt-limit-too-high",
    family="memory",
    vendor="amd",
    severity="degrading",
    title=Words(
        "{gpu} may use {limit} GiB, all of the {total} GiB RAM", "{gpu} 可用 {limit} GiB，等于全部 {total} GiB 内存"
    ),
    means=Words(
        "The GTT limit of an APU is as large as the RAM that Linux sees, so one job can take it all.",
        "APU 的 GTT 上限与 Linux 可见的内存一样大，一个任务就能把内存占满。",
    ),
    effect=Words(
        "A large allocation succeeds and then the kernel kills processes or the machine hangs.",
        "大块分配先成功，随后内核杀进程，或整机卡死。",
    ),
    fix=Words(
        "Set ttm.pages_limit (amdttm.* under DKMS) to nine tenths of the RAM at most; check it again "
        "after every change "
        "of the carve-out in firmware setup.",
        "把 ttm.pages_limit（DKMS 驱动下为 amdttm.*）设为最多内存的九成；每次在固件设置中改预留显存后都要重查。",
    ),
    known=(
        Known(
            "https://git.zx2c4.com/linux-rng/commit/?id=5dafdd649280c7dc6c22c8f877da3f54fcc441e1",
            first_seen="2026-07-27",
        ),
    ),
    judge=judge,
)
