"""A kernel parameter that keeps amdgpu from binding."""

from __future__ import annotations

from ..facts.model import Facts
from ..words import Words
from ._cmdline import cmdline_evidence, parameter, remove
from ._gpus import label
from ._serving import no_driver, rest, unserved
from .model import CLEAR, Cause, Found, Judgement, missing


def judge(facts: Facts) -> Judgement:
    """Found if an AMD GPU has no driver and the kernel was started with nomodeset or amdgpu.modeset=0. NVIDIA's own
    driver computes all the same."""
    idle = unserved(facts, "amd")
    if not idle:
        return rest(facts, "amd")
    lacking = missing(("kernel.cmdline", facts.kernel.cmdline))
    if lacking:
        return lacking
    one = parameter(facts, "nomodeset") or parameter(facts, "amdgpu.modeset")
    if one is None or (one.name != "nomodeset" and one.value != "0"):
        return CLEAR
    why = Words(
        f"Takes {one.name} off the kernel command line, so that amdgpu may bind to the GPU.",
        f"从 kernel 命令行中去掉 {one.name}，让 amdgpu 可以绑定 GPU。",
    )
    return Found(
        evidence=(cmdline_evidence(one), no_driver(facts, idle[0])),
        values={"gpu": label(idle[0]), "parameter": one.name},
        remedy=remove(facts, one.name, why),
    )


CAUSE = Cause(
    id="nomodeset-blocks-amdgpu",
    family="kernel",
    vendor="both",
    severity="blocking",
    title=Words(
        "{parameter} on the kernel command line keeps amdgpu off {gpu}",
        "kernel 命令行中的 {parameter} 让 amdgpu 无法绑定 {gpu}",
    ),
    means=Words(
        "nomodeset on the kernel command line keeps the GPU driver from binding.",
        "kernel 命令行中的 nomodeset 让 GPU 驱动无法绑定。",
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
)
