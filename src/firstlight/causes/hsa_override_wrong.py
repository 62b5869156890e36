"""HSA_OVERRIDE_GFX_VERSION makes the runtime take a GPU for another."""

from __future__ import annotations

from ..facts.model import Facts, Gpu
from ..transcript.model import Hit
from ..words import Words
from . import _override
from ._builds import runs
from ._environments import variable_evidence
from ._gpus import evidence, label, no_gpu, of
from .messages import Message, Seen
from .model import CLEAR, Cause, Evidence, Found, Judgement, Known, NotKnown, Remedy, Severity, missing

RANK = {"blocking": 0, "degrading": 1, "advice": 2}
TOLD = {"wrong": "blocking", "avoid": "degrading", "risky": "degrading", "runs": "advice", "works": "advice"}
"""What reports say of an override, as severity where no build needs it."""


def judge(facts: Facts) -> Judgement:
    """Found for the GPU that the override serves worst; the plain variable hits every GPU of the process. Where KFD
    lists none yet, those that it would hit once they are served."""
    gpus = [gpu for gpu in of(facts, "amd") if gpu.kfd is not False] or of(facts, "amd")
    if not gpus:
        return no_gpu(facts)
    lacking = missing(("environment", facts.environment))
    if lacking:
        return lacking
    hit = [gpu for gpu in gpus if _override.of(facts, gpu)]
    judged = [(severity, gpu) for gpu in hit if (severity := _severity(facts, gpu))]
    if judged:
        return _found(facts, *min(judged, key=lambda one: RANK[one[0]]))
    blank = [gpu for gpu in hit if not gpu.target]
    return NotKnown((f"gpus[{facts.gpus.index(blank[0])}].target (not-known)",)) if blank else CLEAR


def _severity(facts: Facts, gpu: Gpu) -> Severity | None:
    """None: nothing is wrong with it, or it cannot be told without the GPU's target."""
    name, value = _override.of(facts, gpu) or ("", "")
    told = _override.target(value)
    if told is None:
        return "blocking"  # the thunk refuses the whole topology
    real = gpu.target
    if not real:
        return None
    if told == real:
        return "advice"
    if _override.major(told) != _override.major(real):
        return "blocking"
    known = _known(real, value)
    if known == "blocking" or (known != "advice" and _override.family(told) != _override.family(real)):
        return "blocking"
    return _beside_builds(facts, real, told, known or "degrading", per_gpu=name != _override.NAME)


def _beside_builds(facts: Facts, real: str, told: str, known: str, *, per_gpu: bool) -> Severity | None:
    """A stopgap that the active build needs is let be; one that it does not need is worse than nothing."""
    active = next((one.torch for one in facts.python.environments if one.active and one.torch), None)
    carried = active.targets if active else None
    if isinstance(carried, list) and carried:
        if not runs(carried, told):
            return "blocking"  # the runtime asks for code that this build does not have
        if runs(carried, real):
            return "degrading"
        if known == "advice":
            return None if per_gpu or len(of(facts, "amd")) == 1 else "advice"
    return "degrading" if known == "degrading" else "advice"


def _known(target: str, value: str) -> str | None:
    from ..knowledge import chips

    chip = chips.amd(target)
    told = [one.verdict for one in (chip.override if chip else ()) if one.value == value]
    ranked = [TOLD.get(verdict.split()[0].rstrip(",:"), "") for verdict in told if verdict]
    return min((one for one in ranked if one), key=lambda one: RANK[one], default=None)


def _found(facts: Facts, severity: Severity, gpu: Gpu) -> Found:
    name, value = _override.of(facts, gpu) or ("", "")
    told = _override.target(value)
    proof: tuple[Evidence, ...] = (variable_evidence(name, value), evidence(facts, gpu))
    why = Words(
        f"Unset {name}; look for it in ~/.bashrc, ~/.profile, /etc/environment, service units and compose files.",
        f"取消 {name}；查找 ~/.bashrc、~/.profile、/etc/environment、服务单元和 compose 文件中的设置。",
    )
    return Found(
        evidence=proof,
        values={"variable": name, "value": value[:40], "gpu": label(gpu), "told": told or "—"},
        severity=severity,
        remedy=(Remedy((), root=False, why=why),),
    )


# messages
def other_family(hit: Hit, seen: Seen) -> dict[str, str] | bool:
    """The chips that the text names are all of another major family, or it is needless: the very same chip."""
    major, minor, step = hit.values["value"].split(".")
    told = [one for one in seen.values("gfx", "gfx") if one]
    chips = sorted({one for one in told if one != f"{major}{minor}{int(step):x}"})
    same = [one for one in chips if one.startswith(major)]
    if not chips or same or len(chips) > 3 or not seen.has("gpu-trouble", "ih-overflow", "hang", "ring-reset"):
        return False
    return {"gfx": ", ".join(f"gfx{one}" for one in chips)}


MESSAGES = (
    Message(r"HSA_OVERRIDE_GFX_VERSION(?:_\d)?=\"?(?P<value>\d{1,2}\.\d{1,2}\.\d{1,2})", 0.9, check=other_family, told=Words("The override says {value}, the GPU is {gfx}.", "覆盖变量为 {value}，GPU 是 {gfx}。")),
    Message(r"ih_fifo overflow", 0.75, needs=("override",)),
    Message(r"illegal instruction in command stream", 0.8, needs=("override",)),
    Message(r"HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION", 0.82, needs=("override",)),
    Message(r"HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION", 0.45),
    Message(r"HSA_STATUS_ERROR_INVALID_ISA", 0.7, needs=("override",)),
    Message(r"HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION", 0.55, needs=("override",)),
    Message(r"Memory access fault by GPU node", 0.55, needs=("override",)),
    Message(r"HSA_OVERRIDE_GFX_VERSION.{0,40}(?:invalid|not supported|malformed)", 0.8),
)  # fmt: skip

CAUSE = Cause(
    id="hsa-override-wrong",
    family="library",
    vendor="amd",
    severity="blocking",
    title=Words("{variable}={value} is wrong or needless for {gpu}", "{variable}={value} 对 {gpu} 不对或多余"),
    means=Words(
        "HSA_OVERRIDE_GFX_VERSION makes the runtime treat the GPU as one whose code it cannot run.",
        "HSA_OVERRIDE_GFX_VERSION 让运行时把 GPU 当作另一种型号，而那种代码它跑不了。",
    ),
    effect=Words(
        "Illegal instructions, hangs, page faults or resets, or slower code than the GPU's own. It hits "
        "every GPU of the "
        "process; a value that is not three numbers leaves none.",
        "非法指令、卡死、缺页或复位，或者比本身的代码慢。它影响进程里的所有 GPU；值不是三个数字时一块都看不到。",
    ),
    fix=Words(
        "Unset it; if a build needs one, use a value of the same family, per GPU as HSA_OVERRIDE_GFX_VERSION_<node>.",
        "取消该变量；若构建确实需要，用同一系列的值，并按 GPU 设 HSA_OVERRIDE_GFX_VERSION_<节点号>。",
    ),
    known=(
        Known("https://github.com/ROCm/legacy-rocm-build/issues/5069"),
        Known("https://github.com/ROCm/legacy-rocm-build/issues/4557"),
        Known("https://github.com/ROCm/TheRock/issues/1184"),
    ),
    judge=judge,
    messages=MESSAGES,
)
