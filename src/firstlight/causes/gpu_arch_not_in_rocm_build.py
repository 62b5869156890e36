"""The ROCm torch has no machine code for this GPU."""

from __future__ import annotations

from ..facts.model import Environment, Facts, Gpu
from ..transcript.model import Hit
from ..words import Words
from ._builds import divide, in_doubt, library_evidence, runs, splits_device_code, targets
from ._environments import each, not_of, path, torch_evidence
from ._gpus import evidence, for_compute, label, no_gpu
from ._override import effective
from ._wheels import TORCH_FAMILY, TRITONS, install_rocm, uninstall
from .messages import Message, Seen
from .model import CLEAR, Cause, Evidence, Found, Judgement, Known, NotKnown


def judge(facts: Facts) -> Judgement:
    """Found if a build carries nothing that a GPU here can run, not even under the override that is set."""
    gpus = for_compute(facts, "amd")
    if not gpus:
        return no_gpu(facts)
    return each(facts, lambda environment: _in(facts, gpus, environment))


def _in(facts: Facts, gpus: list[Gpu], environment: Environment) -> Judgement:
    other = not_of(facts, environment, "rocm")
    if other or splits_device_code(environment):
        return other or CLEAR  # split wheels: device-wheel-missing judges them
    carried = targets(facts, environment, gpus)
    if isinstance(carried, NotKnown):
        return carried
    served, without = divide(gpus, lambda gpu: _served(facts, carried, gpu))
    if not without or (served and all(gpu.apu for gpu in without)):
        return CLEAR  # an integrated GPU beside one that works: igpu-visible-to-hip judges it
    gpu = without[0]
    if in_doubt(facts, environment, gpu):
        return NotKnown((f"{path(facts, environment)}.torch.targets (sources disagree on {gpu.target})",))
    has = Evidence("python.environments.torch.targets", " ".join(carried) or "none", environment.path)
    return Found(
        evidence=(
            evidence(facts, gpu),
            torch_evidence(facts, environment),
            has,
            *library_evidence(environment, lambda held: _served(facts, held, gpu)),
        ),
        values={"gpu": label(gpu), "torch": str(environment.torch and environment.torch.version)},
        severity="degrading" if served else None,
        remedy=(uninstall(environment, TORCH_FAMILY + TRITONS), install_rocm(environment, gpu)),
    )


def _served(facts: Facts, carried: list[str], gpu: Gpu) -> bool:
    names = {gpu.target, effective(facts, gpu)}
    return any(name and runs(carried, name) for name in names)


# messages
def arch_of(hit: Hit, seen: Seen) -> dict[str, str] | bool:
    """The chip that the text names, if it is one only."""
    named = {one for one in seen.values("gfx", "gfx") if not one.startswith("11-")}
    here = hit.values.get("gfx") or (next(iter(named)) if len(named) == 1 else None)
    return {"gfx": here if here.startswith("gfx") else f"gfx{here}"} if here else False


MESSAGES = (
    Message(r"HIP error: invalid device function", 0.92, unless=("two-agents-igpu", "device-wheel-words"), check=arch_of, told=Words("The build has no code for {gfx}.", "该构建没有 {gfx} 的代码。")),
    Message(r"HIP error: invalid device function", 0.9, unless=("two-agents-igpu", "device-wheel-words")),
    Message(r"hipErrorNoBinaryForGpu", 0.93, unless=("two-agents-igpu", "device-wheel-words"), check=arch_of, told=Words("The build has no code for {gfx}.", "该构建没有 {gfx} 的代码。")),
    Message(r"hipErrorNoBinaryForGpu", 0.92, unless=("two-agents-igpu", "device-wheel-words")),
    Message(r"hipErrorInvalidDeviceFunction", 0.88, unless=("two-agents-igpu", "device-wheel-words", "kpack")),
    Message(r"ROCm error: invalid device function", 0.84, unless=("two-agents-igpu",), doubts=("current-device",)),
    Message(r"Unable to find code object for all current devices", 0.92, unless=("two-agents-igpu",)),
    Message(r"HIP error: no kernel image is available for execution on the device", 0.9, unless=("two-agents-igpu", "device-wheel-words")),
    Message(r"no kernel image is available for execution on the device", 0.7, needs=("amd",), unless=("nvidia-card", "two-agents-igpu")),
    Message(r"No compatible code objects found for: (?P<gfx>gfx\w{3,5})", 0.95, told=Words("The build has no code for {gfx}.", "该构建没有 {gfx} 的代码。")),
    Message(r"no (?:binary|code object|kernel|device code) (?:is )?(?:available )?for (?:the )?(?:device|arch\w{0,8}|GPU|target)?:? ?(?P<gfx>gfx\w{3,5})", 0.88, told=Words("The build has no code for {gfx}.", "该构建没有 {gfx} 的代码。")),
    Message(r"(?i)amdgpu is not supported.{0,60}(?P<gfx>gfx\w{3,5})", 0.8, told=Words("{gfx} is not supported by this build.", "该构建不支持 {gfx}。")),
    Message(r"gpu_type=(?P<gfx>gfx\w{3,5}).{0,80}(?:not supported|unsupported)", 0.8),
    Message(r"(?P<gfx>gfx\w{3,5}) .{0,40}is not compatible with the current PyTorch", 0.9),
    Message(r"Cannot find (?:CO|code object) in the bundle .{0,200}for ISA: .{0,60}(?P<gfx>gfx\w{3,5})", 0.9, told=Words("The build has no code for {gfx}.", "该构建没有 {gfx} 的代码。")),
    Message(r"amdgpu \[\d{1,2}\] (?P<gfx>gfx\w{3,5}) is not supported by", 0.9, told=Words("{gfx} is not supported by this build.", "该构建不支持 {gfx}。")),
    Message(r"Unsupported GPU architecture", 0.5, needs=("amd",)),
)  # fmt: skip

CAUSE = Cause(
    id="gpu-arch-not-in-rocm-build",
    family="wheel",
    vendor="amd",
    severity="blocking",
    title=Words("torch {torch} has no code for {gpu}", "torch {torch} 不含 {gpu} 的代码"),
    means=Words("The ROCm torch has no machine code for this GPU.", "ROCm 版 torch 不含这块 GPU 的机器码。"),
    effect=Words(
        "is_available() may be True, yet the first kernel fails with “invalid device function”.",
        "is_available() 可能为 True，但第一个 kernel 就以 “invalid device function” 失败。",
    ),
    fix=Words(
        "Install a build that has this target: AMD's wheels with the device package of the GPU, or a newer index. "
        "HSA_OVERRIDE_GFX_VERSION to a target of the same family is a stopgap only.",
        "安装包含该目标的构建：AMD 的 wheel 加上本 GPU 的设备包，或更新的索引。"
        "用 HSA_OVERRIDE_GFX_VERSION 指到同一系列的目标只能应急。",
    ),
    known=(
        Known("https://github.com/ROCm/legacy-rocm-build/issues/5668", first_seen="2025-11-14"),
        Known("https://github.com/pytorch/pytorch/issues/132570"),
    ),
    follows=("mixed-rocm-index-versions",),
    judge=judge,
    messages=MESSAGES,
)
