"""A driver from before the CUDA that torch is built for."""

from __future__ import annotations

from ..facts.compute import tegra
from ..facts.model import Environment, Facts, Unknown
from ..transcript.model import Hit
from ..words import Words
from ._environments import each, not_of, path, torch_evidence
from ._gpus import not_captured, of
from ._packages import nvidia_driver
from .messages import Message, Seen
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


# messages
def cuda_of_number(hit: Hit, seen: Seen) -> dict[str, str]:
    """11040 is CUDA 11.4; `+cu121` of torch says what it needs."""
    number = int(hit.values["number"])
    built = seen.value("fp-cuda-torch", "cuda")
    needs = f"{built[:-1]}.{built[-1]}" if built else None
    return {"supports": f"{number // 1000}.{number % 1000 // 10}", "needed": f"; torch: CUDA {needs}" if needs else ""}


MESSAGES = (
    Message(r"NVIDIA driver on your system is too old \(found version (?P<number>\d{4,6})\)", 0.97, check=cuda_of_number, told=Words("The driver supports CUDA {supports}{needed}.", "驱动支持 CUDA {supports}{needed}。")),
    Message(r"CUDA driver version is insufficient for CUDA runtime version", 0.93),
    Message(r"cudaErrorInsufficientDriver", 0.9),
    Message(r"NVIDIA driver on your system is too old", 0.93),
    Message(r"unsatisfied condition: cuda ?>= ?(?P<cuda>\d{1,2}\.\d)", 0.94, told=Words("The image needs a driver for CUDA {cuda}.", "镜像需要支持 CUDA {cuda} 的驱动。")),
    Message(r"unsatisfied condition: (?:driver|brand)", 0.85),
    Message(r"the provided PTX was compiled with an unsupported toolchain", 0.9),
    Message(r"CUDA_ERROR_UNSUPPORTED_PTX_VERSION", 0.9),
    Message(r"cuda version (?P<cuda>\d{1,2}\.\d) .{0,30}(?:requires|needs) driver", 0.7),
    Message(r"(?:requires|needs) (?:NVIDIA )?driver (?:version )?(?:>=|at least|or newer|or later)? ?(?P<driver>\d{3}(?:\.\d{1,3}){0,2})", 0.7, told=Words("The driver {driver} is needed.", "需要驱动 {driver}。")),
    Message(r"CUDA initialization: The NVIDIA driver", 0.5),
    Message(r"driver too old", 0.7, needs=("nvidia-card",)),
    Message(r"XLA requires a newer CUDA driver", 0.8),
    Message(r"This container was built for NVIDIA Driver Release (?P<driver>\d{3}(?:\.\d{1,3}){0,2}) or later, but", 0.94, told=Words("The image needs driver {driver}.", "镜像需要驱动 {driver}。")),
)  # fmt: skip

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
    messages=MESSAGES,
)
