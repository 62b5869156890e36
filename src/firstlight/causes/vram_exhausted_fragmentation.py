"""GPU memory is in pieces."""

from __future__ import annotations

import re

from ..transcript.model import Hit
from ..words import Words
from ._out_of_memory import fragmented
from .messages import Message, Seen
from .model import Cause

# messages
_IDLE = r"([\d.]+ [KMG]iB) is reserved by PyTorch but unallocated"


def is_fragmented(hit: Hit, seen: Seen) -> dict[str, str] | bool:  # noqa: ARG001
    """As the numbers of the message say."""
    idle = re.search(_IDLE, hit.text)
    return ({"idle": idle[1]} if idle else True) if fragmented(hit.text) else False


MESSAGES = (
    Message(r"out of memory\. Tried to allocate .{1,700}(?:reserved by PyTorch but unallocated|reserved in total by PyTorch)", 0.9, check=is_fragmented, told=Words("{idle} is reserved but not used.", "已保留但未使用 {idle}。")),
    Message(r"(?i)(?:GPU|VRAM|CUDA|device) memory (?:is )?(?:too )?fragment", 0.75),
)  # fmt: skip

CAUSE = Cause(
    id="vram-exhausted-fragmentation",
    family="memory",
    vendor="both",
    severity="blocking",
    title=Words(
        "GPU memory is too fragmented for one allocation",
        "显存过于碎片化，无法完成一次分配",
    ),
    means=Words(
        "GPU memory is enough in sum but too fragmented for one allocation.",
        "显存总量足够，但过于碎片化，无法完成一次分配。",
    ),
    effect=Words(
        "The program ends with an out-of-memory error after a while.",
        "程序运行一段时间后以显存不足错误结束。",
    ),
    fix=Words(
        "PYTORCH_ALLOC_CONF=expandable_segments:True (where supported) or max_split_size_mb; fixed shapes; empty_cache between phases.",
        "PYTORCH_ALLOC_CONF=expandable_segments:True（若支持）或 max_split_size_mb；固定形状；在阶段之间 empty_cache。",
    ),
    messages=MESSAGES,
)
