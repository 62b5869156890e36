"""An integrated GPU beside a discrete one, both seen by HIP."""

from __future__ import annotations

from ..facts.model import Facts, Gpu
from ..transcript.model import Hit
from ..words import Words
from ._environments import variable
from ._gpus import evidence, in_hip_order, label, no_gpu
from ._visibility import select
from .messages import Message, Seen
from .model import CLEAR, Cause, Found, Judgement, Known, NotKnown, Remedy, missing


def judge(facts: Facts) -> Judgement:
    """Found if ROCr lists both kinds and no variable leaves one kind only."""
    gpus = in_hip_order(facts)
    if not gpus:
        return no_gpu(facts)
    if not (any(gpu.apu for gpu in gpus) and any(gpu.apu is False for gpu in gpus)):
        return CLEAR
    lacking = missing(("environment", facts.environment))
    if lacking:
        return lacking
    left = _left(facts, gpus)
    if left is None:
        return NotKnown(("environment (devices named by UUID)",))
    if not (any(gpu.apu for gpu in left) and any(gpu.apu is False for gpu in left)):
        return CLEAR
    return _found(facts, gpus, next(gpu for gpu in left if gpu.apu))


def _left(facts: Facts, gpus: list[Gpu]) -> list[Gpu] | None:
    """What the variables leave; None where they name devices by UUID."""
    left = gpus
    for name in ("ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"):
        value = variable(facts, name)
        if value is None or (name == "CUDA_VISIBLE_DEVICES" and variable(facts, "HIP_VISIBLE_DEVICES") is not None):
            continue
        selection = select(value, len(left))
        if selection.named:
            return None
        left = [left[index] for index in selection.kept]
    return left


def _found(facts: Facts, gpus: list[Gpu], integrated: Gpu) -> Found:
    discrete = [str(at) for at, gpu in enumerate(gpus) if gpu.apu is False]
    keep = ",".join(discrete)
    why = Words(
        f"Set HIP_VISIBLE_DEVICES={keep} for the program, or disable the integrated GPU in firmware setup.",
        f"为程序设置 HIP_VISIBLE_DEVICES={keep}，或在固件设置中关闭集成 GPU。",
    )
    other = gpus[int(discrete[0])]
    return Found(
        evidence=(evidence(facts, integrated), evidence(facts, integrated, "apu", "true"), evidence(facts, other)),
        values={"gpu": label(integrated), "other": label(other), "keep": keep},
        remedy=(Remedy((), root=False, why=why),),
    )


# messages
def fails(hit: Hit, seen: Seen) -> bool:  # noqa: ARG001
    """Two GPUs that both work are no fault."""
    return seen.has("gpu-trouble", "invalid-function-words", "hang")


MESSAGES = (
    Message(r"Device (?P<index>\d): AMD Radeon(?:\(TM\)|\W{1,4})? (?:\d{3}M )?Graphics, (?P<gfx>gfx\w{3,5})", 0.72, needs=("two-devices",), unless=("igpu-hidden",), check=fails, told=Words("Device {index} is the processor's own {gfx}.", "设备 {index} 是处理器自带的 {gfx}。")),
    Message(r"found (?P<count>[2-9]) ROCm devices", 0.5, needs=("two-agents-igpu",), check=fails),
    Message(r"invalid device function", 0.86, needs=("two-agents-igpu",)),
    Message(r"current device: (?P<index>[1-9])", 0.82, needs=("invalid-function-words",), unless=("nvidia-card",), told=Words("It fails on device {index}, not on device 0.", "它在设备 {index} 上失败，而不是设备 0。")),
    Message(r"hipErrorNoBinaryForGpu", 0.84, needs=("two-agents-igpu",)),
    Message(r"Unable to find code object for all current devices", 0.85, needs=("two-agents-igpu",)),
    Message(r"for GPU arch ?: (?P<gfx>gfx(?:1036|1035|1103|90c|1037|1150|902|909))", 0.86, needs=("two-agents-igpu",), told=Words("It fails for the processor's own {gfx}.", "它在处理器自带的 {gfx} 上失败。")),
    Message(r"Memory access fault by GPU node-", 0.5, needs=("two-agents-igpu",)),
    Message(r"no kernel image is available for execution", 0.82, needs=("two-agents-igpu",)),
)  # fmt: skip

CAUSE = Cause(
    id="igpu-visible-to-hip",
    family="library",
    vendor="amd",
    severity="degrading",
    title=Words("HIP also sees the integrated {gpu} beside {other}", "HIP 除了 {other} 还看到集成的 {gpu}"),
    means=Words(
        "HIP also uses the processor's integrated GPU, for which the program has no code.",
        "HIP 也会用处理器的集成 GPU，而程序没有它的代码。",
    ),
    effect=Words(
        "The integrated GPU may become device 0; programs pick it, fail on it with invalid device code, or crash.",
        "集成 GPU 可能成为 0 号设备；程序选中它，因设备代码无效而失败或崩溃。",
    ),
    fix=Words(
        "Leave only the discrete GPU in ROCR_VISIBLE_DEVICES or HIP_VISIBLE_DEVICES (by UUID if possible), or disable "
        "the integrated one in firmware setup.",
        "在 ROCR_VISIBLE_DEVICES 或 HIP_VISIBLE_DEVICES 中只保留独立 GPU（最好用 UUID），或在固件设置中关闭集成 GPU。",
    ),
    known=(
        Known("https://github.com/ROCm/TheRock/issues/3392", first_seen="2026-02-12"),
        Known("https://github.com/ROCm/TheRock/issues/5543", first_seen="7.10.0", fixed_in="7.14.0"),
    ),
    judge=judge,
    messages=MESSAGES,
)
