"""The slot does not route PCIe atomics."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

# messages
MESSAGES = (
    Message(r"skipped device (?P<device>1002:[0-9a-f]{4}), PCI rejects atomics", 0.97, told=Words("KFD skips {device}.", "KFD 跳过 {device}。")),
    Message(r"PCI rejects atomics", 0.96),
    Message(r"PCIE? atomic ops is not supported", 0.8, doubts=("gpu-listed",)),
    Message(r"(?i)no PCIe atomics", 0.8),
    Message(r"PCIe atomics (?:are )?not (?:supported|enabled|available)", 0.86),
    Message(r"status:? 4104", 0.8),
    Message(r"AtomicOpsCap: 32bit- 64bit-", 0.5, needs=("amd",)),
    Message(r"requires? PCIe atomics", 0.85),
)  # fmt: skip

CAUSE = Cause(
    id="pcie-atomics-missing",
    family="hardware",
    vendor="amd",
    severity="blocking",
    title=Words(
        "The PCIe path to the GPU does not route atomic operations",
        "通往 GPU 的 PCIe 路径不支持原子操作",
    ),
    means=Words(
        "CPU, board or a switch on the way does not route PCIe atomic operations that this GPU needs.",
        "CPU、主板或途中的交换芯片不转发该 GPU 所需的 PCIe 原子操作。",
    ),
    effect=Words(
        "The display works, but ROCm lists no GPU.",
        "显示正常，但 ROCm 列不出 GPU。",
    ),
    fix=Words(
        "Use a slot at the CPU of a PCIe 3 platform with atomics, or a GPU (gfx9 and later) that can do without.",
        "使用支持原子操作的 PCIe 3 平台上直连 CPU 的插槽，或使用不需要它的 GPU（gfx9 及以后）。",
    ),
    messages=MESSAGES,
)
