"""Wheels of ROCm 7.14 and later without the device package of this GPU."""

from __future__ import annotations

from ..facts.model import Environment, Facts, Gpu
from ..words import Words
from ._builds import (
    DEVICE_PREFIXES,
    covers,
    device_packages,
    divide,
    rocm_suffix,
    splits_device_code,
    without_target,
)
from ._environments import each, interpreter, not_of, torch_evidence
from ._gpus import evidence, for_compute, label, no_gpu
from ._override import effective
from ._wheels import amd_index
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, Known, Remedy


def judge(facts: Facts) -> Judgement:
    """Found if a split build lacks the package of the SDK or of torch for a GPU here."""
    gpus = for_compute(facts, "amd")
    if not gpus:
        return no_gpu(facts)
    return each(facts, lambda environment: _in(facts, gpus, environment))


def _in(facts: Facts, gpus: list[Gpu], environment: Environment) -> Judgement:
    other = not_of(facts, environment, "rocm")
    if other or not splits_device_code(environment):
        return other or CLEAR
    lacking = without_target(facts, gpus)
    if lacking:
        return lacking
    served, without = divide(gpus, lambda gpu: _served(facts, environment, gpu))
    if not without or (served and all(gpu.apu for gpu in without)):
        return CLEAR
    gpu = without[0]
    installed = " ".join(device_packages(environment)) or "none"
    has = Evidence("python.environments.distributions (device packages)", installed, environment.path)
    return Found(
        evidence=(evidence(facts, gpu), torch_evidence(facts, environment), has),
        values={"gpu": label(gpu), "package": f"amd-torch-device-{gpu.target}"},
        severity="degrading" if served else None,
        remedy=(_install(environment, gpu),),
    )


def _served(facts: Facts, environment: Environment, gpu: Gpu) -> bool:
    names = [name for name in (gpu.target, effective(facts, gpu)) if name]
    return any(_complete(environment, name) for name in names)


def _complete(environment: Environment, target: str) -> bool:
    packages = device_packages(environment)
    return all(
        any(one.startswith(prefix) and covers(one.removeprefix(prefix), target) for one in packages)
        for prefix in DEVICE_PREFIXES
    )


def _install(environment: Environment, gpu: Gpu) -> Remedy:
    version = environment.torch.version if environment.torch else ""
    index = amd_index(rocm_suffix(version) or "")
    wanted = f"torch[device-{gpu.target}]=={version}"
    argv = ("uv", "pip", "install", "--python", interpreter(environment), "--index-url", index, wanted)
    why = Words(
        "Adds the device packages of this GPU in the version of the torch that is installed.",
        "按已装 torch 的版本补装本机 GPU 的设备包。",
    )
    return Remedy(argv, root=False, why=why)


# messages
MESSAGES = (
    Message(r"hipErrorInvalidImage", 0.86, unless=("kpack-xnack",), needs=("device-wheels",)),
    Message(r"hipErrorInvalidImage", 0.6, unless=("kpack-xnack", "device-wheels")),
    Message(r"HIP error: device kernel image is invalid", 0.88, unless=("kpack-xnack",), helps=("device-wheels",)),
    Message(r"device kernel image is invalid", 0.78, needs=("amd",), unless=("kpack-xnack",), helps=("device-wheels",)),
    Message(r"(?:rocm-sdk-device|amd-torch-device)[\w-]{0,30}.{0,60}(?:not (?:installed|found)|missing|No matching)", 0.9),
    Message(r"rocm_sdk_device\S{0,30}.{0,40}(?:No module named|not found)", 0.85),
    Message(r"No module named 'rocm_sdk_device", 0.9),
    Message(r"No kpack archive found", 0.85),
    Message(r"(?i)kpack.{0,60}(?:not found|missing|no such file|cannot open).{0,60}", 0.72, unless=("kpack-xnack",)),
)  # fmt: skip

CAUSE = Cause(
    id="device-wheel-missing",
    family="wheel",
    vendor="amd",
    severity="blocking",
    title=Words("The device package for {gpu} is not installed ({package})", "没有安装 {gpu} 的设备包（{package}）"),
    means=Words(
        "AMD's wheels of ROCm 7.14 and 10 keep device code apart, and the package for this GPU is not installed.",
        "AMD 的 ROCm 7.14 和 10 的 wheel 把设备代码分开放，而这块 GPU 的包没有装。",
    ),
    effect=Words(
        "is_available() is True, and the first kernel fails with hipErrorInvalidImage.",
        "is_available() 为 True，但第一个 kernel 就以 hipErrorInvalidImage 失败。",
    ),
    fix=Words(
        "Install with the device extra of the GPU, e.g. torch[device-gfx1151], from the same index in the "
        "same version.",
        "用 GPU 对应的 extra 安装，例如 torch[device-gfx1151]，索引和版本都与原来相同。",
    ),
    follows=("mixed-rocm-index-versions",),
    known=(
        Known("https://github.com/ROCm/TheRock/issues/7839", first_seen="10.0.0"),
        Known("https://github.com/astral-sh/uv/pull/21683", first_seen="2026-09-14"),
    ),
    judge=judge,
    messages=MESSAGES,
)
