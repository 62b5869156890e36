"""GPU memory has errors that cannot be corrected."""

from __future__ import annotations

from ..transcript.model import Hit
from ..words import Words
from .messages import Message, Seen
from .model import Cause


# messages
def not_zero(hit: Hit, seen: Seen) -> bool:  # noqa: ARG001
    """The kernel also prints a count of none."""
    return int(hit.values["count"]) > 0


MESSAGES = (
    Message(r"NVRM: Xid \(PCI:(?P<pci>[0-9a-fA-F:.]{7,14})\): (?P<xid>48|63|64|94|95)\b", 0.95, told=Words("Xid {xid} on {pci}.", "{pci} 上的 Xid {xid}。")),
    Message(r"uncorrectable ECC error encountered", 0.96),
    Message(r"CUDA_ERROR_ECC_UNCORRECTABLE", 0.95),
    Message(r"cudaErrorECCUncorrectable", 0.95),
    Message(r"(?P<count>\d{1,8}) uncorrectable hardware errors detected in (?P<block>\w{2,12}) block", 0.94, check=not_zero, told=Words("{count} uncorrectable errors in {block}.", "{block} 中有 {count} 个不可纠正错误。")),
    Message(r"RAS (?:controller )?(?:poison|fatal|uncorrectable|interrupt).{0,60}(?:consumption|detected|error)", 0.85),
    Message(r"bad page threshold", 0.9),
    Message(r"RAS records:\d{1,6} exceeds threshold", 0.9),
    Message(r"Pending Page Blacklist {1,30}: Yes", 0.88),
    Message(r"Remapping Failure Occurred {1,30}: Yes", 0.94),
    Message(r"(?:Row Remapping|Remapped Rows)? ?Pending {1,30}: Yes", 0.82, needs=("remap-words",)),
    Message(r"(?:SRAM|DRAM|Device Memory|Double Bit).{0,20}Uncorrectable {1,30}: (?P<count>[1-9]\d{0,8})", 0.85, told=Words("{count} uncorrectable errors are counted.", "计有 {count} 个不可纠正错误。")),
    Message(r"Uncorrectable(?: Parity)? {1,30}: (?P<count>[1-9]\d{0,8})", 0.8, needs=("ecc-words",), told=Words("{count} uncorrectable errors are counted.", "计有 {count} 个不可纠正错误。")),
    Message(r"Hardware error from APEI Generic Hardware Error Source", 0.6, needs=("gpu-words",)),
    Message(r"(?i)uncorrectable_count\"?: {0,4}(?P<count>[1-9]\d{0,8})", 0.86, told=Words("{count} uncorrectable errors are counted.", "计有 {count} 个不可纠正错误。")),
    Message(r"HW Exception by GPU node-.{0,80}ECC", 0.88),
    Message(r"poison (?:is )?(?:created|consumed)", 0.85, needs=("amd",)),
)  # fmt: skip

CAUSE = Cause(
    id="ecc-error",
    family="hardware",
    vendor="both",
    severity="blocking",
    title=Words(
        "GPU memory has uncorrectable ECC errors",
        "GPU 显存有不可纠正的 ECC 错误",
    ),
    means=Words(
        "GPU memory has uncorrectable ECC errors.",
        "GPU 显存有不可纠正的 ECC 错误。",
    ),
    effect=Words(
        "Programs are stopped; results may be wrong.",
        "程序被中止；结果可能有误。",
    ),
    fix=Words(
        "Drain the node, reset or reboot so that rows are remapped; if errors return, run the vendor's field diagnostic and replace the card.",
        "排空该节点，重置或重启以便重映射行；若错误再现，运行厂商的现场诊断并更换显卡。",
    ),
    messages=MESSAGES,
)
