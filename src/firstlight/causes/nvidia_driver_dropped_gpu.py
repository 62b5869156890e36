"""A driver that no longer serves an old chip."""

from __future__ import annotations

from ..facts.model import Facts, Gpu
from ..words import Words
from ._boot import reboot
from ._gpus import evidence, label
from ._packages import install, is_ubuntu
from ._serving import rest, severity_free, unbound
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, Remedy, missing


def judge(facts: Facts) -> Judgement:
    """Found if NVIDIA's module is loaded, a GPU has no driver, and the module's branch is past the last that served
    the chip (NVIDIA's own lists, knowledge/nvidia/chips.toml)."""
    idle = [gpu for gpu in facts.gpus if gpu.vendor == "nvidia" and unbound(gpu)]
    driver = facts.driver.nvidia
    if not idle or driver.loaded is False:
        return CLEAR if facts.gpus else rest(facts, "nvidia")
    lacking = missing(("driver.nvidia.loaded", driver.loaded), ("driver.nvidia.version", driver.version))
    if lacking:
        return lacking
    for gpu in idle:
        last = _last_branch(gpu)
        if last and _branch(str(driver.version)) > _branch(last):
            return _found(facts, gpu, last)
    return CLEAR


def _last_branch(gpu: Gpu) -> str | None:
    from ..knowledge import chips

    digits = (gpu.device_id or "").partition(":")[2]
    try:
        chip = chips.nvidia_by_device(int(digits, 16))
    except ValueError:
        return None
    return chip.last_driver if chip else None


def _branch(version: str) -> int:
    digits = version.partition(".")[0]
    return int(digits) if digits.isdecimal() and len(digits) < 6 else 0


def _found(facts: Facts, gpu: Gpu, last: str) -> Found:
    version = str(facts.driver.nvidia.version)
    why = Words(f"Installs the last branch that serves it, {last}.", f"安装支持它的最后一个驱动分支 {last}。")
    ubuntu = f"nvidia-driver-{last}" if is_ubuntu(facts) else ""
    fedora = f"akmod-nvidia-{last}xx" if facts.os.id == "fedora" else ""
    debian = ubuntu or f"nvidia-tesla-{last}-driver"
    step = install(facts, why, debian=debian, fedora=fedora, arch=f"nvidia-{last}xx-dkms")
    return Found(
        evidence=(
            Evidence("driver.nvidia.version", version, "/proc/driver/nvidia/version"),
            evidence(facts, gpu, "device_id"),
            evidence(facts, gpu, "driver", "none"),
        ),
        values={"gpu": label(gpu), "version": version, "last": last},
        severity="advice" if severity_free(facts, gpu) else None,
        remedy=(step, Remedy((), root=False, why=_TORCH), reboot()),
    )


_TORCH = Words(
    "Then take a torch that still has code for the chip (CUDA 12.6 builds have Maxwell to Volta).",
    "然后使用仍带有该芯片代码的 torch（CUDA 12.6 版本包含 Maxwell 到 Volta）。",
)

# messages
MESSAGES = (
    Message(r"NVIDIA (?P<legacy>\d{3})\.xx Legacy driver", 0.8, told=Words("The card needs the {legacy}.xx legacy driver.", "该卡需要 {legacy}.xx 旧版驱动。")),
    Message(r"is supported through the NVIDIA (?P<legacy>\d{3})\.xx Legacy drivers", 0.95, told=Words("The card needs the {legacy}.xx legacy driver.", "该卡需要 {legacy}.xx 旧版驱动。")),
    Message(r"ignoring (?:the )?legacy GPU\(?s?\)?", 0.9),
    Message(r"is not supported by the \d{3}\.\S{2,10} NVIDIA driver release", 0.85),
)  # fmt: skip

CAUSE = Cause(
    id="nvidia-driver-dropped-gpu",
    family="driver",
    vendor="nvidia",
    severity="blocking",
    title=Words(
        "NVIDIA driver {version} no longer serves {gpu} (last branch: {last})",
        "NVIDIA 驱动 {version} 不再支持 {gpu}（最后的分支：{last}）",
    ),
    means=Words(
        "The loaded NVIDIA driver is of a branch that no longer serves this generation of GPUs.",
        "已加载的 NVIDIA 驱动所属分支不再支持这一代 GPU。",
    ),
    effect=Words("The module is loaded, but the GPU has no driver.", "模块已加载，但 GPU 没有驱动。"),
    fix=Words(
        "Install the last driver branch that serves the chip and a torch that still has code for it.",
        "安装支持该芯片的最后一个驱动分支，以及仍带有其代码的 torch。",
    ),
    judge=judge,
    messages=MESSAGES,
)
