"""No amdgpu at all."""

from __future__ import annotations

from ..facts.model import Facts
from ..words import Words
from ._gpus import label
from ._packages import install, is_ubuntu, modprobe, plain
from ._serving import loaded, module_evidence, no_driver, rest, unserved
from .messages import Message
from .model import CLEAR, Cause, Found, Judgement, Remedy, missing


def judge(facts: Facts) -> Judgement:
    """Found if amdgpu is known not to be loaded and a GPU waits for it."""
    idle = unserved(facts, "amd")
    if not idle:
        return rest(facts, "amd")
    state = loaded(facts, "amd")
    if state is not False:
        return missing(("driver.amd.loaded", state)) or CLEAR
    return Found(
        evidence=(module_evidence(facts, "amd"), no_driver(facts, idle[0])),
        values={"gpu": label(idle[0])},
        remedy=(modprobe("amdgpu"), *_extra_modules(facts)),
    )


def _extra_modules(facts: Facts) -> tuple[Remedy, ...]:
    """Ubuntu's server and cloud kernels leave amdgpu to a package of its own."""
    release = plain(facts.kernel.release)
    if not release or not is_ubuntu(facts):
        return ()
    why = Words(
        "If modprobe finds no amdgpu: Ubuntu's slim kernels keep it in this package.",
        "如果 modprobe 找不到 amdgpu：Ubuntu 的精简内核把它放在这个包里。",
    )
    return (install(facts, why, debian=f"linux-modules-extra-{release}"),)


# messages
MESSAGES = (
    Message(r"ROCk module is NOT loaded, possibly no GPU devices", 0.72, unless=("wsl", "container", "nomodeset-words", "key-rejected")),
    Message(r"modprobe: FATAL: Module amdgpu not found in directory /lib/modules/(?P<kernel>\S{3,60})", 0.9, told=Words("There is no amdgpu module for kernel {kernel}.", "内核 {kernel} 没有 amdgpu 模块。")),
    Message(r"ERROR:root:Driver not initialized \(amdgpu not found in modules\)", 0.82, unless=("wsl", "container", "nomodeset-words", "key-rejected")),
    Message(r"AMDGPU driver is not loaded", 0.7, unless=("wsl", "container", "nomodeset-words", "key-rejected")),
    Message(r"(?i)amdgpu (?:driver|module) (?:is )?not (?:loaded|found|initialized)", 0.7, unless=("wsl", "container", "nomodeset-words", "key-rejected")),
    Message(r"AMDSMI_STATUS_(?:DRIVER_NOT_LOADED|DRM_ERROR)", 0.6, unless=("wsl", "container")),
)  # fmt: skip

CAUSE = Cause(
    id="amdgpu-driver-not-loaded",
    family="driver",
    vendor="amd",
    severity="blocking",
    title=Words("The amdgpu driver is not loaded, so nothing serves {gpu}", "amdgpu 驱动没有加载，{gpu} 没有驱动"),
    means=Words("The amdgpu kernel module is not loaded.", "没有加载 amdgpu 内核模块。"),
    effect=Words("There is no /dev/kfd and no render node.", "没有 /dev/kfd，也没有 render 节点。"),
    fix=Words(
        "Load it (modprobe amdgpu) and look in the kernel log if it refuses.",
        "加载它（modprobe amdgpu）；如果失败，查看内核日志。",
    ),
    follows=(
        "nomodeset-blocks-amdgpu", "amdgpu-blacklisted", "secure-boot-unsigned-module", "kernel-headers-missing",
        "dkms-build-fails-new-kernel", "gpu-bound-to-other-driver", "kernel-too-old-for-gpu",
    ),
    judge=judge,
    messages=MESSAGES,
)  # fmt: skip
