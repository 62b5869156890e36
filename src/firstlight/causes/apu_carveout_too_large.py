"""A carve-out that takes most of an APU's RAM."""

from __future__ import annotations

from ..facts.model import Facts, Unknown
from ..transcript.model import Hit
from ..words import Words
from ._gpus import evidence, label, no_gpu, pooled
from ._pools import GIB
from .messages import Message, Seen
from .model import CLEAR, Cause, Evidence, Found, Judgement, Known, Remedy, missing


def judge(facts: Facts) -> Judgement:
    """Found if the carve-out is larger than all that is left to Linux."""
    apus = pooled(facts)
    if not apus:
        return no_gpu(facts)
    gpu = apus[0]
    total = facts.memory.total_bytes
    lacking = missing(("memory.total_bytes", total))
    if lacking or isinstance(total, Unknown):
        return lacking or CLEAR
    carveout = gpu.memory.carveout if gpu.memory else None
    if carveout is None or carveout <= total:
        return CLEAR
    why = Words(
        "In firmware setup set the UMA frame buffer to its minimum (0.5 GB), save and boot; then run "
        "`firstlight doctor` again for the GTT limit to set.",
        "在固件设置中把 UMA frame buffer 设为最小（0.5 GB），保存并启动；"
        "再运行 `firstlight doctor` 查看应设的 GTT 上限。",
    )
    return Found(
        evidence=(
            evidence(facts, gpu, "memory.carveout", str(carveout)),
            Evidence("memory.total_bytes", str(total), "/proc/meminfo"),
        ),
        values={"gpu": label(gpu), "carveout": f"{carveout / GIB:.0f}", "total": f"{total / GIB:.0f}"},
        remedy=(Remedy((), root=True, why=why),),
    )


# messages
def large_carveout(hit: Hit, seen: Seen) -> dict[str, str] | bool:
    """32 GiB and more of an APU's memory, and something fails."""
    mib = int(hit.values["vram"])
    return {"gib": f"{mib / 1024:.0f}"} if mib >= 32768 and seen.has("oom-words", "swap-words", "ram-short") else False


def large_bytes(hit: Hit, seen: Seen) -> dict[str, str] | bool:
    """As `large_carveout`, in bytes."""
    gib = int(hit.values["bytes"]) / 2**30
    return {"gib": f"{gib:.0f}"} if gib >= 32 and seen.has("oom-words", "swap-words", "ram-short") else False


MESSAGES = (
    Message(r"(?P<vram>\d{5,6})M of VRAM memory ready", 0.62, needs=("apu",), helps=("oom-words", "swap-words"), check=large_carveout, told=Words("{gib} GiB are set aside as VRAM.", "{gib} GiB 被划为显存。")),
    Message(r"mem_info_vram_total.{0,20}?(?P<bytes>\d{11,12})", 0.72, needs=("apu",), check=large_bytes, helps=("oom-words",), told=Words("{gib} GiB are set aside as VRAM.", "{gib} GiB 被划为显存。")),
    Message(r"(?i)(?:UMA|carve-?out|frame ?buffer).{0,40}(?P<gib>96|64|48) ?G(?:i?B)?", 0.66, helps=("oom-words", "swap-words"), told=Words("{gib} GB are set aside as VRAM.", "{gib} GB 被划为显存。")),
    Message(r"VRAM Total Memory \(B\): (?P<bytes>\d{11,12})", 0.7, needs=("apu",), check=large_bytes, helps=("oom-words",), told=Words("{gib} GiB are set aside as VRAM.", "{gib} GiB 被划为显存。")),
)  # fmt: skip

CAUSE = Cause(
    id="apu-carveout-too-large",
    family="memory",
    vendor="amd",
    severity="degrading",
    title=Words(
        "The carve-out of {gpu} is {carveout} GiB, the host keeps {total} GiB",
        "{gpu} 的预留显存为 {carveout} GiB，主机只剩 {total} GiB",
    ),
    means=Words(
        "A large fixed VRAM carve-out on an APU leaves the rest of the RAM out of reach of GPU allocations and starves "
        "the host.",
        "APU 固定预留的显存过大，GPU 用不到其余内存，主机内存也不够。",
    ),
    effect=Words(
        "The host swaps or kills loaders while memory lies idle in the carve-out; nothing beyond it can be allocated.",
        "预留显存闲着，主机却要换页或杀掉加载进程；超出预留部分的显存无法分配。",
    ),
    fix=Words(
        "Set the carve-out (UMA frame buffer) to its minimum in firmware setup and raise the GTT limit instead.",
        "在固件设置中把预留显存（UMA frame buffer）设为最小，改为调高 GTT 上限。",
    ),
    known=(Known("https://github.com/Comfy-Org/ComfyUI/discussions/14297"),),
    judge=judge,
    messages=MESSAGES,
)
