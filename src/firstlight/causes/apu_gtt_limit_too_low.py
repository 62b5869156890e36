"""An APU that may use only part of the RAM as GPU memory."""

from __future__ import annotations

from ..facts.model import Facts, Gpu, Unknown
from ..transcript.model import Hit
from ..words import Words
from ._boot import module_options
from ._gpus import evidence, for_compute, label, no_gpu, pooled
from ._pools import GIB, advised_gib, ignored, limit_bytes, module, options, pages, shared
from .messages import Message, Seen
from .model import CLEAR, Cause, Evidence, Found, Judgement, Known, Remedy, Severity, missing

LOW = 0.6
"""Share of RAM up to which the limit counts as the default half: MemTotal is a little less than the RAM fitted."""
HALF = 0.45
"""Below this somebody, or an option gone wrong, made it less than the default."""
SMALL = 80 * GIB
"""On a smaller machine the default half is a fair division; more is worth knowing, no more. A machine of 96 GiB and up
was bought for large models."""


def judge(facts: Facts) -> Judgement:
    """Found for an APU that is the machine's GPU for compute, if its shared pool is about half of RAM or less."""
    apus = pooled(facts)
    if not apus:
        return no_gpu(facts)
    if any(gpu.apu is False for gpu in for_compute(facts, "amd") + for_compute(facts, "nvidia")):
        return CLEAR  # a discrete GPU does the work
    gpu = apus[0]
    total = facts.memory.total_bytes
    limit = limit_bytes(facts, gpu)
    lacking = missing(("memory.total_bytes", total))
    if lacking or isinstance(total, Unknown):
        return lacking or CLEAR
    if limit is None:
        return missing(("memory.ttm_pages_limit", facts.memory.ttm_pages_limit)) or CLEAR
    if limit > LOW * total or (gpu.memory and not shared(gpu)):
        return CLEAR
    return _found(facts, gpu, total, limit)


def _found(facts: Facts, gpu: Gpu, total: int, limit: int) -> Found:
    gib = advised_gib(total)
    dead = ignored(facts)
    fair = HALF * total <= limit and total < SMALL and not dead
    severity: Severity | None = "advice" if fair else None
    return Found(
        evidence=(*_proof(facts, gpu, total, limit), *dead),
        values={
            "gpu": label(gpu),
            "limit": f"{limit / GIB:.1f}",
            "total": f"{total / GIB:.1f}",
            "options": " ".join(f"{module(facts)}.{one}" for one in options(facts, gib).split()),
        },
        severity=severity,
        remedy=_remedy(facts, gib, dead),
    )


def _proof(facts: Facts, gpu: Gpu, total: int, limit: int) -> tuple[Evidence, ...]:
    limited = facts.memory.ttm_pages_limit
    shown = Evidence("memory.total_bytes", str(total), "/proc/meminfo")
    if isinstance(limited, Unknown):
        return (evidence(facts, gpu, "memory.gtt", str(limit)), shown)
    where = f"/sys/module/{module(facts)}/parameters/pages_limit"
    return (Evidence("memory.ttm_pages_limit", str(limited), where), shown, evidence(facts, gpu))


def _remedy(facts: Facts, gib: int, dead: list[Evidence]) -> tuple[Remedy, ...]:
    count = pages(gib, facts.memory.page_bytes or 4096)
    why = Words(
        f"Lets the GPU use {gib} GiB of RAM: {count} pages of {facts.memory.page_bytes} bytes "
        f"(in-tree driver: `amd-ttm --set {gib}` does the same).",
        f"让 GPU 能用 {gib} GiB 内存：{count} 页，"
        f"每页 {facts.memory.page_bytes} 字节（内核自带驱动也可用 `amd-ttm --set {gib}`）。",
    )
    steps = module_options(facts, module(facts), options(facts, gib), why)
    if not dead:
        return steps
    names = ", ".join(one.value for one in dead[:3])
    drop = Words(f"Remove the option that has no effect: {names}.", f"删掉不起作用的选项：{names}。")
    return (Remedy((), root=True, why=drop), *steps)


