"""Without persistence the driver starts anew for each program."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

# messages
MESSAGES = (
    Message(r"Persistence Mode {1,40}: Disabled", 0.55, needs=("slow-start",)),
    Message(r"(?i)persistence mode is (?:disabled|off|not enabled)", 0.75),
    Message(r"nvidia-persistenced.{0,60}(?:inactive|failed|could not be found|not found|not running|Failed to)", 0.8),
    Message(r"NVIDIA GeForce[^|]{0,40} Off {1,3}\|", 0.52, needs=("slow-start",)),
    Message(r"Persistence-M", 0.5, needs=("slow-start",)),
    Message(r"persistence mode needs to be enabled", 0.8),
)  # fmt: skip

CAUSE = Cause(
    id="nvidia-persistenced-missing",
    family="driver",
    vendor="nvidia",
    severity="degrading",
    title=Words(
        "The NVIDIA driver is torn down between programs",
        "NVIDIA 驱动在程序之间被反复卸载",
    ),
    means=Words(
        "Without persistence the driver is torn down and set up again for each program.",
        "没有持久模式时，驱动会为每个程序重新建立和卸载。",
    ),
    effect=Words(
        "Every CUDA program begins seconds late.",
        "每个 CUDA 程序都晚几秒才开始。",
    ),
    fix=Words(
        "Enable nvidia-persistenced (or nvidia-smi -pm 1 until reboot).",
        "启用 nvidia-persistenced（或用 nvidia-smi -pm 1，重启后失效）。",
    ),
    messages=MESSAGES,
)
