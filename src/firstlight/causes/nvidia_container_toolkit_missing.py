"""The engine has no NVIDIA runtime."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

# messages
MESSAGES = (
    Message(r"could not select device driver \"\w{0,10}\" with capabilities: \[\[gpu", 0.96),
    Message(r"unknown or invalid runtime name: {0,2}\"?nvidia", 0.96),
    Message(r"Unknown runtime specified nvidia", 0.95),
    Message(r"unresolvable CDI devices? (?P<device>nvidia\.com/gpu\S{0,20})", 0.94, told=Words("There is no CDI device {device}.", "没有 CDI 设备 {device}。")),
    Message(r"failed to inject CDI devices", 0.9, needs=("nvidia-card", "nvidia-cdi")),
    Message(r"setting up CDI devices: .{0,60}nvidia\.com", 0.92),
    Message(r"nvidia-container-(?:cli|runtime|runtime-hook|toolkit)\S{0,10}:? {0,2}(?:executable file not found|no such file|command not found|not found)", 0.9),
    Message(r"\"?nvidia-container-runtime\"?: executable file not found", 0.93),
    Message(r"fork/exec /usr/bin/nvidia-container-\S{3,20}: no such file", 0.9),
    Message(r"no runtime for \"nvidia\" is configured", 0.95),
    Message(r"docker: Error response from daemon: could not select device driver \"\"", 0.94),
    Message(r"RuntimeHandler \"nvidia\" not supported", 0.9),
    Message(r"nvidia-ctk: command not found", 0.8),
    Message(r"CDI device injection failed", 0.8),
    Message(r"stat nvidia\.com/gpu=\S{1,20}: no such file or directory", 0.92),
    Message(r"unknown flag: --gpus", 0.75),
)  # fmt: skip

CAUSE = Cause(
    id="nvidia-container-toolkit-missing",
    family="container",
    vendor="nvidia",
    severity="blocking",
    title=Words(
        "The container engine has no NVIDIA runtime",
        "容器引擎没有 NVIDIA 运行时",
    ),
    means=Words(
        "The container engine has no NVIDIA runtime or CDI spec.",
        "容器引擎没有 NVIDIA 运行时或 CDI 规范。",
    ),
    effect=Words(
        "A container that asks for the GPU does not start.",
        "要求 GPU 的容器无法启动。",
    ),
    fix=Words(
        "Install nvidia-container-toolkit, nvidia-ctk runtime configure --runtime=docker (or cdi generate), restart the engine.",
        "安装 nvidia-container-toolkit，运行 nvidia-ctk runtime configure --runtime=docker（或 cdi generate），重启引擎。",
    ),
    messages=MESSAGES,
)