# messages
def gtt_half(hit: Hit, seen: Seen) -> dict[str, str] | bool:
    """An APU (small VRAM beside it) whose GTT is large, yet no limit was set: the default half of the RAM."""
    if not (seen.has("apu", "vram-small") and seen.has("oom-words", "gtt-option")):
        return False
    return {"gib": f"{int(hit.values['gtt']) / 1024:.0f}"}


def much_ram(hit: Hit, seen: Seen) -> bool:  # noqa: ARG001
    """An APU's GPU with an odd, large share."""
    return float(hit.values["total"].split()[0]) > 8


MESSAGES = (
    Message(r"\b(?:amdgpu|ttm|amdttm): unknown parameter '(?P<name>[\w.]{2,40})' ignored", 0.92, told=Words("The kernel knows no parameter {name}, so the limit was not raised.", "内核不认识参数 {name}，因此没有提高上限。")),
    Message(r"amdgpu\.gttsize=(?P<value>\d{3,8})", 0.62, needs=("oom-words", "gtt-half"), told=Words("amdgpu.gttsize is set, ttm.pages_limit is not.", "设置了 amdgpu.gttsize，没有设置 ttm.pages_limit。")),
    Message(r"(?P<gtt>\d{4,6})M of GTT memory ready", 0.6, check=gtt_half, unless=("ttm-limit",), helps=("oom-words",), told=Words("The GPU may use {gib} GiB of RAM.", "GPU 可使用 {gib} GiB 内存。")),
    Message(r"HIP out of memory\. Tried to allocate (?P<wanted>[\d.]{1,8} [GM]iB).{0,60}total capacity of (?P<total>[\d.]{1,8} GiB)", 0.62, needs=("apu",), unless=("carveout-big",), check=much_ram, told=Words("The GPU sees {total}.", "GPU 可见 {total}。")),
    Message(r"out of memory", 0.6, needs=("gtt-half", "gtt-small-sysfs"), unless=("ttm-limit",)),
    Message(r"mem_info_gtt_total.{0,20}?(?P<bytes>\d{9,12})", 0.5, needs=("apu", "oom-words"), unless=("ttm-limit", "carveout-big")),
    Message(r"Module parameter .{0,10}(?:gttsize|vis_vramlimit).{0,80}(?:deprecated|ignored)", 0.7),
    Message(r"amdgpu: (?:\[drm\] )?(?:Configuring )?gttsize via module parameter is deprecated", 0.72, helps=("oom-words", "apu")),
    Message(r"Total GTT:? {0,3}(?P<gtt>[\d.]{1,6} ?Gi?B)", 0.4, needs=("oom-words",)),
)  # fmt: skip

CAUSE = Cause(
    id="apu-gtt-limit-too-low",
    family="memory",
    vendor="amd",
    severity="degrading",
    title=Words(
        "{gpu} may use only {limit} of {total} GiB RAM; set {options}",
        "{gpu} 只能用 {total} GiB 内存中的 {limit} GiB；应设 {options}",
    ),
    means=Words(
        "An APU may use only the default half of the RAM (GTT) as GPU memory.",
        "APU 只能把默认的一半内存（GTT）当作 GPU 显存。",
    ),
    effect=Words(
        "Models and batches that would fit in RAM fail with out of memory at about this size.",
        "内存本来放得下的模型和 batch，到这个大小就报显存不足。",
    ),
    fix=Words(
        "Set ttm.pages_limit and ttm.page_pool_size (4 KiB pages; amdttm.* under DKMS), e.g. with amd-ttm; keep the "
        "firmware carve-out small; reboot.",
        "设置 ttm.pages_limit 和 ttm.page_pool_size（4 KiB 页；DKMS 驱动下为 amdttm.*），例如用 amd-ttm；"
        "固件预留显存保持最小；重启。",
    ),
    follows=("apu-carveout-too-large", "uma-carveout-too-small"),
    known=(Known("https://github.com/ROCm/legacy-rocm-build/issues/2014", first_seen="2023"),),
    judge=judge,
    messages=MESSAGES,
)
