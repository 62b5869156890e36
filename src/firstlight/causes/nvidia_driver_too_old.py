"""A driver from before the CUDA that torch is built for."""

from __future__ import annotations

from ..facts.compute import tegra
from ..facts.model import Environment, Facts, Unknown
from ..words import Words
from ._environments import each, not_of, path, torch_evidence
from ._gpus import not_captured, of
from ._packages import nvidia_driver
from .model import CLEAR, Cause, Evidence, Found, Judgement, Remedy, missing


def judge(facts: Facts) -> Judgement:
    """Found if the driver is below the lowest that the CUDA of an environment's torch runs with (minor version
    compatibility). With the forward compatibility libraries installed it is not known: they may bridge it."""
    if not of(facts, "nvidia"):
        return (not_captured(facts) if not facts.gpus else None) or CLEAR
    if facts.virtual.wsl is True or facts.driver.nvidia.loaded is False or all(map(tegra, of(facts, "nvidia"))):
        return CLEAR
    return each(facts, lambda environment: _judge(facts, environment))


def _judge(facts: Facts, environment: Environment) -> Judgement:
    from ..knowledge import drivers

    other = not_of(facts, environment, "cuda")
    if other or environment.torch is None:
        return other or CLEAR
    cuda, driver = environment.torch.backend_version, facts.driver.nvidia.version
    where = f"{path(facts, environment)}.torch.backend_version"
    lacking = missing((where, cuda), ("driver.nvidia.version", driver))
    if lacking:
        return lacking
    minimum = drivers.cuda_minimum(str(cuda))
    if minimum is None or drivers.at_least(str(driver), minimum):
        return CLEAR
    libraries = facts.driver.nvidia.libraries
    if not isinstance(libraries, Unknown) and any("compat" in one.path for one in libraries):
        return CLEAR  # cuda-compat is installed for this very purpose
    return Found(
        evidence=(Evidence("driver.nvidia.version", str(driver), "/proc/driver/nvidia/version"),
                  torch_evidence(facts, environment), Evidence(where, str(cuda), environment.path)),
        values={"driver": str(driver), "cuda": str(cuda), "minimum": minimum},
        remedy=(nvidia_driver(facts), Remedy((), root=False, why=_OLDER)),
    )  # fmt: skip


_OLDER = Words(
    "Or keep the driver and use a torch built for an older CUDA (`firstlight plan` shows which fit).",
    "或保留驱动，改用为旧版 CUDA 编译的 torch（`firstlight plan` 会列出合适的）。",
)

CAUSE = Cause(
    id="nvidia-driver-too-old",
    family="driver",
    vendor="nvidia",
    severity="blocking",
    title=Words(
        "The NVIDIA driver {driver} is too old for CUDA {cuda} (needs {minimum})",
        "NVIDIA 驱动 {driver} 对 CUDA {cuda} 来说太旧（需要 {minimum}）",
    ),
    means=Words(
        "The driver supports a lower CUDA version than the program was built for.",
        "驱动支持的 CUDA 版本低于程序编译所用的版本。",
    ),
    effect=Words(
        "torch says that the driver is too old and finds no GPU.",
        "torch 报告驱动太旧，找不到 GPU。",
    ),
    fix=Words(
        "Upgrade the driver (525 or later for CUDA 12, 580 for CUDA 13), or install the build for an older CUDA.",
        "升级驱动（CUDA 12 需 525 以上，CUDA 13 需 580 以上），或安装为旧版 CUDA 编译的版本。",
    ),
    judge=judge,
)
