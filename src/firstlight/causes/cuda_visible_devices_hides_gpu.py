"""CUDA_VISIBLE_DEVICES leaves no GPU."""

from __future__ import annotations

from ..facts.model import Facts
from ..transcript.model import Hit
from ..words import Words
from ._environments import variable, variable_evidence
from ._gpus import in_hip_order, no_gpu, of
from ._visibility import of_none, select
from .messages import Message, Seen
from .model import CLEAR, Cause, Evidence, Found, Judgement, Remedy, Severity, missing

NAME = "CUDA_VISIBLE_DEVICES"


def judge(facts: Facts) -> Judgement:
    """Found if the list selects nothing or ends early, or a container asked its runtime for no GPU. On AMD GPUs torch
    and HIP read it only where neither HIP_VISIBLE_DEVICES nor ROCR_VISIBLE_DEVICES is set."""
    nvidia, amd = of(facts, "nvidia"), of(facts, "amd")
    if not nvidia and not amd:
        return no_gpu(facts)
    lacking = missing(("environment", facts.environment))
    if lacking:
        return lacking
    if nvidia:
        usable = [gpu for gpu in nvidia if gpu.usable is not False]
        return _of_container(facts) or _of_list(facts, len(usable) or None)
    if variable(facts, "HIP_VISIBLE_DEVICES") is not None or variable(facts, "ROCR_VISIBLE_DEVICES") is not None:
        return CLEAR
    return _of_list(facts, len(in_hip_order(facts)) or None)


def _of_container(facts: Facts) -> Judgement | None:
    asked = variable(facts, "NVIDIA_VISIBLE_DEVICES")
    inside = isinstance(facts.container.kind, str) and facts.container.kind != "none"
    # with CDI the runtime is told `void` and the nodes come by themselves
    given = any(node.path.removeprefix("/dev/nvidia").isdecimal() for node in facts.access.nodes)
    if asked is None or not inside or given or not of_none(asked):
        return None
    return _found("NVIDIA_VISIBLE_DEVICES", asked, "blocking", ())


def _of_list(facts: Facts, count: int | None) -> Judgement:
    value = variable(facts, NAME)
    if value is None:
        return CLEAR
    # CUDA and torch (`_strtoul`) read the digits that a word begins with, whatever follows them
    words = [word.strip() for word in value.split(",")]
    leading = [word[: len(word) - len(word.lstrip("0123456789"))] or word for word in words]
    selection = select(",".join(leading), count)
    if not selection.problem:
        return CLEAR
    counted = Evidence("gpus", str(count if count is not None else "unknown"), "GPUs that a driver serves")
    return _found(NAME, value, "degrading" if selection.count else "blocking", (counted,))


def _found(name: str, value: str, severity: Severity, more: tuple[Evidence, ...]) -> Found:
    why = Words(
        f"Unset {name} or name GPUs that exist, then start the program anew; look in shell files, service "
        "units and the "
        "scheduler's prolog.",
        f"取消 {name} 或写上确实存在的 GPU，再重新启动程序；检查 shell 配置、服务单元和调度器的 prolog。",
    )
    return Found(
        evidence=(variable_evidence(name, value), *more),
        values={"variable": name, "value": value[:40]},
        severity=severity,
        remedy=(Remedy((), root=False, why=why),),
    )


# messages
def no_cuda_seen(hit: Hit, seen: Seen) -> bool:  # noqa: ARG001
    """CUDA finds none although there is one."""
    return seen.has("no-cuda-words", "count-zero", "invalid-ordinal") and not seen.has("mig-on", "amd-card-only")


MESSAGES = (
    Message(r"(?P<name>CUDA_VISIBLE_DEVICES|NVIDIA_VISIBLE_DEVICES)=(?P<value>\"\"|''|-1|void|none|\s|$)", 0.84, check=no_cuda_seen, told=Words("{name} is empty.", "{name} 为空。")),
    Message(r"(?P<name>CUDA_VISIBLE_DEVICES|NVIDIA_VISIBLE_DEVICES)=\"?(?P<value>[\w,-]{1,80})", 0.74, check=no_cuda_seen, told=Words("{name} is {value}.", "{name} 为 {value}。")),
    Message(r"CUDA_VISIBLE_DEVICES['\"]\]? {0,2}[=:,)] {0,2}['\"]?(?P<value>[\w,-]{0,40})['\"]?", 0.72, check=no_cuda_seen, told=Words("CUDA_VISIBLE_DEVICES is {value}.", "CUDA_VISIBLE_DEVICES 为 {value}。")),
    Message(r"no CUDA-capable device is detected", 0.6, needs=("cuda-visible",), unless=("mig-on",)),
    Message(r"(?:NVIDIA_VISIBLE_DEVICES|--gpus).{0,60}unknown device", 0.8),
    Message(r"nvidia-container-cli: device error: {0,2}(?P<value>\S{1,60}): unknown device", 0.86, told=Words("There is no GPU {value}.", "没有 GPU {value}。")),
)  # fmt: skip

CAUSE = Cause(
    id="cuda-visible-devices-hides-gpu",
    family="library",
    vendor="nvidia",
    severity="blocking",
    title=Words("{variable}=“{value}” hides the GPU", "{variable}=“{value}” 把 GPU 藏起来了"),
    means=Words(
        "CUDA_VISIBLE_DEVICES (or NVIDIA_VISIBLE_DEVICES in a container) leaves no GPU.",
        "CUDA_VISIBLE_DEVICES（容器中为 NVIDIA_VISIBLE_DEVICES）使程序看不到任何 GPU。",
    ),
    effect=Words(
        "torch.cuda.device_count() is 0 (“no CUDA-capable device is detected”), or smaller than it should be.",
        "torch.cuda.device_count() 为 0（“no CUDA-capable device is detected”），或比应有的少。",
    ),
    fix=Words(
        "Unset or correct it, then start the program anew; on ROCm use HIP_VISIBLE_DEVICES instead.",
        "取消或改正该变量，再重新启动程序；ROCm 上改用 HIP_VISIBLE_DEVICES。",
    ),
    judge=judge,
    messages=MESSAGES,
)
