"""amdgpu is there but did not take the GPU."""

from __future__ import annotations

from ..facts.model import Facts
from ..words import Words
from ._gpus import label
from ._serving import module_evidence, no_driver, rest, severity_free, unbound, unserved
from .messages import Message
from .model import CLEAR, Cause, Found, Judgement, Remedy, missing


def judge(facts: Facts) -> Judgement:
    """Found if amdgpu is loaded and a GPU is known to have no driver at all."""
    idle = [gpu for gpu in unserved(facts, "amd") if unbound(gpu)]
    if not idle:
        return rest(facts, "amd")
    loaded = facts.driver.amd.loaded
    if loaded is not True:
        return missing(("driver.amd.loaded", loaded)) or CLEAR
    look = Words(
        "Shows why the driver gave up: firmware that is missing, a chip it does not know, a BAR that did not fit.",
        "查看驱动放弃的原因：缺固件、不认识的芯片，或放不下的 BAR。",
    )
    return Found(
        evidence=(module_evidence(facts, "amd"), no_driver(facts, idle[0])),
        values={"gpu": label(idle[0])},
        severity="advice" if severity_free(facts, idle[0]) else None,
        remedy=(Remedy(("journalctl", "-k", "-b", "--grep", "amdgpu"), root=True, why=look),),
    )


# messages
MESSAGES = (
    Message(r"amdgpu: probe of (?P<pci>[0-9a-f:.]{7,12}) failed with error (?P<error>-\d{1,3})", 0.66, unless=("firmware-missing-words", "bar-words"), told=Words("amdgpu gives up on {pci} with error {error}.", "amdgpu 在 {pci} 上以错误 {error} 放弃。")),
    Message(r"probe with driver amdgpu failed with error (?P<error>-\d{1,3})", 0.66, unless=("firmware-missing-words", "bar-words")),
    Message(r"amdgpu: Fatal error during GPU init", 0.62, unless=("firmware-missing-words", "bar-words")),
)  # fmt: skip

CAUSE = Cause(
    id="amdgpu-probe-failed",
    family="driver",
    vendor="amd",
    severity="blocking",
    title=Words("amdgpu is loaded but did not take {gpu}", "amdgpu 已加载，但没有接管 {gpu}"),
    means=Words(
        "The amdgpu module is loaded, yet the GPU has no driver: its start-up on this GPU failed, or it does "
        "not know it.",
        "amdgpu 模块已加载，但 GPU 没有驱动：驱动在这块 GPU 上初始化失败，或不认识它。",
    ),
    effect=Words("The GPU has no /dev/kfd node and no render node.", "这块 GPU 没有 KFD 节点，也没有 render 节点。"),
    fix=Words(
        "Read the kernel log for amdgpu; most often firmware or the kernel is too old for the chip.",
        "查看内核日志中 amdgpu 的消息；最常见的是固件或内核对这块芯片来说太旧。",
    ),
    follows=(
        "nomodeset-blocks-amdgpu",
        "amdgpu-blacklisted",
        "kernel-too-old-for-gpu",
        "amdgpu-dkms-over-intree",
        "linux-firmware-too-old",
        "gpu-bound-to-other-driver",
        "large-bar-disabled",
    ),
    judge=judge,
    messages=MESSAGES,
)  # fmt: skip
