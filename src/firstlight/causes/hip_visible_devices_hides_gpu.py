"""A variable leaves no AMD GPU, or the wrong one."""

from __future__ import annotations

from ..facts.model import Facts, Gpu
from ..transcript.model import Hit
from ..words import Words
from ._environments import variable, variable_evidence
from ._gpus import INSTINCT, evidence, in_hip_order, no_gpu, not_captured, of
from ._visibility import Problem, Selection, select
from .messages import Message, Seen
from .model import CLEAR, Cause, Evidence, Found, Judgement, Known, Remedy, Severity, missing

REASONS: dict[Problem, Words] = {
    "empty": Words("empty", "为空"),
    "negative": Words("a negative index", "序号为负"),
    "malformed": Words("not a list of indices", "不是序号列表"),
    "out-of-range": Words("an index that does not exist", "序号不存在"),
    "twice": Words("an index twice", "序号重复"),
}
"""Why a list ends early."""


def judge(facts: Facts) -> Judgement:
    """Found if a list selects nothing, ends early, or leaves only an integrated GPU. ROCr filters first and renumbers;
    HIP's list indexes what is left. GPUs without a KFD node are not counted: then only what is wrong in itself is."""
    if not of(facts, "amd"):
        return no_gpu(facts)
    lacking = missing(("environment", facts.environment))
    if lacking:
        return lacking
    gpus = in_hip_order(facts)
    count = len(gpus) or _at_most(facts)
    left: list[Gpu] = gpus
    for name in ("ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"):
        value = variable(facts, name)
        if value is None:
            continue
        selection = select(value, count)
        if selection.problem:
            return _found(facts, name, value, selection)
        count = selection.count
        left = [] if selection.named or not gpus else [left[at] for at in selection.kept if at < len(left)]
    return _wrong_one(facts, gpus, left)


def _at_most(facts: Facts) -> int | None:
    """How many devices there can be where KFD was not seen: one each, eight partitions of an Instinct card. None on a
    bare tree, which need not show every card, and where no driver serves them: then the list is not what is wrong."""
    gpus = of(facts, "amd")
    if not_captured(facts) or any(gpu.kfd is False for gpu in gpus):
        return None
    return sum(8 if (gpu.target or "").startswith(INSTINCT) else 1 for gpu in gpus)


def _wrong_one(facts: Facts, gpus: list[Gpu], left: list[Gpu]) -> Judgement:
    discrete = [gpu for gpu in gpus if gpu.apu is False]
    if not left or not discrete or not all(gpu.apu for gpu in left):
        return CLEAR
    proof = tuple(variable_evidence(one, value) for one in _set(facts) if (value := variable(facts, one)) is not None)
    return Found(
        evidence=(*proof, evidence(facts, left[0])),
        values={"variable": _set(facts)[0], "value": variable(facts, _set(facts)[0]) or ""},
        severity="degrading",
        remedy=(_unset(_set(facts)[0]),),
    )


def _set(facts: Facts) -> list[str]:
    names = ("ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL")
    return [name for name in names if variable(facts, name) is not None]


def _found(facts: Facts, name: str, value: str, selection: Selection) -> Found:
    reason = REASONS[selection.problem]
    severity: Severity = "degrading" if selection.count else "blocking"
    others = tuple(variable_evidence(one, variable(facts, one) or "") for one in _set(facts) if one != name)
    counted = Evidence("gpus", str(len(in_hip_order(facts))), "KFD topology")
    return Found(
        evidence=(variable_evidence(name, value), *others, counted),
        values={"variable": name, "value": value[:40]},
        severity=severity,
        remedy=(_unset(name, reason),),
    )


def _unset(name: str, reason: Words | None = None) -> Remedy:
    en = f" ({reason.en})" if reason else ""
    zh = f"（{reason.zh}）" if reason else ""
    why = Words(
        f"Unset {name}{en}, or use one such variable only, with indices from 0; look in shell files, service units and "
        "the scheduler's prolog.",
        f"取消 {name}{zh}，或只用一个这样的变量，序号从 0 开始；检查 shell 配置、服务单元和调度器的 prolog。",
    )
    return Remedy((), root=False, why=why)


# messages
def no_gpu_seen(hit: Hit, seen: Seen) -> bool:
    """The program finds none, or too few; and it is not another fault that hides them."""
    value = hit.values.get("value", "").strip()
    return seen.has("no-hip-gpu", "count-zero", "invalid-ordinal") and not (
        seen.has("kfd-denied", "kfd-absent") and value not in {"", "-1", '""', "''"}
    )


MESSAGES = (
    Message(r"(?P<name>HIP_VISIBLE_DEVICES|ROCR_VISIBLE_DEVICES|GPU_DEVICE_ORDINAL)=(?P<value>\"\"|''|-1|\s|$)", 0.82, check=no_gpu_seen, told=Words("{name} is empty.", "{name} 为空。")),
    Message(r"(?P<name>HIP_VISIBLE_DEVICES|ROCR_VISIBLE_DEVICES|GPU_DEVICE_ORDINAL)=\"?(?P<value>[\w,-]{1,80})", 0.72, check=no_gpu_seen, told=Words("{name} is {value}.", "{name} 为 {value}。")),
    Message(r"(?:os\.environ\[)?['\"](?P<name>HIP_VISIBLE_DEVICES|ROCR_VISIBLE_DEVICES)['\"]\]? {0,2}[=:,] {0,2}['\"](?P<value>[\w,-]{0,40})['\"]", 0.7, check=no_gpu_seen, told=Words("{name} is {value}.", "{name} 为 {value}。")),
    Message(r"HIP_VISIBLE_DEVICES and ROCR_VISIBLE_DEVICES", 0.72, check=no_gpu_seen),
    Message(r"Inconsistent values found in HIP_VISIBLE_DEVICES and", 0.85),
    Message(r"Please use HIP_VISIBLE_DEVICES instead of ROCR_VISIBLE_DEVICES", 0.85),
    Message(r"(?i)user overrode visible devices", 0.5, needs=("no-hip-gpu",)),
    Message(r"msg=\"user overrode visible devices\" (?P<name>\w{3,30}VISIBLE_DEVICES)=(?P<value>\S{1,60})", 0.6, needs=("no-hip-gpu",)),
)  # fmt: skip

CAUSE = Cause(
    id="hip-visible-devices-hides-gpu",
    family="library",
    vendor="amd",
    severity="blocking",
    title=Words("{variable}=“{value}” hides the GPU", "{variable}=“{value}” 把 GPU 藏起来了"),
    means=Words(
        "HIP_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES or GPU_DEVICE_ORDINAL leaves no (or the wrong) GPU.",
        "HIP_VISIBLE_DEVICES、ROCR_VISIBLE_DEVICES 或 GPU_DEVICE_ORDINAL 使程序看不到任何 GPU，或剩下的不对。",
    ),
    effect=Words(
        "Programs see no GPU, fewer than there are, or only the integrated one.",
        "程序看不到 GPU，看到的数量偏少，或只看到集成 GPU。",
    ),
    fix=Words(
        "Unset them, or use one only with a valid index or UUID; check service units and the scheduler's prolog.",
        "取消这些变量，或只用其中一个并给出有效的序号或 UUID；检查服务单元和调度器的 prolog。",
    ),
    known=(Known("https://github.com/mcmonkeyprojects/SwarmUI/issues/566", first_seen="2025-02-01"),),
    judge=judge,
    messages=MESSAGES,
)
