"""Too little host memory, or too low a limit on it."""

from __future__ import annotations

from ..facts.model import Facts, Unknown
from ..words import Words
from ._pools import GIB
from .model import CLEAR, Cause, Evidence, Found, Judgement, Remedy, missing

NEEDED = 3 * GIB
"""import torch with a GPU runtime takes about 1 GiB, a small training step on the CPU about as much again."""


def judge(facts: Facts) -> Judgement:
    """Found if the RAM, or the limit of the control group, is below 3 GiB."""
    limit, total = facts.container.memory_limit_bytes, facts.memory.total_bytes
    if not isinstance(limit, Unknown) and 0 < limit < NEEDED:
        why = Words(
            "Start the container or job with a higher memory limit (--memory, resources.limits, --mem).",
            "用更高的内存上限启动容器或任务（--memory、resources.limits、--mem）。",
        )
        return _found("container.memory_limit_bytes", limit, "memory limit of the control group", why)
    lacking = missing(("memory.total_bytes", total))
    if lacking or isinstance(total, Unknown):
        return lacking or CLEAR
    if total >= NEEDED:
        return CLEAR
    why = Words("Give the machine more RAM, or add swap.", "给机器加内存，或增加交换空间。")
    return _found("memory.total_bytes", total, "/proc/meminfo", why)


def _found(fact: str, size: int, source: str, why: Words) -> Found:
    return Found(
        evidence=(Evidence(fact, str(size), source),),
        values={"size": f"{size / GIB:.1f}"},
        remedy=(Remedy((), root=False, why=why),),
    )


CAUSE = Cause(
    id="host-memory-too-small",
    family="memory",
    vendor="both",
    severity="degrading",
    title=Words("Only {size} GiB of host memory may be used", "主机内存只能用 {size} GiB"),
    means=Words(
        "The host's RAM, or the limit set on this container or job, is too small for torch.",
        "主机内存，或对这个容器、任务设的上限，对 torch 来说太小。",
    ),
    effect=Words(
        "The kernel kills the process (“Killed”, exit 137) while torch loads or data is read.",
        "加载 torch 或读数据时进程被内核杀死（“Killed”，退出码 137）。",
    ),
    fix=Words(
        "Raise the container's or job's memory limit, add RAM or swap, use fewer data loader workers.",
        "调高容器或任务的内存上限，增加内存或交换空间，减少数据加载进程。",
    ),
    judge=judge,
)
