"""Device code for another xnack mode than the GPU runs in."""

from __future__ import annotations

from ..facts.model import Environment, Facts, Gpu
from ..words import Words
from ._builds import targets
from ._environments import each, not_of, torch_evidence, variable, variable_evidence
from ._gpus import evidence, for_compute, label, no_gpu
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, Known, NotKnown, Remedy, missing


def judge(facts: Facts) -> Judgement:
    """Found if a build carries this target only for the other xnack mode. HSA_XNACK=1 turns the mode on, unset or 0
    leaves it off (ROCr environment variables)."""
    gpus = for_compute(facts, "amd")
    if not gpus:
        return no_gpu(facts)
    return missing(("environment", facts.environment)) or each(facts, lambda one: _in(facts, gpus, one))


def _in(facts: Facts, gpus: list[Gpu], environment: Environment) -> Judgement:
    other = not_of(facts, environment, "rocm")
    if other:
        return other
    carried = targets(facts, environment, gpus)
    if isinstance(carried, NotKnown):
        return carried
    on = (variable(facts, "HSA_XNACK") or "0").strip() == "1"
    for gpu in gpus:
        mine = [one for one in carried if one.split(":")[0] == gpu.target]
        if mine and all((":xnack-" if on else ":xnack+") in one for one in mine):
            return _found(facts, environment, gpu, mine, on=on)
    return CLEAR


def _found(facts: Facts, environment: Environment, gpu: Gpu, mine: list[str], *, on: bool) -> Found:
    has = Evidence("python.environments.torch.targets", " ".join(mine), environment.path)
    setting = variable(facts, "HSA_XNACK")
    shown = (variable_evidence("HSA_XNACK", setting),) if setting is not None else ()
    why = (
        Words("Unset HSA_XNACK: this build has code for xnack- only.", "取消 HSA_XNACK：这个构建只有 xnack- 的代码。")
        if on
        else Words(
            "Set HSA_XNACK=1: this build has code for xnack+ only.", "设置 HSA_XNACK=1：这个构建只有 xnack+ 的代码。"
        )
    )
    return Found(
        evidence=(evidence(facts, gpu), torch_evidence(facts, environment), has, *shown),
        values={"gpu": label(gpu), "build": "xnack-" if on else "xnack+", "mode": "xnack+" if on else "xnack-"},
        remedy=(Remedy((), root=False, why=why),),
    )


# messages
MESSAGES = (
    Message(r"(?P<archive>\S{0,60}gfx\w{3,5}[:_-]xnack[+-]\S{0,20}\.kpack)", 0.86, told=Words("The archive is {archive}.", "归档是 {archive}。")),
    Message(r"\.kpack.{0,120}xnack", 0.85),
    Message(r"xnack[+-].{0,120}\.kpack", 0.85),
    Message(r"(?i)xnack.{0,60}(?:mismatch|does not match|incompatible|not supported)", 0.72),
    Message(r"HIP error: device kernel image is invalid", 0.8, needs=("kpack-xnack",)),
    Message(r"hipErrorInvalidImage", 0.8, needs=("kpack-xnack",)),
    Message(r"HSA_XNACK=(?P<xnack>[01])", 0.6, needs=("invalid-image-words",)),
)  # fmt: skip

CAUSE = Cause(
    id="xnack-kpack-mismatch",
    family="wheel",
    vendor="amd",
    severity="blocking",
    title=Words(
        "The build has {build} code only, {gpu} runs in {mode} mode", "构建只有 {build} 代码，而 {gpu} 处于 {mode} 模式"
    ),
    means=Words(
        "The device archive is named or built for another xnack mode than the GPU runs in, so its kernels "
        "are not found.",
        "设备代码包的命名或构建对应另一种 xnack 模式，与 GPU 当前模式不同，因此找不到 kernel。",
    ),
    effect=Words(
        "Kernels fail with an invalid image although the device code is installed.",
        "设备代码虽然装了，kernel 仍报 设备映像无效。",
    ),
    fix=Words(
        "Match HSA_XNACK (0 or 1) to the build, or install device wheels of a version with both modes or "
        "neither suffix.",
        "让 HSA_XNACK（0 或 1）与构建一致，或安装两种模式都有、或不带后缀的设备 wheel 版本。",
    ),
    known=(Known("https://github.com/ROCm/TheRock/issues/7081", first_seen="torch 2.12"),),
    judge=judge,
    messages=MESSAGES,
)
