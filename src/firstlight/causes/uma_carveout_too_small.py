"""A small carve-out under a kernel that counts nothing else."""

from __future__ import annotations

from ..facts.model import Facts, Unknown
from ..words import Words
from ._builds import numbers
from ._gpus import evidence, for_compute, label, no_gpu, pooled
from ._pools import GIB, shared
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, Known, Remedy, missing

COUNTS_GTT = (6, 10)
"""First kernel whose KFD serves an APU's VRAM allocations from GTT (torvalds/linux 759e764f7d58, merged for 6.10)."""
SMALL = 4 * GIB


def judge(facts: Facts) -> Judgement:
    """Found if the kernel's own driver is older than 6.10 and the carve-out is small. On later kernels a small
    carve-out is what AMD advises."""
    apus = pooled(facts)
    if not apus:
        return no_gpu(facts)
    if any(gpu.apu is False for gpu in for_compute(facts, "amd") + for_compute(facts, "nvidia")):
        return CLEAR
    gpu, release = apus[0], facts.kernel.release
    carveout = gpu.memory.carveout if gpu.memory else None
    if carveout is None or carveout >= SMALL or not shared(gpu) or facts.driver.amd.kind == "dkms":
        return CLEAR
    lacking = missing(("kernel.release", release))
    if lacking or isinstance(release, Unknown):
        return lacking or CLEAR
    version = numbers(release.split("-")[0])[:2]
    if not version or version >= COUNTS_GTT:
        return CLEAR
    why = Words(
        "Boot kernel 6.10 or newer; where that cannot be, enlarge the UMA frame buffer in firmware setup.",
        "启动 6.10 或更新的内核；做不到时在固件设置中调大 UMA frame buffer。",
    )
    return Found(
        evidence=(
            evidence(facts, gpu, "memory.carveout", str(carveout)),
            Evidence("kernel.release", release, "/proc/sys/kernel/osrelease"),
        ),
        values={"gpu": label(gpu), "carveout": f"{carveout / GIB:.1f}", "release": release},
        remedy=(Remedy((), root=True, why=why),),
    )


# messages
MESSAGES = (
    Message(r"(?:total|available|VRAM|vram).{0,20}(?P<vram>512(?:\.0)? Mi?B|0\.5 Gi?B)", 0.72, unless=("gtt-option",), needs=("amd", "apu", "ollama"), told=Words("The program counts {vram} of VRAM only.", "程序只计 {vram} 显存。")),
    Message(r"total=\"(?P<vram>512\.0 MiB)\"", 0.82, told=Words("The program counts {vram} of VRAM only.", "程序只计 {vram} 显存。")),
    Message(r"unsupported Radeon iGPU detected skipping.{0,60}total=\"(?P<vram>\S{1,12} [MG]iB)\"", 0.9, told=Words("The program skips a GPU with {vram}.", "程序跳过显存为 {vram} 的 GPU。")),
    Message(r"unsupported Radeon iGPU detected skipping", 0.85),
    Message(r"gpu (?:has )?(?:too )?(?:little|low|not enough|insufficient) (?:VRAM|memory).{0,60}", 0.6, needs=("apu",)),
    Message(r"offload(?:ed|ing) 0/\d{1,3} layers to GPU", 0.62, needs=("vram-512", "apu")),
    Message(r"(?P<vram>512)M of VRAM memory ready", 0.55, needs=("no-offload-words",), unless=("gtt-option", "gtt-half-told")),
    Message(r"total capacity of (?P<vram>51\d\.\d{2} MiB)", 0.86, told=Words("The GPU has {vram} of VRAM only.", "GPU 只有 {vram} 显存。")),
)  # fmt: skip

CAUSE = Cause(
    id="uma-carveout-too-small",
    family="memory",
    vendor="amd",
    severity="degrading",
    title=Words(
        "Kernel {release} gives {gpu} only its carve-out of {carveout} GiB",
        "内核 {release} 只给 {gpu} 预留的 {carveout} GiB 显存",
    ),
    means=Words(
        "The firmware's VRAM carve-out of an APU is so small that software which counts only VRAM refuses or fails.",
        "APU 的固件预留显存太小，只看 VRAM 的软件会拒绝运行或失败。",
    ),
    effect=Words(
        "Programs see hardly any GPU memory, offload no layers, or fail at once with out of memory.",
        "程序几乎看不到显存，不会把任何层放到 GPU 上，或一开始就报显存不足。",
    ),
    fix=Words(
        "Use a kernel (6.10 or newer) and a runtime that count GTT and raise its limit; only else enlarge "
        "the UMA frame "
        "buffer in firmware setup.",
        "使用会计入 GTT 的内核（6.10 及以上）和运行时，并调高其上限；做不到时才在固件设置中调大 UMA frame buffer。",
    ),
    follows=("kernel-too-old-for-gpu",),
    known=(Known("https://github.com/ROCm/legacy-rocm-build/issues/2014", first_seen="2023", fixed_in="Linux 6.10"),),
    judge=judge,
    messages=MESSAGES,
)
