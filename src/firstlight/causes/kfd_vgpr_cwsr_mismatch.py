"""Kernel and ROCm that do not fit each other on gfx1151."""

from __future__ import annotations

from ..facts.model import Facts, Gpu, Unknown
from ..words import Words
from ._gpus import evidence, label, not_captured, of
from ._kernel_pairs import Runtime, newer_kernel, newer_rocm, runtimes, verdict
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, Known, NotKnown, Severity, missing


def judge(facts: Facts) -> Judgement:
    """By AMD's table of kernels and ROCm releases (knowledge/kernels.toml). Found for a kernel without the fixes, and
    for a kernel with them under a ROCm that breaks on it."""
    from ..knowledge import rules

    gpus = [gpu for gpu in of(facts, "amd") if gpu.target and (rule := rules.kernel_minimum(gpu.target)) and rule.pairs]
    if not gpus:
        return (not_captured(facts) if not facts.gpus else None) or CLEAR
    gpu, release = gpus[0], facts.kernel.release
    if isinstance(release, Unknown):
        return missing(("kernel.release", release)) or CLEAR
    if facts.driver.amd.kind == "dkms":
        return NotKnown(("driver.amd.version (no rule for AMD's DKMS driver)",))
    os_id = facts.os.id if isinstance(facts.os.id, str) else None
    version_id = facts.os.version_id if isinstance(facts.os.version_id, str) else None
    fixed = rules.kernel_fixed(str(gpu.target), release, os_id=os_id, version_id=version_id)
    if fixed is None:
        return NotKnown((f"kernel.release (no rule for {release} on this release of the distribution)",))
    failing = [one for one in runtimes(facts) if verdict(gpu, one, fixed=fixed) == "fails"]
    if failing:
        return _found(facts, gpu, failing[0], fixed=fixed)
    mitigated = facts.driver.amd.parameters.get("cwsr_enable") == "0"
    return CLEAR if fixed or mitigated else _found(facts, gpu, None, fixed=False)


def _found(facts: Facts, gpu: Gpu, runtime: Runtime | None, *, fixed: bool) -> Found:
    release = str(facts.kernel.release)
    proof = () if runtime is None else (Evidence(runtime.fact, runtime.version, runtime.source),)
    severity: Severity | None = None
    if runtime is not None:
        severity = "blocking" if runtime.active else "advice"
    return Found(
        evidence=(Evidence("kernel.release", release, "/proc/sys/kernel/osrelease"), *proof, evidence(facts, gpu)),
        values={"gpu": label(gpu), "release": release, "rocm": f"ROCm {runtime.version}" if runtime else "ROCm"},
        severity=severity,
        remedy=newer_rocm() if fixed else newer_kernel(facts),
    )


# messages
MESSAGES = (
    Message(r"MES failed to respond to msg=(?P<msg>[A-Z_]{3,40})", 0.66, needs=("gfx1151",), unless=("bad-mes-words", "override"), helps=("evict-failed",), told=Words("MES does not answer {msg}.", "MES 不响应 {msg}。")),
    Message(r"(?:MES might be in unrecoverable state|MES ring buffer is full)", 0.6, needs=("gfx1151",), unless=("bad-mes-words",)),
    Message(r"(?i)failed to evict (?:the )?(?:process )?queues?", 0.6, needs=("gfx1151",), unless=("bad-mes-words",)),
    Message(r"Failed to quiesce KFD", 0.6, needs=("gfx1151",), unless=("bad-mes-words",)),
    Message(r"Resetting wave fronts \((?:nocpsch|cpsch)\) on dev", 0.55, needs=("gfx1151",), unless=("bad-mes-words",)),
    Message(r"amdgpu\.cwsr_enable=0", 0.72, unless=("bad-mes-words",)),
    Message(r"cwsr", 0.5, needs=("gfx1151",)),
    Message(r"amdgpu: failed to remove hardware queue from MES", 0.68, needs=("gfx1151",), unless=("bad-mes-words",)),
    Message(r"amdgpu: failed to (?:add|remove|suspend|unmap) .{0,30}MES", 0.62, needs=("gfx1151",), unless=("bad-mes-words",)),
)  # fmt: skip

CAUSE = Cause(
    id="kfd-vgpr-cwsr-mismatch",
    family="kernel",
    vendor="amd",
    severity="degrading",
    title=Words(
        "Kernel {release} and {rocm} do not fit each other on {gpu}", "在 {gpu} 上，内核 {release} 与 {rocm} 不匹配"
    ),
    means=Words(
        "Kernel and runtime size the register save area of this GPU wrongly, so it hangs when waves are saved.",
        "内核与运行时对这块 GPU 的寄存器保存区大小算得不一致，保存 wave 时会卡死。",
    ),
    effect=Words(
        "Under compute load the GPU hangs now and then: MES does not answer, page faults, a reset; or it "
        "crashes at once.",
        "计算负载下 GPU 会不时卡死：MES 无响应、缺页、复位；或者一开始就崩溃。",
    ),
    fix=Words(
        "Move both: a kernel with the fix (6.18.4 or a distribution's backport) and ROCm 7.2.1 or newer; until then "
        "amdgpu.cwsr_enable=0.",
        "两边一起升级：带修复的内核（6.18.4 或发行版回移版本）和 ROCm 7.2.1 以上；在此之前用 amdgpu.cwsr_enable=0。",
    ),
    known=(Known("https://github.com/ROCm/legacy-rocm-build/issues/5590", fixed_in="Linux 6.18.4, ROCm 7.2.1"),),
    follows=("kernel-too-old-for-gpu",),
    judge=judge,
    messages=MESSAGES,
)
