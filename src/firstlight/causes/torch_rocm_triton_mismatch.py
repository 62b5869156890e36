"""A ROCm torch with a triton that is not for ROCm."""

from __future__ import annotations

from ..facts.model import Environment, Facts
from ..words import Words
from ._environments import each, not_of
from ._tritons import for_rocm, installed, mend, names, proof, unlike
from .messages import Message
from .model import CLEAR, Cause, Found, Judgement


def judge(facts: Facts) -> Judgement:
    """Found if a plain triton lies beside or instead of the ROCm one, or another than torch's metadata names."""
    return each(facts, lambda environment: _in(facts, environment))


def _in(facts: Facts, environment: Environment) -> Judgement:
    other = not_of(facts, environment, "rocm")
    if other:
        return other
    plain = any(not for_rocm(one) for one in installed(environment)) and _has_own_suffix(environment)
    if not plain and not unlike(environment):
        return CLEAR
    return Found(
        evidence=proof(facts, environment),
        values={"triton": names(environment)},
        remedy=mend(environment),
    )


def _has_own_suffix(environment: Environment) -> bool:
    """A distribution's own torch (no suffix) goes with that distribution's plain triton."""
    return environment.torch is not None and "+rocm" in environment.torch.version


# messages
MESSAGES = (
    Message(r"0 active drivers \(\[\]\)\. There should only be one", 0.62, helps=("rocm-torch", "amd-card", "amd"), unless=("nvidia-card",)),
    Message(r"0 active drivers", 0.8, needs=("amd", "rocm-torch")),
    Message(r"(?i)cannot find ptxas", 0.72, needs=("amd", "rocm-torch")),
    Message(r"ptxas(?:-blackwell)?['\" ].{0,40}(?:not found|No such file)", 0.6, needs=("amd", "rocm-torch")),
    Message(r"(?:KeyError: '|No module named 'triton\.backends\.|backend '?\"?)(?:hip|amd)['\"]", 0.82),
    Message(r"No module named 'triton\.(?:backends\.amd|third_party\.hip|language\.extra\.hip)", 0.9),
    Message(r"module 'triton\S{0,40}' has no attribute 'hip", 0.85),
    Message(r"triton {1,40}(?P<triton>3\.\d\.\d)\s{0,3}$", 0.76, needs=("rocm-torch-list",), unless=("pytorch-triton-rocm-only",), told=Words("Plain triton {triton} is installed with a torch for ROCm.", "为 ROCm 编译的 torch 配了普通的 triton {triton}。")),
    Message(r"libcuda\.so cannot found", 0.75, needs=("amd", "rocm-torch", "triton")),
    Message(r"requires pytorch-triton-rocm==(?P<wanted>\S{3,40}), (?:which is not installed|but you have pytorch-triton-rocm (?P<have>\S{3,40}))", 0.9, told=Words("torch wants pytorch-triton-rocm {wanted}.", "torch 需要 pytorch-triton-rocm {wanted}。")),
    Message(r"requires triton(?:-rocm)?==(?P<wanted>\S{3,20}\+rocm\S{1,20})", 0.85),
    Message(r"libdevice\.10\.bc", 0.66, needs=("amd", "rocm-torch")),
)  # fmt: skip

CAUSE = Cause(
    id="torch-rocm-triton-mismatch",
    family="wheel",
    vendor="amd",
    severity="degrading",
    title=Words(
        "The triton that is installed is not this ROCm torch's: {triton}",
        "所装的 triton 不是这个 ROCm 版 torch 要的：{triton}",
    ),
    means=Words(
        "The triton installed is not the ROCm one that this torch needs: plain triton replaced it, or another version.",
        "所装的 triton 不是这个 torch 需要的 ROCm 版：被普通 triton 取代，或版本不对。",
    ),
    effect=Words(
        "Eager mode works; torch.compile and triton kernels fail (“0 active drivers”, ptxas or libdevice asked for).",
        "eager 模式正常；torch.compile 和 triton kernel 失败（“0 active drivers”，或要找 ptxas、libdevice）。",
    ),
    fix=Words(
        "Uninstall every triton package, then install the one that torch's metadata names from the same ROCm index.",
        "卸载所有 triton 包，再从同一个 ROCm 索引安装 torch 元数据指明的那一个。",
    ),
    follows=("mixed-rocm-index-versions",),
    judge=judge,
    messages=MESSAGES,
)
