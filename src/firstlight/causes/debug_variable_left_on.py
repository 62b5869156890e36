"""A variable for debugging that slows every program down."""

from __future__ import annotations

from ..facts.model import Facts
from ..words import Words
from ._environments import variable, variable_evidence
from ._gpus import no_gpu, of
from .model import CLEAR, Cause, Found, Judgement, Remedy, missing

OF_AMD = {
    "AMD_SERIALIZE_KERNEL": ("1", "2", "3"),
    "AMD_SERIALIZE_COPY": ("1", "2", "3"),
    "HSA_DISABLE_CACHE": ("1",),
    "HSA_DISABLE_FRAGMENT_ALLOCATOR": ("1",),
    "HSA_ENABLE_SDMA": ("0",),
    "MIOPEN_DISABLE_CACHE": ("1",),
    "PYTORCH_NO_HIP_MEMORY_CACHING": ("1",),
}
OF_BOTH = {"CUDA_LAUNCH_BLOCKING": ("1",), "PYTORCH_NO_CUDA_MEMORY_CACHING": ("1",)}
"""Values that serialise work or turn caches off (environment variables of ROCr, HIP and torch)."""


def judge(facts: Facts) -> Judgement:
    """Found if one of them is set to a value that costs speed."""
    if not of(facts, "amd") and not of(facts, "nvidia"):
        return no_gpu(facts)
    lacking = missing(("environment", facts.environment))
    if lacking:
        return lacking
    watched = {**OF_BOTH, **(OF_AMD if of(facts, "amd") else {})}
    on = [(name, value) for name, costly in watched.items() if (value := variable(facts, name) or "") in costly]
    if not on:
        return CLEAR
    names = ", ".join(name for name, _ in on)
    why = Words(f"Unset {names} unless you are debugging.", f"不在调试时取消 {names}。")
    return Found(
        evidence=tuple(variable_evidence(name, value) for name, value in on),
        values={"names": names},
        remedy=(Remedy((), root=False, why=why),),
    )


CAUSE = Cause(
    id="debug-variable-left-on",
    family="performance",
    vendor="both",
    severity="degrading",
    title=Words("A debugging variable slows programs down: {names}", "调试用的变量拖慢程序：{names}"),
    means=Words(
        "An environment variable for debugging serialises GPU work or turns a cache off.",
        "调试用的环境变量使 GPU 工作串行，或关掉了缓存。",
    ),
    effect=Words(
        "Results are right, but every kernel launch, copy or allocation waits.",
        "结果正确，但每次启动 kernel、拷贝或分配都要等待。",
    ),
    fix=Words(
        "Unset it when debugging is done; look in shell files, service units and compose files.",
        "调试结束后取消该变量；检查 shell 配置、服务单元和 compose 文件。",
    ),
    judge=judge,
)
