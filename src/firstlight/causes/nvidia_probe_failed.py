"""NVIDIA's driver is there but did not take the GPU."""

from __future__ import annotations

from ..facts.model import Facts, Gpu
from ..words import Words
from ._gpus import evidence, label, of
from ._serving import module_evidence, rest, severity_free, unbound
from .messages import Message
from .model import CLEAR, Cause, Found, Judgement, Remedy, missing


def judge(facts: Facts) -> Judgement:
    """Found if the module is loaded and a GPU has no driver, or is not in the driver's own list."""
    idle = [gpu for gpu in of(facts, "nvidia") if unbound(gpu) or gpu.why == "not-listed-by-driver"]
    if not idle or facts.virtual.wsl is True:
        return rest(facts, "nvidia")
    loaded = facts.driver.nvidia.loaded
    if loaded is not True:
        return missing(("driver.nvidia.loaded", loaded)) or CLEAR
    return _found(facts, next((gpu for gpu in idle if not severity_free(facts, gpu)), idle[0]))


def _found(facts: Facts, gpu: Gpu) -> Found:
    look = Words(
        "Shows why the driver gave up: another module flavour, a BAR that did not fit, GSP firmware, power.",
        "查看驱动放弃的原因：模块类型不对、BAR 放不下、GSP 固件、供电。",
    )
    return Found(
        evidence=(module_evidence(facts, "nvidia"), evidence(facts, gpu, "why", gpu.why or "no-driver")),
        values={"gpu": label(gpu)},
        severity="advice" if severity_free(facts, gpu) else None,
        remedy=(Remedy(("journalctl", "-k", "-b", "--grep", "NVRM"), root=True, why=look),),
    )


# messages
MESSAGES = (
    Message(r"nvidia: probe of (?P<pci>[0-9a-f:.]{7,12}) failed with error (?P<error>-\d{1,3})", 0.6, unless=("bar-words", "nvrm-other-driver"), told=Words("The driver gives up on {pci} with error {error}.", "驱动在 {pci} 上以错误 {error} 放弃。")),
    Message(r"NVRM: GPU \S{7,14}: RmInitAdapter failed", 0.72, unless=("bar-words", "bus-gone", "firmware-missing-words", "open-needed")),
    Message(r"NVRM: rm_init_adapter failed", 0.7, unless=("bar-words", "bus-gone", "firmware-missing-words", "open-needed")),
)  # fmt: skip

CAUSE = Cause(
    id="nvidia-probe-failed",
    family="driver",
    vendor="nvidia",
    severity="blocking",
    title=Words("The NVIDIA driver is loaded but did not take {gpu}", "NVIDIA 驱动已加载，但没有接管 {gpu}"),
    means=Words(
        "The NVIDIA module is loaded, yet it does not serve this GPU: its start-up on it failed, or it does "
        "not know it.",
        "NVIDIA 模块已加载，但没有接管这块 GPU：初始化失败，或不认识它。",
    ),
    effect=Words("CUDA and nvidia-smi do not list this GPU.", "CUDA 和 nvidia-smi 都不列出这块 GPU。"),
    fix=Words(
        "Read the kernel log for NVRM; check the module's flavour, power, and Above 4G Decoding.",
        "查看内核日志中的 NVRM 消息；检查模块类型、供电和 Above 4G Decoding。",
    ),
    follows=("nvidia-module-flavour-mismatch", "nvidia-driver-dropped-gpu", "gpu-bound-to-other-driver"),
    judge=judge,
    messages=MESSAGES,
)
