"""No NVIDIA kernel module."""

from __future__ import annotations

from ..facts.model import Facts
from ..words import Words
from ._dkms import built
from ._gpus import label
from ._packages import modprobe, nvidia_driver
from ._serving import module_evidence, no_driver, rest, unserved
from .messages import Message
from .model import CLEAR, Cause, Found, Judgement, missing


def judge(facts: Facts) -> Judgement:
    """Found if NVIDIA's module is known not to be loaded and a GPU has no driver, or another one. Under WSL the
    driver is Windows's."""
    if facts.virtual.wsl is True:
        return CLEAR
    idle = unserved(facts, "nvidia")
    if not idle:
        return rest(facts, "nvidia")
    loaded = facts.driver.nvidia.loaded
    if loaded is not False:
        return missing(("driver.nvidia.loaded", loaded)) or CLEAR
    module = built(facts, "nvidia")
    return Found(
        evidence=(module_evidence(facts, "nvidia"), no_driver(facts, idle[0])),
        values={"gpu": label(idle[0])},
        remedy=(modprobe("nvidia"),) if module else (nvidia_driver(facts), modprobe("nvidia")),
    )


# messages
MESSAGES = (
    Message(r"NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver", 0.75, unless=("key-rejected", "nvrm-other-driver", "dkms-build-failed-words", "bus-gone", "amd-card-only")),
    Message(r"modprobe: FATAL: Module nvidia(?:-current)? not found in directory /lib/modules/(?P<kernel>\S{3,60})", 0.93, told=Words("There is no nvidia module for kernel {kernel}.", "内核 {kernel} 没有 nvidia 模块。")),
    Message(r"nvidia-smi: command not found", 0.72, needs=("nvidia-card",), unless=("container",)),
    Message(r"Command 'nvidia-smi' not found, but can be installed with", 0.8, unless=("amd-card-only",)),
    Message(r"libnvidia-ml\.so\S{0,4}: cannot open shared object file", 0.6, unless=("container", "amd-card-only", "nvidia-smi-works", "wsl")),
    Message(r"(?i)couldn't find libnvidia-ml\.so library in your system", 0.7, unless=("wsl",)),
    Message(r"nvidia-container-cli: initialization error: nvml error: driver not loaded", 0.9),
    Message(r"nvml error: driver not loaded", 0.9),
    Message(r"NVML: Driver Not Loaded", 0.9, unless=("key-rejected", "nvrm-other-driver")),
    Message(r"Found no NVIDIA driver on your system", 0.5, unless=("amd", "nvidia-smi-works", "container")),
    Message(r"Found no NVIDIA driver on your system", 0.76, needs=("nvidia-card", "nvidia-smi-failed"), unless=("amd-card", "key-rejected", "nvrm-other-driver", "container-no-gpu", "nvidia-smi-works")),
    Message(r"load library failed: libnvidia-ml\.so\.1", 0.8, unless=("wsl",)),
    Message(r"modprobe: ERROR: could not insert 'nvidia': No such device", 0.45, unless=("nvrm-other-driver", "key-rejected")),
)  # fmt: skip

CAUSE = Cause(
    id="nvidia-driver-not-loaded",
    family="driver",
    vendor="nvidia",
    severity="blocking",
    title=Words("The NVIDIA driver is not loaded, so nothing serves {gpu}", "NVIDIA 驱动没有加载，{gpu} 没有驱动"),
    means=Words("No NVIDIA kernel module is installed or loaded.", "没有安装或加载 NVIDIA 内核模块。"),
    effect=Words(
        "nvidia-smi cannot communicate with the driver, and CUDA finds no device.",
        "nvidia-smi 无法与驱动通信，CUDA 找不到设备。",
    ),
    fix=Words(
        "Install the distribution's or vendor's driver package for this kernel, then modprobe nvidia or reboot.",
        "安装发行版或厂商为此内核提供的驱动包，然后 modprobe nvidia 或重启。",
    ),
    follows=(
        "secure-boot-unsigned-module", "kernel-headers-missing", "dkms-build-fails-new-kernel",
        "gpu-bound-to-other-driver",
    ),
    judge=judge,
    messages=MESSAGES,
)  # fmt: skip
