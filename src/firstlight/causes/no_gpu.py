"""A machine without a GPU for compute."""

from __future__ import annotations

from ..facts.model import Facts
from ..words import Words
from ._gpus import not_captured
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, NotKnown, Remedy


def judge(facts: Facts) -> Judgement:
    """Found if no AMD or NVIDIA GPU is listed. One that is there but cannot be used is another cause; under WSL the
    GPU is behind /dev/dxg and on no bus."""
    if any(gpu.vendor in {"amd", "nvidia"} for gpu in facts.gpus):
        return CLEAR
    lacking = not_captured(facts)
    if lacking:
        return lacking
    if facts.virtual.wsl is True and "/dev/dxg" not in facts.access.absent:
        return NotKnown(("gpus (not on a bus under WSL: /dev/dxg)",))
    others = ", ".join(gpu.name or gpu.vendor for gpu in facts.gpus) or "none"
    why = Words(
        "Use the CPU backend here, or the machine that has the GPU; into a virtual machine or container "
        "pass it through.",
        "在这里用 CPU 后端，或到有 GPU 的机器上；虚拟机或容器需要把 GPU 直通进来。",
    )
    return Found(
        evidence=(Evidence("gpus", others, "/sys/bus/pci/devices, /sys/class/kfd, /proc/driver/nvidia"),),
        remedy=(Remedy((), root=False, why=why),),
    )


# messages
MESSAGES = (
    Message(r"no AMD or NVIDIA GPU", 0.6),
    Message(r"(?i)no (?:AMD|NVIDIA)/?(?: or NVIDIA)?(?: or AMD)? GPUs? (?:was |were )?(?:detected|found)", 0.6, unless=("amd-card", "nvidia-card", "container", "wsl", "kfd-denied")),
    Message(r"VGA compatible controller: (?P<card>(?:ASPEED|Matrox|Intel|VMware|Red Hat|Cirrus|Microsoft)[^\n]{3,80})", 0.8, needs=("no-gpu-words",), unless=("amd-card", "nvidia-card", "container"), told=Words("The only display device is {card}.", "唯一的显示设备是 {card}。")),
    Message(r"no GPU detected", 0.5, unless=("amd-card", "nvidia-card", "container", "wsl")),
)  # fmt: skip

CAUSE = Cause(
    id="no-gpu",
    family="hardware",
    vendor="both",
    severity="advice",
    title=Words("There is no AMD or NVIDIA GPU here", "这台机器没有 AMD 或 NVIDIA GPU"),
    means=Words(
        "The machine has no AMD or NVIDIA GPU that a compute stack could use.",
        "机器上没有计算软件栈可用的 AMD 或 NVIDIA GPU。",
    ),
    effect=Words("Training runs on the CPU. This is no fault.", "训练在 CPU 上进行。这不是故障。"),
    fix=Words(
        "Use the CPU backend here, or the machine or virtual machine that has the GPU.",
        "在这里用 CPU 后端，或换到有 GPU 的机器或虚拟机。",
    ),
    judge=judge,
    messages=MESSAGES,
)
