"""The job needs more GPU memory than there is."""

from __future__ import annotations

import re

from ..transcript.model import Hit
from ..words import Words
from ._out_of_memory import fragmented
from .messages import Message, Seen
from .model import Cause

# messages
_WANTED = r"Tried to allocate ([\d.]+ [KMG]iB)"
_TOTAL = r"total capacity of ([\d.]+ [KMG]iB)"


def not_fragmented(hit: Hit, seen: Seen) -> dict[str, str] | bool:  # noqa: ARG001
    """The request is more than what lies idle."""
    if fragmented(hit.text):
        return False
    wanted, total = re.search(_WANTED, hit.text), re.search(_TOTAL, hit.text)
    return {"wanted": wanted[1], "total": total[1]} if wanted and total else True


MESSAGES = (
    Message(r"out of memory\. Tried to allocate .{1,700}(?:reserved by PyTorch but unallocated|reserved in total by PyTorch)", 0.88, check=not_fragmented, told=Words("{wanted} were wanted; {total} are there.", "需要 {wanted}；共有 {total}。")),
    Message(r"(?:CUDA|HIP) out of memory", 0.8, unless=("fragmented",)),
    Message(r"torch\.OutOfMemoryError", 0.8, unless=("fragmented",)),
    Message(r"torch\.cuda\.OutOfMemoryError", 0.8, unless=("fragmented",)),
    Message(r"hipErrorOutOfMemory", 0.82),
    Message(r"CUDA_ERROR_OUT_OF_MEMORY", 0.82),
    Message(r"CUDA error: out of memory", 0.84),
    Message(r"HIP error: out of memory", 0.84),
    Message(r"cudaMalloc failed: out of memory", 0.86),
    Message(r"hipMalloc failed: out of memory", 0.86),
    Message(r"ROCm error: out of memory", 0.84),
    Message(r"failed to allocate (?:\S{1,12} )?(?:ROCm|CUDA|HIP)\d? buffer of size", 0.85),
    Message(r"ggml_backend_(?:cuda|hip)_buffer_type_alloc_buffer: allocating", 0.8),
    Message(r"unable to allocate (?:ROCm|CUDA|HIP)\d? buffer", 0.84),
    Message(r"No available memory for the cache blocks", 0.86),
    Message(r"Free memory on device.{0,60}is less than desired GPU memory utilization", 0.88),
    Message(r"is larger than the maximum number of tokens that can be stored in KV cache", 0.75),
    Message(r"RESOURCE_EXHAUSTED: .{0,60}[Oo]ut of memory", 0.85),
    Message(r"RESOURCE_EXHAUSTED: .{0,60}allocat", 0.8),
    Message(r"OOM when allocating tensor with shape", 0.86),
    Message(r"hipblasStatus_t\S{0,5} HIPBLAS_STATUS_ALLOC_FAILED", 0.7),
    Message(r"CUBLAS_STATUS_ALLOC_FAILED", 0.72),
    Message(r"ErrorOutOfDeviceMemory", 0.8),
    Message(r"amdgpu: .{0,20}Not enough memory for command submission", 0.85),
    Message(r"model requires more (?:system )?memory", 0.6, told=None),
    Message(r"NCCL WARN (?:Cuda|HIP) failure (?:2 )?'out of memory'", 0.85),
)  # fmt: skip

CAUSE = Cause(
    id="vram-exhausted",
    family="memory",
    vendor="both",
    severity="blocking",
    title=Words(
        "The job needs more GPU memory than there is",
        "任务需要的显存超过现有显存",
    ),
    means=Words(
        "The job needs more GPU memory than there is.",
        "任务需要的显存超过现有显存。",
    ),
    effect=Words(
        "The program ends with an out-of-memory error.",
        "程序以显存不足错误结束。",
    ),
    fix=Words(
        "Smaller batch or sequence, lower precision, checkpointing, offload or quantisation; end other processes; a larger GPU.",
        "减小批量或序列，降低精度，使用检查点、卸载或量化；结束其他进程；换更大的 GPU。",
    ),
    follows=(
        "apu-gtt-limit-too-low",
        "uma-carveout-too-small",
        "apu-carveout-too-large",
    ),
    messages=MESSAGES,
)
