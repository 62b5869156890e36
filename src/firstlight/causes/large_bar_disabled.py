"""The CPU maps only a small part of the VRAM."""

from __future__ import annotations

from ..facts.model import Facts, Gpu
from ..words import Words
from ._gpus import evidence, for_compute, label, no_gpu
from .messages import Message
from .model import CLEAR, Cause, Found, Judgement, NotKnown, Remedy

SMALL = 256 << 20
"""BAR size of a card whose window was not resized."""


def judge(facts: Facts) -> Judgement:
    """Found if a discrete AMD GPU with more than 1 GiB shows the CPU 256 MiB or less."""
    gpus = [gpu for gpu in for_compute(facts, "amd") if gpu.apu is not True]
    if not gpus:
        return no_gpu(facts)
    small = [gpu for gpu in gpus if _is_small(gpu)]
    if small:
        return _found(facts, small[0], len(gpus))
    blank = [gpu for gpu in gpus if gpu.driver == "amdgpu" and None in {gpu.visible_vram_bytes, gpu.memory_bytes}]
    if blank:
        reason = blank[0].unknown.get("visible_vram_bytes", "not-known")
        return NotKnown((f"gpus[{facts.gpus.index(blank[0])}].visible_vram_bytes ({reason})",))
    return CLEAR


def _is_small(gpu: Gpu) -> bool:
    visible, whole = gpu.visible_vram_bytes, gpu.memory_bytes
    return visible is not None and whole is not None and visible <= SMALL and whole > 4 * SMALL


def _found(facts: Facts, gpu: Gpu, count: int) -> Found:
    why = Words(
        "In firmware setup enable Above 4G Decoding and Resizable BAR, turn CSM off, and boot.",
        "在固件设置中打开 Above 4G Decoding 和 Resizable BAR，关闭 CSM，然后启动。",
    )
    return Found(
        evidence=(evidence(facts, gpu, "visible_vram_bytes"), evidence(facts, gpu, "memory_bytes")),
        values={"gpu": label(gpu), "visible": str((gpu.visible_vram_bytes or 0) >> 20)},
        severity=None if count > 1 else "advice",  # one card works, at a cost in copies; peer access needs the window
        remedy=(Remedy((), root=True, why=why),),
    )


# messages
MESSAGES = (
    Message(r"BAR \d: (?:can't assign|failed to assign|no space for) (?:mem )?\[?(?:mem |size)?", 0.82, needs=("gpu-words",)),
    Message(r"BAR ?\d \[mem size 0x\w{6,12}[^\]]{0,20}\]: (?:can't assign; no space|failed to assign)", 0.85),
    Message(r"(?:amdgpu|nvidia)\S{0,20}.{0,60}[Ff]ailed to resize BAR ?\d", 0.85),
    Message(r"[Ff]ailed to resize BAR ?0", 0.84),
    Message(r"Problem resizing BAR0 \((?P<error>-\d{1,3})\)", 0.86, told=Words("BAR 0 could not be resized ({error}).", "无法调整 BAR 0（{error}）。")),
    Message(r"NVRM: This PCI I/O region assigned to your NVIDIA device is invalid", 0.93),
    Message(r"NVRM: BAR\d is 0M @ 0x0", 0.94),
    Message(r"(?:Memory at|Region \d: Memory at) \w{6,16} \(64-bit, prefetchable\) \[(?:disabled\] \[)?size=256M\]", 0.62, needs=("gpu-words",), helps=("p2p-words",), unless=("cuda-available",)),
    Message(r"(?i)(?:above 4G decoding|resizable BAR|large BAR|ReBAR).{0,40}(?:disabled|off\b|not enabled|required|not supported)", 0.78),
    Message(r"Bar1 (?:Memory )?Usage.{0,30}256", 0.3),
    Message(r"amdgpu: .{0,10}VRAM: \S{3,20} .{0,30}\(\d{3,6}M used\).{0,40}visible.{0,10}256M", 0.6),
    Message(r"mem_info_vis_vram_total.{0,20}?268435456", 0.8),
    Message(r"PCI peer-to-peer (?:is )?(?:not supported|disabled).{0,40}large BAR", 0.85),
    Message(r"Detected (?P<visible>\d{2,4})M? of visible VRAM", 0.3),
    Message(r"amdgpu: probe of \S{7,12} failed with error -(?:12|28)\b", 0.6),
)  # fmt: skip

CAUSE = Cause(
    id="large-bar-disabled",
    family="firmware",
    vendor="both",
    severity="degrading",
    title=Words("The CPU sees only {visible} MiB of the VRAM of {gpu}", "CPU 只能看到 {gpu} 的 {visible} MiB 显存"),
    means=Words(
        "Above 4G decoding or resizable BAR is off in firmware setup, so the CPU maps only 256 MB of VRAM "
        "or no BAR at all.",
        "固件设置中关闭了 Above 4G Decoding 或 Resizable BAR，CPU 只能映射 256 MB 显存，或完全没有 BAR。",
    ),
    effect=Words(
        "Copies are slower, and several cards cannot reach one another's memory (no peer-to-peer).",
        "拷贝变慢，多卡之间不能互访显存（没有 P2P）。",
    ),
    fix=Words(
        "Enable Above 4G Decoding and Resizable BAR (CSM off) in firmware setup; on some servers pci=realloc; reboot.",
        "在固件设置中打开 Above 4G Decoding 和 Resizable BAR（关闭 CSM）；部分服务器加 pci=realloc；重启。",
    ),
    judge=judge,
    messages=MESSAGES,
)
