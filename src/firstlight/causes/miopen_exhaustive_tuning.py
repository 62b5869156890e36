"""MIOpen is told to search all kernels."""

from __future__ import annotations

from ..facts.model import Facts
from ..words import Words
from ._environments import variable, variable_evidence
from ._gpus import no_gpu, of
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, Remedy, Severity, missing

SEARCHING = {"3", "search", "4", "search_db_update"}
"""Values of MIOPEN_FIND_ENFORCE that tune each shape anew (MIOpen, env_variables.rst)."""
SLOW_MODES = {"1", "normal"}
"""Values of MIOPEN_FIND_MODE that time every solver for each new shape; the default is 5, DYNAMIC_HYBRID."""


def judge(facts: Facts) -> Judgement:
    """Found if a variable asks for it; cudnn.benchmark in a program cannot be seen from outside."""
    if not of(facts, "amd"):
        return no_gpu(facts)
    lacking = missing(("environment", facts.environment))
    if lacking:
        return lacking
    enforce = variable(facts, "MIOPEN_FIND_ENFORCE") or ""
    mode = variable(facts, "MIOPEN_FIND_MODE") or ""
    if enforce.strip().lower() in SEARCHING:
        return _found("MIOPEN_FIND_ENFORCE", enforce, None)
    if mode.strip().lower() in SLOW_MODES:
        return _found("MIOPEN_FIND_MODE", mode, "advice")
    return CLEAR


def _found(name: str, value: str, severity: Severity | None) -> Found:
    proof: Evidence = variable_evidence(name, value)
    why = Words(
        f"Unset {name} once tuning is done; the user database keeps what was found.",
        f"调优完成后取消 {name}；找到的结果保存在用户数据库里。",
    )
    return Found(
        evidence=(proof,),
        values={"variable": name, "value": value[:40]},
        severity=severity,
        remedy=(Remedy((), root=False, why=why),),
    )


# messages
MESSAGES = (
    Message(r"Searching the best solution among (?P<count>\d{1,7})", 0.93, told=Words("{count} kernels are tried for one shape.", "为一种形状尝试 {count} 个核函数。")),
    Message(r"Runs left ?: ?(?P<left>\d{1,7}), min time so far", 0.94, told=Words("{left} runs are left for one shape.", "一种形状还剩 {left} 次试运行。")),
    Message(r"\[GenericSearch\]", 0.9),
    Message(r"MIOPEN_FIND_ENFORCE=(?P<value>3|4|SEARCH\w{0,12}|search\w{0,12})", 0.82, told=Words("MIOPEN_FIND_ENFORCE is {value}.", "MIOPEN_FIND_ENFORCE 为 {value}。")),
    Message(r"#\d{1,7}/\d{1,7}/\d{1,7} .{0,40}best", 0.6, needs=("amd",)),
    Message(r"\[Search(?:Impl)?\] .{0,40}(?:Done|runs left|best)", 0.75),
)  # fmt: skip

CAUSE = Cause(
    id="miopen-exhaustive-tuning",
    family="performance",
    vendor="amd",
    severity="degrading",
    title=Words("{variable}={value} makes MIOpen search every kernel", "{variable}={value} 让 MIOpen 搜索所有 kernel"),
    means=Words(
        "MIOpen searches all kernels for each new convolution shape, which takes minutes.",
        "MIOpen 对每个新的卷积形状搜索所有 kernel，要花好几分钟。",
    ),
    effect=Words(
        "The first steps with every new shape take minutes.",
        "每遇到新的形状，最初几步都要几分钟。",
    ),
    fix=Words(
        "cudnn.benchmark off, MIOPEN_FIND_MODE=FAST (2), unset MIOPEN_FIND_ENFORCE, fixed shapes; keep "
        "the user database.",
        "关闭 cudnn.benchmark，设 MIOPEN_FIND_MODE=FAST（2），取消 MIOPEN_FIND_ENFORCE，固定形状；保留用户数据库。",
    ),
    judge=judge,
    messages=MESSAGES,
)
