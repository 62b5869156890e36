"""nvidia_uvm did not survive a suspend."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

# messages
MESSAGES = (
    Message(r"CUDA unknown error - this may be due to an incorrectly set up environment", 0.93, needs=("resumed",), unless=("xid", "uvm-absent")),
    Message(r"CUDA unknown error - this may be due to an incorrectly set up environment", 0.58, unless=("resumed", "xid", "uvm-absent", "uvm-listed", "container", "wsl"), helps=("laptop",)),
    Message(r"CUDA_ERROR_UNKNOWN", 0.88, needs=("resumed",), unless=("xid", "uvm-absent")),
    Message(r"CUDA error: unknown error", 0.88, needs=("resumed",), unless=("xid", "uvm-absent")),
    Message(r"cudaErrorUnknown", 0.85, needs=("resumed",), unless=("xid", "uvm-absent")),
    Message(r"cuInit.{0,40}(?:999|UNKNOWN|unknown)", 0.88, needs=("resumed",), unless=("xid", "uvm-absent")),
    Message(r"CUDA-capable device\(s\) is/are busy or unavailable", 0.7, needs=("resumed",), unless=("xid",)),
    Message(r"rmmod nvidia_uvm", 0.7, needs=("resumed",)),
    Message(r"rmmod: ERROR: Module nvidia_uvm is in use", 0.75, needs=("cuda-unknown",)),
)  # fmt: skip

CAUSE = Cause(
    id="nvidia-uvm-stale-after-suspend",
    family="driver",
    vendor="nvidia",
    severity="blocking",
    title=Words(
        "The nvidia_uvm module is in a bad state after suspend",
        "nvidia_uvm 模块在挂起后状态异常",
    ),
    means=Words(
        "The nvidia_uvm module is in a bad state after suspend and resume.",
        "nvidia_uvm 模块在挂起和恢复之后状态异常。",
    ),
    effect=Words(
        "CUDA gives an unknown error while nvidia-smi lists the GPU.",
        "CUDA 报未知错误，而 nvidia-smi 能列出 GPU。",
    ),
    fix=Words(
        "With CUDA programs stopped: rmmod nvidia_uvm, modprobe nvidia_uvm; or reboot. Set NVreg_PreserveVideoMemoryAllocations=1 with its services.",
        "停止 CUDA 程序后：rmmod nvidia_uvm，再 modprobe nvidia_uvm；或重启。设置 NVreg_PreserveVideoMemoryAllocations=1 并启用相应服务。",
    ),
    messages=MESSAGES,
)
