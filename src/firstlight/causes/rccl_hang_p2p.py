"""RCCL hangs over peer-to-peer."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

# messages
MESSAGES = (
    Message(r"NCCL_P2P_DISABLE=1", 0.78, needs=("amd", "rccl"), unless=("iommu-missing", "no-iommu-pt")),
    Message(r"Watchdog caught collective operation timeout: WorkNCCL\(.{0,60}(?P<op>ALLREDUCE|BROADCAST|ALLGATHER|REDUCE_SCATTER|_ALLGATHER_BASE)", 0.66, needs=("amd", "rccl"), unless=("iommu-missing", "gpu-trouble-hard"), told=Words("The collective {op} does not end.", "集合通信 {op} 没有结束。")),
    Message(r"NCCL INFO (?:Channel|Connected all|Ring|Trees).{0,80}", 0.4, needs=("rccl-hang",), unless=("iommu-missing",)),
    Message(r"via (?:P2P|SHM)/(?:IPC|direct|CUMEM)", 0.66, needs=("rccl-hang",), unless=("iommu-missing", "healthy-collective")),
    Message(r"hipIpc(?:GetMemHandle|OpenMemHandle) failed", 0.8),
    Message(r"NCCL WARN (?:HIP|Cuda) failure.{0,40}(?:invalid device pointer|invalid argument|peer access)", 0.6, needs=("amd", "rccl")),
    Message(r"hipErrorPeerAccess\w{3,20}", 0.72),
)  # fmt: skip

CAUSE = Cause(
    id="rccl-hang-p2p",
    family="library",
    vendor="amd",
    severity="blocking",
    title=Words(
        "RCCL hangs because a path between GPUs does not work",
        "GPU 之间的通路不可用，RCCL 卡住",
    ),
    means=Words(
        "RCCL hangs in its first collective as a peer-to-peer or shared-memory path between GPUs does not work.",
        "GPU 之间的点对点或共享内存通路不可用，RCCL 在第一次集合通信时卡住。",
    ),
    effect=Words(
        "The job hangs with the GPUs at 100%.",
        "任务卡住，GPU 占用 100%。",
    ),
    fix=Words(
        "Enable large BAR, turn ACS off on the switch, --ipc=host in containers, equal GPUs; else run with NCCL_P2P_DISABLE=1.",
        "启用 large BAR，关闭交换芯片上的 ACS，容器用 --ipc=host，使用相同的 GPU；否则用 NCCL_P2P_DISABLE=1 运行。",
    ),
    follows=(
        "iommu-breaks-gpu-p2p",
        "large-bar-disabled",
        "container-shm-too-small",
    ),
    messages=MESSAGES,
)
