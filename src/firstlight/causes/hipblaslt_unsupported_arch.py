"""hipBLASLt does not cover this GPU."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

# messages
MESSAGES = (
    Message(r"Attempting to use hipBLASLt on an? unsupported architecture", 0.94, unless=()),
    Message(r"hipBLASLt on an unsupported architecture", 0.93),
    Message(r"hipblaslt.{0,40}(?:not supported|unsupported).{0,30}(?:arch|gfx)", 0.82),
    Message(r"Overriding blas backend to hipblas", 0.9),
    Message(r"hipBLASLt.{0,60}(?P<gfx>gfx\w{3,5}).{0,30}(?:unsupported|not supported)", 0.85),
)  # fmt: skip

CAUSE = Cause(
    id="hipblaslt-unsupported-arch",
    family="library",
    vendor="amd",
    severity="advice",
    title=Words(
        "hipBLASLt does not cover this GPU; hipBLAS is used instead",
        "hipBLASLt 不支持该 GPU，改用 hipBLAS",
    ),
    means=Words(
        "hipBLASLt does not cover this GPU in this build, so torch falls back to hipBLAS; results are right, speed may be less.",
        "该构建的 hipBLASLt 不支持该 GPU，torch 退回 hipBLAS；结果正确，速度可能较低。",
    ),
    effect=Words(
        "A warning; work goes on.",
        "只是警告，程序继续运行。",
    ),
    fix=Words(
        "Nothing, or TORCH_BLAS_PREFER_HIPBLASLT=0 to silence it; a newer torch whose list has the gfx gives the speed.",
        "无需处理，或用 TORCH_BLAS_PREFER_HIPBLASLT=0 消除警告；列表中含该 gfx 的较新 torch 才有相应速度。",
    ),
    messages=MESSAGES,
)
