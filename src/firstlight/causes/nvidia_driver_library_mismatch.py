"""User-space driver libraries of another version than the loaded module."""

from __future__ import annotations

from ..facts.model import Facts, Library, Unknown
from ..words import Words
from ._boot import reboot
from ._containers import in_container
from ._gpus import not_captured, of
from ._packages import nvidia_driver
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, Remedy, missing


def judge(facts: Facts) -> Judgement:
    """Found if every copy of libcuda or of libnvidia-ml differs from the module that is loaded. The forward
    compatibility package (cuda-compat) is meant to differ; under WSL the numbers are Windows's."""
    if not of(facts, "nvidia"):
        return (not_captured(facts) if not facts.gpus else None) or CLEAR
    driver = facts.driver.nvidia
    if facts.virtual.wsl is True or driver.loaded is False:
        return CLEAR
    lacking = missing(("driver.nvidia.version", driver.version), ("driver.nvidia.libraries", driver.libraries))
    if lacking or isinstance(driver.libraries, Unknown):
        return lacking or CLEAR
    module = str(driver.version)
    for name in ("libcuda.so", "libnvidia-ml.so"):
        copies = [one for one in driver.libraries if f"/{name}" in one.path and "compat" not in one.path]
        if copies and all(one.version != module for one in copies):
            return _found(facts, module, copies[0])
    return CLEAR


def _found(facts: Facts, module: str, library: Library) -> Found:
    return Found(
        evidence=(Evidence("driver.nvidia.version", module, "/proc/driver/nvidia/version"),
                  Evidence("driver.nvidia.libraries", library.version, library.path)),
        values={"module": module, "library": library.version},
        remedy=_remedy(facts),
    )  # fmt: skip


def _remedy(facts: Facts) -> tuple[Remedy, ...]:
    if in_container(facts):
        why = Words(
            "Take the driver libraries out of the image; the engine brings the host's in (--gpus, CDI).",
            "从镜像中去掉驱动库；容器引擎会带入主机的（--gpus、CDI）。",
        )
        return (Remedy((), root=False, why=why),)
    return (nvidia_driver(facts), reboot())


# messages
MESSAGES = (
    Message(r"Driver/library version mismatch", 0.97),
    Message(r"NVRM: API mismatch: the client has (?:the )?version (?P<client>[\d.]{3,12})", 0.97, told=Words("The libraries are {client}, the loaded module is another version.", "库是 {client}，加载的模块是另一版本。")),
    Message(r"API mismatch: (?:the )?(?:NVIDIA )?(?:kernel module|client)", 0.94),
    Message(r"NVRM: .{0,40}this kernel module has the version (?P<module>[\d.]{3,12})", 0.94, told=Words("The loaded module is {module}.", "加载的模块是 {module}。")),
    Message(r"system has unsupported display driver / cuda driver combination", 0.86),
    Message(r"cudaErrorSystemDriverMismatch", 0.85),
    Message(r"NVML: Driver/library", 0.95),
    Message(r"kernel version (?P<module>[\d.]{3,12}) does not match DSO version (?P<client>[\d.]{3,12})", 0.95, told=Words("The module is {module}, the library {client}.", "模块是 {module}，库是 {client}。")),
    Message(r"LIB_RM_VERSION_MISMATCH", 0.94),
)  # fmt: skip

CAUSE = Cause(
    id="nvidia-driver-library-mismatch",
    family="driver",
    vendor="nvidia",
    severity="blocking",
    title=Words(
        "The loaded NVIDIA module is {module}, the driver libraries are {library}",
        "已加载的 NVIDIA 模块是 {module}，驱动库是 {library}",
    ),
    means=Words(
        "The loaded kernel module and the user-space driver libraries have different versions.",
        "已加载的内核模块与用户态驱动库版本不同。",
    ),
    effect=Words(
        "nvidia-smi and CUDA stop with “Driver/library version mismatch”. Usually an upgrade without a reboot.",
        "nvidia-smi 和 CUDA 报 “Driver/library version mismatch”。通常是升级后没有重启。",
    ),
    fix=Words(
        "Finish the package upgrade, then unload and reload the nvidia modules or reboot. Ship no driver "
        "libraries in images.",
        "完成软件包升级，然后卸载并重新加载 nvidia 模块，或重启。镜像中不要带驱动库。",
    ),
    judge=judge,
    messages=MESSAGES,
)
