"""The fabric manager does not run."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause, Known

# messages
MESSAGES = (
    Message(r"Error 802: system not yet initialized", 0.96),
    Message(r"system not yet initialized", 0.93),
    Message(r"CUDA_ERROR_SYSTEM_NOT_READY", 0.95),
    Message(r"cudaErrorSystemNotReady", 0.95),
    Message(r"(?i)fabric ?manager.{0,60}(?:version.{0,20}mismatch|not running|not installed|failed|inactive|doesn't match)", 0.93),
    Message(r"nvidia-fabricmanager\.service.{0,80}(?:inactive|failed|could not be found|Failed with result)", 0.93),
    Message(r"Unit nvidia-fabricmanager\.service (?:could not be found|not found)", 0.93),
    Message(r"fabric manager NVIDIA GPU driver interface version (?P<fm>[\d.]{3,12}) don't match with driver version (?P<driver>[\d.]{3,12})", 0.97, told=Words("Fabric manager is {fm}, the driver {driver}.", "fabric manager 是 {fm}，驱动是 {driver}。")),
    Message(r"Detected a pre-NVL5 system.{0,40}", 0.2),
    Message(r"nvidia-nvswitch\S{0,10}: .{0,60}(?:not initialized|SXid)", 0.5),
    Message(r"NVRM: .{0,60}fabric.{0,40}(?:timed out|not (?:ready|complete))", 0.7),
)  # fmt: skip

CAUSE = Cause(
    id="nvidia-fabricmanager-missing",
    family="driver",
    vendor="nvidia",
    severity="blocking",
    title=Words(
        "The NVIDIA fabric manager does not run",
        "NVIDIA fabric manager 没有运行",
    ),
    means=Words(
        "On an NVSwitch machine the fabric manager is not running or has another version than the driver.",
        "在有 NVSwitch 的机器上，fabric manager 没有运行，或版本与驱动不同。",
    ),
    effect=Words(
        "CUDA answers 802, system not yet initialized, while nvidia-smi works.",
        "CUDA 报 802（系统尚未初始化），而 nvidia-smi 正常。",
    ),
    fix=Words(
        "Install nvidia-fabricmanager of exactly the driver's version, enable and start it, then check the fabric state.",
        "安装与驱动版本完全相同的 nvidia-fabricmanager，启用并启动它，然后检查 fabric 状态。",
    ),
    known=(Known("https://github.com/pytorch/pytorch/issues/35710"),),
    messages=MESSAGES,
)
