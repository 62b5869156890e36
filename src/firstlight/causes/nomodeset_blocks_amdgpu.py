"""A kernel parameter that keeps amdgpu from binding."""

from __future__ import annotations

from ..facts.model import Facts, Gpu
from ..words import Words
from ._cmdline import cmdline_evidence, parameter, remove
from ._gpus import INSTINCT, label, of
from ._serving import no_driver, rest, runs_now, unserved
from .messages import Message
from .model import CLEAR, Cause, Found, Judgement, Severity, missing


def judge(facts: Facts) -> Judgement:
    """Found if the kernel was started with nomodeset or amdgpu.modeset=0 and there is an AMD GPU. amdgpu then refuses
    to bind (drm_firmware_drivers_only, amdgpu_drv.c) unless amdgpu.modeset=1 overrules it; NVIDIA's own driver computes
    all the same. Where the GPU is seen to be served nonetheless it does not block."""
    gpus = of(facts, "amd")
    if not gpus:
        return rest(facts, "amd")
    lacking = missing(("kernel.cmdline", facts.kernel.cmdline))
    if lacking:
        return lacking
    own = parameter(facts, "amdgpu.modeset")
    one = own if own and own.value == "0" else parameter(facts, "nomodeset")
    if one is None or (own and own.value == "1"):
        return CLEAR
    idle = unserved(facts, "amd")
    gpu = (idle or gpus)[0]
    why = Words(
        f"Takes {one.name} off the kernel command line, so that amdgpu may bind to the GPU.",
        f"从内核命令行中去掉 {one.name}，让 amdgpu 可以绑定 GPU。",
    )
    return Found(
        evidence=(cmdline_evidence(one), no_driver(facts, gpu)),
        values={"gpu": label(gpu), "parameter": one.name},
        severity=None if idle else _weight(facts, gpu),
        remedy=remove(facts, one.name, why),
    )


def _weight(facts: Facts, gpu: Gpu) -> Severity | None:
    """Newer kernels let it hold for displays only, so an Instinct may be served all the same."""
    if not runs_now(facts, "amd"):
        return None
    return "advice" if (gpu.target or "").startswith(INSTINCT) else "degrading"


# messages
MESSAGES = (
    Message(r"(?i)(?:command ?line|cmdline|BOOT_IMAGE=).{0,300}\bnomodeset\b", 0.93),
    Message(r"You have booted with nomodeset", 0.97),
    Message(r"VGACON disable amdgpu kernel modesetting", 0.95),
    Message(r"amdgpu: .{0,40}nomodeset", 0.93),
    Message(r"GRUB_CMDLINE_LINUX\S{0,20}=.{0,200}nomodeset", 0.9),
    Message(r"nomodeset parameter", 0.85),
)  # fmt: skip

CAUSE = Cause(
    id="nomodeset-blocks-amdgpu",
    family="kernel",
    vendor="both",
    severity="blocking",
    title=Words(
        "{parameter} on the kernel command line forbids amdgpu to bind {gpu}",
        "内核命令行中的 {parameter} 禁止 amdgpu 绑定 {gpu}",
    ),
    means=Words(
        "nomodeset on the kernel command line keeps the GPU driver from binding.",
        "内核命令行中的 nomodeset 让 GPU 驱动无法绑定。",
    ),
    effect=Words(
        "There is no /dev/kfd and no render node; every runtime says that there is no device.",
        "没有 /dev/kfd，也没有 render 节点；所有运行时都报告找不到设备。",
    ),
    fix=Words(
        "Remove nomodeset (grubby --remove-args, or GRUB's defaults and update-grub) and reboot.",
        "去掉 nomodeset（grubby --remove-args，或修改 GRUB 默认参数后 update-grub），然后重启。",
    ),
    judge=judge,
    messages=MESSAGES,
)
