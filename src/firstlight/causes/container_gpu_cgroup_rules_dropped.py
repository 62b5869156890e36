"""A running container lost its GPU."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

# messages
MESSAGES = (
    Message(r"Failed to initialize NVML: Unknown Error", 0.9, unless=("wsl",), helps=("container", "daemon-reload")),
    Message(r"NVML: Unknown Error", 0.85, unless=("wsl",), helps=("container",)),
    Message(r"/dev/nvidiactl.{0,30}(?:EPERM|Operation not permitted)", 0.88),
    Message(r"(?i)nvml error: unknown", 0.6, helps=("container", "daemon-reload"), unless=("wsl",)),
    Message(r"systemctl daemon-reload", 0.6, needs=("nvml-unknown", "container-lost-gpu")),
)  # fmt: skip

CAUSE = Cause(
    id="container-gpu-cgroup-rules-dropped",
    family="container",
    vendor="nvidia",
    severity="blocking",
    title=Words(
        "The container lost its GPU while running",
        "容器在运行中失去了 GPU",
    ),
    means=Words(
        "A running container loses its GPU because its cgroup device rules were rewritten.",
        "运行中的容器因 cgroup 设备规则被重写而失去 GPU。",
    ),
    effect=Words(
        "NVML answers Unknown Error in a container that worked; the host is fine.",
        "原本正常的容器中 NVML 报 Unknown Error；宿主机正常。",
    ),
    fix=Words(
        "Restart the container; prevent it by CDI, the cgroupfs driver, /dev/char links (nvidia-ctk system create-dev-char-symlinks), or explicit --device.",
        "重启容器；用 CDI、cgroupfs 驱动、/dev/char 链接（nvidia-ctk system create-dev-char-symlinks）或显式 --device 防止再次发生。",
    ),
    messages=MESSAGES,
)
