"""User-space driver libraries of another version than the loaded module."""

from __future__ import annotations

from ..facts.model import Facts, Library, Unknown
from ..words import Words
from ._boot import reboot
from ._containers import in_container
from ._gpus import not_captured, of
from ._packages import nvidia_driver
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
)
