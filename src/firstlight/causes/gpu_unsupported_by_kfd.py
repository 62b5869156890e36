"""A GPU that the kernel's compute driver leaves out."""

from __future__ import annotations

from ..facts.model import Facts, Gpu, Unknown
from ..words import Words
from ._gpus import evidence, label, not_captured, of
from ._serving import left_out, severity_free
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, NotKnown, Remedy, Severity


def judge(facts: Facts) -> Judgement:
    """Found if a GPU has its display driver but no KFD node although KFD is there, or if it is of a generation that
    KFD never took."""
    gpus = [gpu for gpu in facts.gpus if gpu.vendor == "amd"]
    if not gpus:
        return (not_captured(facts) if not facts.gpus else None) or CLEAR
    hopeful = {id(gpu) for gpu in of(facts, "amd")}
    never = [gpu for gpu in gpus if id(gpu) not in hopeful]
    waiting = [gpu for gpu in gpus if id(gpu) in hopeful and gpu.driver == "amdgpu" and left_out(facts, gpu)]
    if waiting and facts.driver.amd.kfd is True:
        return _found(facts, waiting[0], hopeless=False)
    if never:
        return _found(facts, never[0], hopeless=True)
    doubtful = [gpu for gpu in gpus if not gpu.kfd and gpu.driver == "amdgpu" and id(gpu) in hopeful]
    doubtful = [gpu for gpu in doubtful if not left_out(facts, gpu)]
    if doubtful:
        reason = doubtful[0].unknown.get("kfd", "not-captured")
        return NotKnown((f"gpus[{facts.gpus.index(doubtful[0])}].kfd ({reason})",))
    return CLEAR


def _found(facts: Facts, gpu: Gpu, *, hopeless: bool) -> Found:
    why = Words(
        "Use another GPU, or the CPU backend; no software on this machine can help.",
        "换一块 GPU，或使用 CPU 后端；这台机器上没有软件办法。",
    )
    newer = Words(
        "Try the newest kernel: its KFD may list the chip. User space cannot help.",
        "试试最新的内核：它的 KFD 可能支持该芯片。用户态软件无能为力。",
    )
    severity: Severity = "degrading" if hopeless else "blocking"
    kfd = facts.driver.amd.kfd
    shown = kfd.unknown if isinstance(kfd, Unknown) else str(kfd).lower()
    return Found(
        evidence=(evidence(facts, gpu), evidence(facts, gpu, "driver", gpu.driver or "none"),
                  Evidence("driver.amd.kfd", shown, "/sys/class/kfd")),
        values={"gpu": label(gpu)},
        severity="advice" if severity_free(facts, gpu) else severity,
        remedy=(Remedy((), root=False, why=why if hopeless else newer),),
    )  # fmt: skip


# messages
MESSAGES = (
    Message(r"kfd: .{0,24}?(?P<chip>[A-Z][A-Z0-9_]{2,20}) {1,3}not supported in kfd", 0.96, told=Words("KFD does not support {chip}.", "KFD 不支持 {chip}。")),
    Message(r"not supported in kfd", 0.94),
    Message(r"kfd: .{0,24}DID (?P<device>[0-9a-f]{4}) is missing in supported_devices", 0.95, told=Words("KFD does not list the device {device}.", "KFD 没有列出设备 {device}。")),
    Message(r"is missing in supported_devices", 0.93),
    Message(r"kfd: (?:amdgpu: )?(?:GC IP )?(?:version )?\w{0,10} {0,2}(?:is )?not supported", 0.9),
    Message(r"GC IP [0-9a-f]{4,8} not supported in kfd", 0.95),
    Message(r"kfd kfd: .{0,40}(?:init failed|unsupported)", 0.7),
)  # fmt: skip

CAUSE = Cause(
    id="gpu-unsupported-by-kfd",
    family="kernel",
    vendor="amd",
    severity="blocking",
    title=Words("The kernel's compute driver leaves out {gpu}", "内核的计算驱动（KFD）不支持 {gpu}"),
    means=Words(
        "The kernel's compute driver (KFD) does not accept this GPU, so ROCm has no device.",
        "内核的计算驱动（KFD）不接受这块 GPU，ROCm 没有设备可用。",
    ),
    effect=Words(
        "Display works; ROCm does not see this GPU, whatever is installed.",
        "显示正常；但无论安装什么，ROCm 都看不到这块 GPU。",
    ),
    fix=Words(
        "Use a GPU that KFD supports, or a newer kernel if a later KFD lists it; user space cannot help.",
        "使用 KFD 支持的 GPU；如果更新的 KFD 支持它，则换更新的内核；用户态软件无能为力。",
    ),
    follows=("kernel-too-old-for-gpu", "amdgpu-dkms-over-intree"),
    judge=judge,
    messages=MESSAGES,
)
