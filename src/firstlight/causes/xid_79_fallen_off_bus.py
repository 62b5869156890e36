"""The GPU is gone from the bus."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

# messages
MESSAGES = (
    Message(r"GPU has fallen off the bus", 0.97),
    Message(r"NVRM: Xid \(PCI:(?P<pci>[0-9a-fA-F:.]{7,14})\): 79\b", 0.97, told=Words("The GPU at {pci} is gone.", "{pci} 处的 GPU 已掉线。")),
    Message(r"Unable to determine the device handle for (?:GPU|gpu) ?\S{0,20}: (?:GPU is lost|Unknown Error|Not Found)", 0.93, told=None),
    Message(r"Unable to determine the device handle for", 0.9),
    Message(r"GPU is lost\. {1,3}Reboot the system to recover this GPU", 0.94),
    Message(r"NVML_ERROR_GPU_IS_LOST", 0.93),
    Message(r"\(rev ff\) \(prog-if ff\)", 0.85),
    Message(r"NVIDIA Corporation .{0,80}\(rev ff\)", 0.9),
    Message(r"NVRM: GPU at PCI:\S{7,14} has fallen off", 0.97),
)  # fmt: skip

CAUSE = Cause(
    id="xid-79-fallen-off-bus",
    family="hardware",
    vendor="nvidia",
    severity="blocking",
    title=Words(
        "The GPU has fallen off the PCIe bus",
        "GPU 从 PCIe 总线上掉线",
    ),
    means=Words(
        "The GPU no longer answers on the PCIe bus.",
        "GPU 在 PCIe 总线上不再响应。",
    ),
    effect=Words(
        "Jobs on it die and nvidia-smi loses it.",
        "其上的任务终止，nvidia-smi 找不到它。",
    ),
    fix=Words(
        "Power-cycle; then reseat card and cables, check power, riser, heat and PCIe errors (AER); try a lower link speed; replace if it recurs.",
        "断电重启；然后重新插好显卡和线缆，检查供电、转接卡、温度和 PCIe 错误（AER）；尝试降低链路速度；若再现则更换。",
    ),
    messages=MESSAGES,
)
