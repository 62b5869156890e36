"""The open kernel module on a chip that needs the proprietary one, or the reverse."""

from __future__ import annotations

from ..facts.model import Facts, Gpu, Unknown
from ..words import Words
from ._boot import reboot
from ._gpus import evidence, label
from ._packages import install, is_ubuntu, plain
from ._serving import rest, unbound, unserved
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, Remedy, missing

FIRST_OPEN = 75
"""Turing has the GSP that the open module relies on (NVIDIA driver installation guide, kernel modules)."""
ONLY_OPEN = 100
"""Blackwell is served by the open module alone."""


def judge(facts: Facts) -> Judgement:
    """Found if NVIDIA's module is loaded, a GPU has no driver, and the module's flavour does not serve that chip."""
    idle = [gpu for gpu in unserved(facts, "nvidia") if unbound(gpu)]
    if not idle:
        return rest(facts, "nvidia")
    driver = facts.driver.nvidia
    if driver.loaded is False:
        return CLEAR
    lacking = missing(("driver.nvidia.loaded", driver.loaded), ("driver.nvidia.open", driver.open))
    if lacking or isinstance(driver.open, Unknown):
        return lacking or CLEAR
    wrong = [gpu for gpu in idle if _needs_open(gpu) not in (None, driver.open)]
    return _found(facts, wrong[0], is_open=driver.open) if wrong else CLEAR


def _needs_open(gpu: Gpu) -> bool | None:
    digits = (gpu.target or "").removeprefix("sm_").rstrip("af")
    if not digits.isdecimal() or len(digits) > 4:
        return None
    return True if int(digits) >= ONLY_OPEN else False if int(digits) < FIRST_OPEN else None


def _found(facts: Facts, gpu: Gpu, *, is_open: bool) -> Found:
    have = "open" if is_open else "proprietary"
    return Found(
        evidence=(Evidence("driver.nvidia.open", str(is_open).lower(), "/proc/driver/nvidia/version"),
                  evidence(facts, gpu), evidence(facts, gpu, "driver", "none")),
        values={"gpu": label(gpu), "have": have, "want": "proprietary" if is_open else "open"},
        remedy=(_other(facts, is_open=is_open), reboot()),
    )  # fmt: skip


def _other(facts: Facts, *, is_open: bool) -> Remedy:
    why = Words("Installs the other flavour of the driver.", "安装另一种驱动模块。")
    version = facts.driver.nvidia.version
    branch = plain(version).partition(".")[0] or "580"
    ubuntu = f"nvidia-driver-{branch}" if is_open else f"nvidia-driver-{branch}-open"
    debian = "nvidia-kernel-dkms" if is_open else "nvidia-open-kernel-dkms"
    return install(
        facts, why, debian=ubuntu if is_ubuntu(facts) else debian,
        fedora="akmod-nvidia" if facts.os.id == "fedora" else "",
        suse="nvidia-driver-G06-kmp-default" if is_open else "nvidia-open-driver-G06-signed-kmp-default",
        arch="nvidia-580xx-dkms" if is_open else "nvidia-open",
    )  # fmt: skip


# messages
MESSAGES = (
    Message(r"requires use of the NVIDIA open kernel modules", 0.95),
    Message(r"NVRM: .{0,80}installed in this system requires .{0,30}open", 0.93),
    Message(r"is not supported by open nvidia\.ko because it does not include the required GPU", 0.96),
    Message(r"NVRM: .{0,60}not supported by (?:the )?(?:NVIDIA )?(?:open|proprietary)", 0.9),
)  # fmt: skip

CAUSE = Cause(
    id="nvidia-module-flavour-mismatch",
    family="driver",
    vendor="nvidia",
    severity="blocking",
    title=Words(
        "{gpu} needs NVIDIA's {want} kernel module, and the {have} one is loaded",
        "{gpu} 需要 NVIDIA 的 {want} 内核模块，但加载的是 {have} 模块",
    ),
    means=Words(
        "NVIDIA's open kernel module serves Turing and later, its proprietary one nothing from Blackwell on.",
        "NVIDIA 的 open 内核模块只支持 Turing 及以后的芯片；proprietary 模块不支持 Blackwell 及以后。",
    ),
    effect=Words("The module is loaded, but the GPU has no driver.", "模块已加载，但 GPU 没有驱动。"),
    fix=Words(
        "Install the other flavour of the same driver and reboot.",
        "安装同一驱动的另一种模块，然后重启。",
    ),
    judge=judge,
    messages=MESSAGES,
)
