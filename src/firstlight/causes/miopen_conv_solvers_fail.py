"""All MIOpen solvers for a convolution fail."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

# messages
MESSAGES = (
    Message(r"No suitable algorithm was found to execute the required convolution", 0.85, unless=("no-workspace",)),
    Message(r"miopenStatusUnknownError", 0.7, unless=("no-workspace", "miopen-db-words")),
    Message(r"miopenStatusInternalError", 0.62, unless=("no-workspace", "miopen-db-words")),
    Message(r"MIOpen Error: .{0,160}(?:Code object build failed|Invalid filter channel|No solver|Cannot find|Failed to)", 0.85, unless=("miopen-db-words",)),
    Message(r"Code object build failed\. Source: (?P<source>\S{3,60})", 0.88, told=Words("{source} does not compile.", "{source} 无法编译。")),
    Message(r"MIOpen.{0,60}HIPRTC (?:status|error)", 0.85),
    Message(r"MIOpen\(HIP\): Error \[(?:Do)?(?:Compile|BuildHip|BuildAsm|BuildOcl)\w{0,20}\]", 0.88),
    Message(r"comgr status = (?P<status>\S{3,60})", 0.82),
    Message(r"MIOpen Error: .{0,200}", 0.55, unless=("no-workspace", "miopen-db-words", "no-space-words")),
    Message(r"All solvers failed", 0.8),
    Message(r"FindSolutionImpl.{0,80}[Nn]ot applicable", 0.5, needs=("no-suitable",)),
)  # fmt: skip

CAUSE = Cause(
    id="miopen-conv-solvers-fail",
    family="library",
    vendor="amd",
    severity="blocking",
    title=Words(
        "MIOpen cannot build or run any solver for a convolution",
        "MIOpen 无法编译或运行任何卷积求解器",
    ),
    means=Words(
        "Every MIOpen solver for a convolution fails to build or run on this GPU (not for want of workspace).",
        "在该 GPU 上，某个卷积的所有 MIOpen 求解器都无法编译或运行（并非缺少工作区）。",
    ),
    effect=Words(
        "The convolution fails.",
        "卷积失败。",
    ),
    fix=Words(
        "A ROCm and torch that support the GPU, with the compiler they came with; torch.backends.cudnn.enabled = False around that step as a stopgap.",
        "使用支持该 GPU 的 ROCm 和 torch 及其配套编译器；应急时在该步骤前后设 torch.backends.cudnn.enabled = False。",
    ),
    follows=(
        "gpu-arch-not-in-rocm-build",
        "hsa-override-wrong",
        "disk-full",
        "miopen-user-db-unusable",
        "system-rocm-shadows-wheel-libs",
    ),
    messages=MESSAGES,
)
