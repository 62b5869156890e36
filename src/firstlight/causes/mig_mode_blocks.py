"""MIG mode is on without instances."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

# messages
MESSAGES = (
    Message(r"No MIG devices found", 0.95),
    Message(r"(?i)MIG (?:mode )?(?:is )?enabled.{0,60}(?:no|without) (?:GPU |MIG )?(?:instance|device)", 0.9),
    Message(r"MIG M\..{0,200}", 0.2),
    Message(r"(?:In use by another client|MIG Mode).{0,40}(?:pending|Pending)", 0.3),
    Message(r"Unable to (?:create|destroy) (?:a )?(?:GPU|compute) instance", 0.72),
    Message(r"(?:CUDA error: |RuntimeError: )?(?:invalid device ordinal|no CUDA-capable device is detected)", 0.82, needs=("mig-on",)),
    Message(r"No CUDA GPUs are available", 0.82, needs=("mig-on",)),
    Message(r"torch\.cuda\.device_count\(\)", 0.5, needs=("mig-on",)),
    Message(r"NCCL WARN .{0,60}(?:MIG|nvmlDeviceGetHandleByPciBusId)", 0.6, needs=("mig-on",)),
    Message(r"CUDA_VISIBLE_DEVICES=(?P<value>MIG-\S{3,60},MIG-\S{3,60})", 0.82, told=Words("More than one MIG instance is named; CUDA uses one.", "指定了多个 MIG 实例；CUDA 只用一个。")),
    Message(r"Enabled {1,3}\| {0,3}$", 0.3, needs=("mig-on",)),
)  # fmt: skip

CAUSE = Cause(
    id="mig-mode-blocks",
    family="virtualisation",
    vendor="nvidia",
    severity="blocking",
    title=Words(
        "MIG mode is on, but no usable instance is there",
        "MIG 模式已开启，但没有可用实例",
    ),
    means=Words(
        "MIG mode is on without (usable) instances, or the program asks for the whole GPU or for several instances.",
        "MIG 模式已开启但没有（可用的）实例，或程序要求整块 GPU 或多个实例。",
    ),
    effect=Words(
        "CUDA sees no device, or only one.",
        "CUDA 看不到设备，或只看到一个。",
    ),
    fix=Words(
        "Create instances (nvidia-smi mig -cgi <profile> -C) and name one by its MIG UUID, or have an administrator disable MIG.",
        "创建实例（nvidia-smi mig -cgi <profile> -C）并用其 MIG UUID 指明，或请管理员关闭 MIG。",
    ),
    messages=MESSAGES,
)
