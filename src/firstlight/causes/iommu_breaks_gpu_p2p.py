"""An IOMMU that translates what GPUs send to one another."""

from __future__ import annotations

from ..facts.model import Facts, Gpu, Unknown
from ..words import Words
from ._cmdline import add, cmdline_evidence, parameter
from ._gpus import INSTINCT, for_compute, not_captured
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, NotKnown, Remedy


def judge(facts: Facts) -> Judgement:
    """Found for several discrete AMD GPUs if the IOMMU is on and not in passthrough. RCCL warns of it, too. AMD advises
    iommu=pt for Instinct, for Radeon with peer-to-peer the default (ROCm documentation, IOMMU page)."""
    cards = [gpu for gpu in for_compute(facts, "amd") if gpu.apu is not True]
    if len({gpu.physical for gpu in cards}) < 2:
        return (not_captured(facts) if not facts.gpus else None) or CLEAR
    if facts.virtual.hypervisor not in ("none", "other") and not isinstance(facts.virtual.hypervisor, Unknown):
        return CLEAR  # the guest's own command line does not set the machine's IOMMU
    cmdline, groups = facts.kernel.cmdline, facts.kernel.iommu_groups
    if isinstance(cmdline, Unknown):
        return NotKnown((f"kernel.cmdline ({cmdline.unknown}: {cmdline.source})",))
    mode = parameter(facts, "iommu", "amd_iommu", "intel_iommu", "iommu.passthrough")
    if _passes_through(facts) or groups == 0 or (isinstance(groups, Unknown) and groups.unknown == "absent"):
        return CLEAR  # no group: nothing is translated
    if isinstance(groups, Unknown):
        return NotKnown((f"kernel.iommu_groups ({groups.unknown}: {groups.source})",))
    first = cmdline_evidence(mode) if mode else Evidence("kernel.cmdline", "no iommu=pt", "/proc/cmdline")
    on = Evidence("kernel.iommu_groups", str(groups), "/sys/kernel/iommu_groups")
    return Found(
        evidence=(first, on, Evidence("gpus", f"{len(cards)} AMD GPUs", "/sys/bus/pci/devices")),
        values={"count": str(len({gpu.physical for gpu in cards}))},
        severity=None if _instinct(cards) else "advice",
        remedy=_remedy(facts),
    )


def _passes_through(facts: Facts) -> bool:
    """`iommu=pt` (also in a list, `iommu=pt,soft`), or no translation at all."""
    for name in ("iommu", "amd_iommu", "intel_iommu"):
        one = parameter(facts, name)
        if one and {"pt", "off"} & set((one.value or "").split(",")):
            return True
    arm = parameter(facts, "iommu.passthrough")
    return bool(arm and arm.value in {"1", "y", "on"})


def _instinct(cards: list[Gpu]) -> bool:
    return all((gpu.target or "").startswith(INSTINCT) for gpu in cards)


def _remedy(facts: Facts) -> tuple[Remedy, ...]:
    why = Words(
        "Puts the IOMMU into passthrough: devices of the host reach memory without translation.",
        "把 IOMMU 设为直通模式：主机设备访问内存不再经过地址转换。",
    )
    stopgap = Words(
        "Until then: NCCL_P2P_DISABLE=1 in the job's environment.",
        "在此之前：在任务环境中设置 NCCL_P2P_DISABLE=1。",
    )
    return (*add(facts, "iommu=pt", why), Remedy((), root=False, why=stopgap))


# messages
MESSAGES = (
    Message(r"Missing \"iommu=pt\" from kernel command line", 0.82, unless=("healthy-collective",), helps=("hang",)),
    Message(r"Missing \"amd_iommu=on\" from kernel command line", 0.7, unless=("healthy-collective",)),
    Message(r"NCCL_P2P_DISABLE=1", 0.55, needs=("amd",), unless=("iommu-pt",), helps=("iommu-missing",)),
    Message(r"AMD-Vi: Event logged \[IO_PAGE_FAULT .{0,40}device=(?P<pci>[0-9a-f:.]{7,12})", 0.72, needs=("amd",), told=Words("The IOMMU faults for {pci}.", "IOMMU 对 {pci} 报错。")),
    Message(r"DMAR: \[DMA (?:Read|Write)[^\]]{0,20}\] Request device \[(?P<pci>[0-9a-f:.]{5,12})\] fault", 0.6, needs=("amd",)),
    Message(r"iommu: Default domain type: Translated", 0.5, needs=("hang",), unless=("iommu-pt",)),
)  # fmt: skip

CAUSE = Cause(
    id="iommu-breaks-gpu-p2p",
    family="kernel",
    vendor="amd",
    severity="degrading",
    title=Words(
        "The IOMMU translates traffic between {count} GPUs (no iommu=pt)",
        "IOMMU 会转换 {count} 块 GPU 之间的访问（没有 iommu=pt）",
    ),
    means=Words(
        "Peer-to-peer copies between GPUs stall because the IOMMU translates them.",
        "GPU 之间的点对点拷贝被 IOMMU 转换，因而卡住。",
    ),
    effect=Words(
        "Jobs on one GPU work; collectives over several may hang, corrupt data or be slow.",
        "单卡任务正常；多卡通信可能卡死、数据损坏或变慢。",
    ),
    fix=Words(
        "Boot with iommu=pt (amd_iommu/intel_iommu=on); as a stopgap NCCL_P2P_DISABLE=1. Check ACS on switches.",
        "启动参数加 iommu=pt（amd_iommu/intel_iommu=on）；临时可设 NCCL_P2P_DISABLE=1。检查交换芯片上的 ACS。",
    ),
    judge=judge,
    messages=MESSAGES,
)
