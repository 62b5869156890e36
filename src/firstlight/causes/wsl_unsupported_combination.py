"""ROCm under WSL in a way that is not supported."""

from __future__ import annotations

from ..facts.model import Environment, Facts, Unknown
from ..words import Words
from ._environments import path, torch_evidence, variable, variable_evidence
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, Remedy, missing

FIRST = "10.1"
"""ROCm that comes to the GPU through /dev/dxg by itself, with librocdxg (ROCm Core SDK 10.1.0 release notes)."""
DISTRIBUTIONS = ("ubuntu",)
"""WSL2 with Ubuntu 26.04, 24.04, 22.04 (ROCm documentation, os-support for 10.0.0)."""


def judge(facts: Facts) -> Judgement:
    """Found under WSL if a torch for ROCm is there and WSL is version 1, the distribution is not one AMD names, the
    ROCm is older than the one with librocdxg, or detection is turned off. Which card it is no file in WSL tells."""
    if facts.virtual.wsl is not True:
        return missing(("virtual.wsl", facts.virtual.wsl)) or CLEAR
    rocm = [one for one in facts.python.environments if one.torch and one.torch.backend == "rocm"]
    if not rocm:
        return CLEAR
    environment = next((one for one in rocm if one.active), rocm[0])
    reason = _reason(facts, environment)
    if reason is None:
        return CLEAR
    return Found(
        evidence=(Evidence("virtual.wsl", "true", "/proc/version"), torch_evidence(facts, environment), reason),
        values={"reason": f"{reason.fact} = {reason.value}"},
        severity=None if environment.active else "advice",
        remedy=(Remedy((), root=False, why=_WHY),),
    )


def _reason(facts: Facts, environment: Environment) -> Evidence | None:
    from ..knowledge.versions import version_key

    switch = variable(facts, "HSA_ENABLE_DXG_DETECTION")
    if facts.virtual.wsl_version == 1:
        return Evidence("virtual.wsl_version", "1", "/proc/version")
    if switch == "0":
        return variable_evidence("HSA_ENABLE_DXG_DETECTION", switch)
    if isinstance(facts.os.id, str) and facts.os.id not in DISTRIBUTIONS:
        return Evidence("os.id", facts.os.id, "/etc/os-release")
    version = environment.torch.backend_version if environment.torch else ""
    if not isinstance(version, Unknown) and version_key(version) and version_key(version) < version_key(FIRST):
        return Evidence(f"{path(facts, environment)}.torch.backend_version", version, environment.path)
    return None


_WHY = Words(
    "Use WSL 2 with Ubuntu, AMD's Windows driver, and a torch for ROCm 10.1 or newer (or what AMD's WSL guide "
    "names for the "
    "card); or native Linux.",
    "使用 WSL 2 + Ubuntu、AMD 的 Windows 驱动，以及 ROCm 10.1 或更新版本的 torch（或 AMD WSL 指南为该显卡列出的版本）；"
    "或使用原生 Linux。",
)

# messages
MESSAGES = (
    Message(r"WSL environment detected", 0.62, needs=("hsa-out-of-resources", "wsl-gpu-unsupported", "no-hip-gpu"), helps=("wsl-gpu-unsupported",)),
    Message(r"ROCR: unsupported GPU", 0.95),
    Message(r"HSA_STATUS_ERROR_OUT_OF_RESOURCES", 0.85, needs=("wsl",)),
    Message(r"/dev/dxg", 0.5, needs=("no-hip-gpu", "kfd-absent")),
    Message(r"No WDDM adapters found", 0.92),
    Message(r"Unable to open /dev/kfd read-write: No such file", 0.84, needs=("wsl",)),
    Message(r"ROCk module is NOT loaded", 0.84, needs=("wsl",)),
    Message(r"No HIP GPUs are available", 0.72, needs=("wsl",)),
    Message(r"hsa_init.{0,40}(?:failed|error)", 0.7, needs=("wsl",)),
)  # fmt: skip

CAUSE = Cause(
    id="wsl-unsupported-combination",
    family="virtualisation",
    vendor="amd",
    severity="blocking",
    title=Words("ROCm does not run in this WSL as it is ({reason})", "ROCm 无法在当前 WSL 中运行（{reason}）"),
    means=Words(
        "ROCm under WSL supports only certain pairs of release and GPU, and this is not one.",
        "ROCm 在 WSL 下只支持特定的版本与 GPU 组合，当前不在其中。",
    ),
    effect=Words(
        "rocminfo and torch find no GPU: /dev/kfd never exists under WSL, /dev/dxg needs the right runtime.",
        "rocminfo 和 torch 找不到 GPU：WSL 中没有 /dev/kfd，/dev/dxg 需要合适的运行时。",
    ),
    fix=Words(
        "Install the release the WSL guide names for the card (with its Windows driver), or use native Linux.",
        "安装 WSL 指南为该显卡指定的版本（及其 Windows 驱动），或使用原生 Linux。",
    ),
    judge=judge,
    messages=MESSAGES,
)
