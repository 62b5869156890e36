"""MIOpen got no workspace."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

# messages
MESSAGES = (
    Message(r"IsEnoughWorkspace.{0,120}workspace required: (?P<wanted>\d{1,14}), provided ptr: \S{1,20} size: 0\b", 0.66, helps=("no-suitable",), told=Words("{wanted} bytes were wanted, none were given.", "需要 {wanted} 字节，没有提供。")),
    Message(r"No suitable algorithm was found to execute the required convolution", 0.9, needs=("no-workspace",)),
    Message(r"miopenStatusUnknownError", 0.82, needs=("no-workspace",)),
)  # fmt: skip

CAUSE = Cause(
    id="miopen-no-solver-workspace",
    family="library",
    vendor="amd",
    severity="blocking",
    title=Words(
        "MIOpen's only solvers need a workspace and got none",
        "MIOpen 仅有的求解器需要工作区却没有得到",
    ),
    means=Words(
        "MIOpen has only solvers that need a workspace, and none was provided, so the convolution cannot run.",
        "MIOpen 只剩需要工作区的求解器，而没有提供工作区，因此卷积无法运行。",
    ),
    effect=Words(
        "The convolution fails.",
        "卷积失败。",
    ),
    fix=Words(
        "Newer torch/MIOpen build with the workspace fix; until then torch.backends.cudnn.enabled = False around that step.",
        "使用修复了工作区问题的较新 torch/MIOpen 构建；在此之前在该步骤前后设 torch.backends.cudnn.enabled = False。",
    ),
    messages=MESSAGES,
)
