"""CUDA's memory device is not there."""

from __future__ import annotations

from ..facts.compute import tegra
from ..facts.model import Facts, Unknown
from ..words import Words
from ._containers import in_container, nvidia_start
from ._gpus import not_captured, of
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, NotKnown, Remedy, missing

NODE = "/dev/nvidia-uvm"


def judge(facts: Facts) -> Judgement:
    """Found if the driver is loaded and /dev/nvidia-uvm is known not to be there. In a container that has no NVIDIA
    node at all it is container-missing-gpu-devices."""
    if not of(facts, "nvidia"):
        return (not_captured(facts) if not facts.gpus else None) or CLEAR
    driver = facts.driver.nvidia
    here = {node.path for node in facts.access.nodes}
    if facts.virtual.wsl is True or driver.loaded is False or NODE in here or all(map(tegra, of(facts, "nvidia"))):
        return CLEAR
    if NODE not in facts.access.absent:
        return NotKnown((f"access.nodes (not-captured: {NODE})",))
    lacking = missing(("driver.nvidia.loaded", driver.loaded))
    if lacking or (in_container(facts) and "/dev/nvidiactl" not in here):
        return lacking or CLEAR
    return _found(facts)


def _found(facts: Facts) -> Found:
    uvm = facts.driver.nvidia.uvm
    shown = "unknown" if isinstance(uvm, Unknown) else str(uvm).lower()
    return Found(
        evidence=(Evidence("access.absent", NODE, "/dev"),
                  Evidence("driver.nvidia.uvm", shown, "/proc/modules")),
        # on a host the setuid nvidia-modprobe loads the module and makes the node when CUDA first starts
        severity=None if in_container(facts) else "degrading",
        remedy=(Remedy((), root=False, why=nvidia_start(facts)),) if in_container(facts) else _remedy(),
    )  # fmt: skip


def _remedy() -> tuple[Remedy, ...]:
    load = Words("Loads the module.", "加载模块。")
    make = Words("Makes the device node, as the driver's own helper does.", "用驱动自带的工具创建设备节点。")
    return (
        Remedy(("modprobe", "nvidia_uvm"), root=True, why=load),
        Remedy(("nvidia-modprobe", "-u", "-c", "0"), root=True, why=make),
    )


# messages
MESSAGES = (
    Message(r"/dev/nvidia-uvm'?:? {0,2}(?:No such file|cannot access|\(?No such device)", 0.9),
    Message(r"cannot access '/dev/nvidia-uvm'", 0.93),
    Message(r"(?i)nvidia-uvm.{0,60}(?:missing|not found|does not exist|no such file|failed to open)", 0.86),
    Message(r"could not insert '?nvidia[-_]uvm", 0.85, unless=("key-rejected",)),
    Message(r"Module nvidia[-_]uvm not found", 0.9),
    Message(r"error gathering device information while adding custom device \"/dev/nvidia-uvm\"", 0.9),
    Message(r"CUDA unknown error - this may be due to an incorrectly set up environment", 0.62, needs=("uvm-listed",), unless=("resumed", "wsl", "laptop")),
    Message(r"no uvm kernel module", 0.8),
)  # fmt: skip

CAUSE = Cause(
    id="nvidia-uvm-missing",
    family="driver",
    vendor="nvidia",
    severity="blocking",
    title=Words(
        "/dev/nvidia-uvm is missing: CUDA starts only if nvidia-modprobe makes it",
        "缺少 /dev/nvidia-uvm：只有 nvidia-modprobe 创建它，CUDA 才能启动",
    ),
    means=Words(
        "/dev/nvidia-uvm is missing (module not loaded or node not in the container), so CUDA cannot start "
        "while NVML works.",
        "缺少 /dev/nvidia-uvm（模块未加载，或容器里没有该节点），NVML 正常但 CUDA 无法启动。",
    ),
    effect=Words(
        "nvidia-smi works, but CUDA answers with an unknown error or no device.",
        "nvidia-smi 正常，但 CUDA 报未知错误或没有设备。",
    ),
    fix=Words(
        "modprobe nvidia_uvm (nvidia-modprobe -u) on the host; in containers pass the node or use --gpus or CDI.",
        "在主机上 modprobe nvidia_uvm（nvidia-modprobe -u）；容器中传入该节点，或用 --gpus、CDI。",
    ),
    follows=(
        "container-missing-gpu-devices",
        "nvidia-module-flavour-mismatch",
        "nvidia-driver-dropped-gpu",
        "nvidia-probe-failed",
    ),
    judge=judge,
    messages=MESSAGES,
)
