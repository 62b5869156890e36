"""A GPU engine hung and was reset."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

# messages
MESSAGES = (
    Message(r"ring (?P<ring>[\w.]{2,24}) timeout, (?:signaled|but soft recovered)", 0.84, unless=("bad-mes-words",), told=Words("The ring {ring} stopped answering.", "环 {ring} 停止响应。")),
    Message(r"amdgpu: GPU reset begin!", 0.82),
    Message(r"amdgpu_job_timedout", 0.82),
    Message(r"GPU reset\(\d{1,4}\) (?:succeeded|failed)", 0.8),
    Message(r"VRAM is lost due to GPU reset", 0.82),
    Message(r"ring \S{2,24} timeout", 0.75, needs=("amd",)),
    Message(r"amdgpu: GPU recovery disabled", 0.7),
    Message(r"device wedged, but recovered through reset", 0.85),
    Message(r"\[gfxhub\d?\] (?:no-retry )?page fault", 0.52, needs=("ring-reset",)),
    Message(r"hipErrorLaunchFailure", 0.45, needs=("ring-reset",)),
    Message(r"amdgpu: MODE[12] reset", 0.7),
    Message(r"HW Exception by GPU node-(?P<node>\d{1,2}) .{0,60}reason ?: ?GPU Hang", 0.82, told=Words("GPU node {node} hung.", "GPU 节点 {node} 卡死。")),
)  # fmt: skip

CAUSE = Cause(
    id="amdgpu-ring-timeout-reset",
    family="driver",
    vendor="amd",
    severity="blocking",
    title=Words(
        "A GPU engine stopped answering and was reset",
        "GPU 引擎停止响应并被重置",
    ),
    means=Words(
        "A GPU engine stopped answering and the driver reset it, so running jobs are lost.",
        "GPU 引擎停止响应，驱动将其重置，正在运行的任务丢失。",
    ),
    effect=Words(
        "HIP programs end with an error or hang.",
        "HIP 程序报错结束或卡住。",
    ),
    fix=Words(
        "Restart the jobs (reboot if the reset failed); move to a kernel and firmware pair known good for the chip; remove overrides and overclocking; raise amdgpu.lockup_timeout only for legitimately long kernels.",
        "重新启动任务（若重置失败则重启机器）；换用已知对该芯片可靠的内核与固件组合；去掉覆盖变量和超频；仅对确实很长的核函数才调高 amdgpu.lockup_timeout。",
    ),
    follows=(
        "hsa-override-wrong",
        "strix-bad-mes-firmware",
        "kfd-vgpr-cwsr-mismatch",
        "linux-firmware-too-old",
        "amdgpu-dkms-over-intree",
    ),
    messages=MESSAGES,
)
