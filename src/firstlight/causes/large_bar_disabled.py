"""The CPU maps only a small part of the VRAM."""

from __future__ import annotations

from ..facts.model import Facts, Gpu
from ..words import Words
from ._gpus import evidence, for_compute, label, no_gpu
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
)
