"""A kernel built without AMD's compute driver."""

from __future__ import annotations

from ..facts.model import Facts
from ..words import Words
from ._gpus import evidence, label, of
from ._kernels import knows
from ._packages import debian_kernel, install
from ._serving import rest, severity_free
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, missing


def judge(facts: Facts) -> Judgement:
    """Found if amdgpu serves a GPU and there is no KFD class at all (CONFIG_HSA_AMD is off)."""
    bound = [gpu for gpu in of(facts, "amd") if gpu.driver == "amdgpu"]
    if not bound:
        return rest(facts, "amd")
    kfd = facts.driver.amd.kfd
    if kfd is not False:
        return missing(("driver.amd.kfd", kfd)) or CLEAR
    if all(knows(facts, gpu) is False for gpu in bound):
        return CLEAR  # no chip that this KFD would take: the kernel is too old
    why = Words(
        "Installs the distribution's usual kernel, which has AMD's compute driver.",
        "安装发行版的常规内核，其中带有 AMD 计算驱动。",
    )
    return Found(
        evidence=(Evidence("driver.amd.kfd", "false", "/sys/class/kfd"), evidence(facts, bound[0], "driver")),
        values={"gpu": label(bound[0])},
        severity="advice" if severity_free(facts, bound[0]) else None,
        remedy=(install(facts, why, debian=debian_kernel(facts),
                        fedora="kernel", suse="kernel-default", arch="linux"),),
    )  # fmt: skip


# messages
MESSAGES = (
    Message(r"# CONFIG_HSA_AMD is not set", 0.95),
    Message(r"CONFIG_HSA_AMD=n", 0.9),
)  # fmt: skip

CAUSE = Cause(
    id="kernel-without-kfd",
    family="kernel",
    vendor="amd",
    severity="blocking",
    title=Words("This kernel has no compute driver (KFD) for {gpu}", "这个内核没有 {gpu} 的计算驱动（KFD）"),
    means=Words(
        "The kernel was built without CONFIG_HSA_AMD: amdgpu drives the display, but there is no KFD.",
        "内核编译时没有打开 CONFIG_HSA_AMD：amdgpu 能驱动显示，但没有 KFD。",
    ),
    follows=("nomodeset-blocks-amdgpu", "amdgpu-blacklisted"),
    effect=Words("There is no /dev/kfd, so ROCm has no device.", "没有 /dev/kfd，ROCm 没有设备可用。"),
    fix=Words(
        "Use a kernel with CONFIG_HSA_AMD=y (those of the large distributions have it) or AMD's DKMS driver.",
        "使用带 CONFIG_HSA_AMD=y 的内核（主流发行版都有），或 AMD 的 DKMS 驱动。",
    ),
    judge=judge,
    messages=MESSAGES,
)
