"""Several tritons over one another, or one that does not fit this torch."""

from __future__ import annotations

from ..facts.model import Environment, Facts
from ..words import Words
from ._environments import each, missing_backend
from ._tritons import for_rocm, installed, mend, names, proof, unlike
from .messages import Message
from .model import CLEAR, Cause, Found, Judgement


def judge(facts: Facts) -> Judgement:
    """Found if two triton packages share the folder, or the one there is not the one that torch requires. A plain
    triton under a ROCm torch is torch-rocm-triton-mismatch, not this."""
    return each(facts, lambda environment: _in(facts, environment))


def _in(facts: Facts, environment: Environment) -> Judgement:
    lacking = missing_backend(facts, environment)
    if lacking or not environment.torch:
        return lacking or CLEAR
    here = installed(environment)
    rocm = environment.torch.backend == "rocm"
    if rocm and not all(for_rocm(one) for one in here):
        return CLEAR
    foreign = not rocm and any(for_rocm(one) for one in here)
    if len(here) < 2 and not foreign and (rocm or not unlike(environment)):
        return CLEAR
    return Found(
        evidence=proof(facts, environment),
        values={"triton": names(environment), "torch": environment.torch.version},
        remedy=mend(environment),
    )


# messages
MESSAGES = (
    Message(r"cannot import name '(?P<name>[\w.]{2,40})' from 'triton[\w.]{0,60}'", 0.88, unless=("rocm-torch",), told=Words("This triton has no {name}.", "该 triton 没有 {name}。")),
    Message(r"cannot import name '(?P<name>[\w.]{2,40})' from 'triton[\w.]{0,60}'", 0.82, told=Words("This triton has no {name}.", "该 triton 没有 {name}。")),
    Message(r"No module named 'triton\.(?P<name>ops|compiler\.\w{2,30}|runtime\.\w{2,30}|language\.\w{2,30}|tools\.\w{2,30}|common\S{0,30}|_C\S{0,30})'", 0.85),
    Message(r"module 'triton[\w.]{0,40}' has no attribute '(?P<name>\w{2,40})'", 0.84, unless=("rocm-torch",)),
    Message(r"requires triton==(?P<wanted>[\d.]{3,10})(?:;[^,]{0,200})?, but you have triton (?P<have>\S{2,20}) which is incompatible", 0.93, told=Words("torch wants triton {wanted}, {have} is installed.", "torch 需要 triton {wanted}，已装的是 {have}。")),
    Message(r"requires pytorch-triton==(?P<wanted>\S{3,30}), but you have", 0.88),
    Message(r"(?:ASTSource|JITFunction|CompiledKernel|triton_key|AttrsDescriptor|KernelInterface|cluster_dims|num_ctas).{0,80}(?:unexpected keyword|missing \d|got an unexpected|object has no attribute|takes)", 0.84),
    Message(r"'KernelMetadata' object has no attribute '(?P<name>\w{2,40})'", 0.88),
    Message(r"cannot import name 'triton_key'", 0.88, unless=("rocm-torch",)),
    Message(r"cannot import name 'AttrsDescriptor'", 0.88),
    Message(r"torch/_inductor/\S{3,80}triton\S{0,60}", 0.3, needs=("assertion-words",)),
    Message(r"triton-nightly {1,30}\S{3,30}", 0.66, needs=("pytorch-triton",)),
    Message(r"backend='inductor' raised:", 0.3, needs=("triton-attr-words",)),
)  # fmt: skip

CAUSE = Cause(
    id="triton-version-mismatch",
    family="wheel",
    vendor="both",
    severity="degrading",
    title=Words("triton does not fit torch {torch}: {triton}", "triton 与 torch {torch} 不配：{triton}"),
    means=Words(
        "Several triton packages lie over one another, or triton's version does not fit this torch.",
        "多个 triton 包互相覆盖，或 triton 的版本与这个 torch 不配。",
    ),
    effect=Words(
        "Eager mode works; torch.compile fails with an assertion, TypeError or ImportError between torch and triton.",
        "eager 模式正常；torch.compile 在 torch 与 triton 之间报断言、TypeError 或 ImportError。",
    ),
    fix=Words(
        "Uninstall every triton package, remove leftovers in site-packages/triton, install the one version that torch "
        "requires.",
        "卸载所有 triton 包，删掉 site-packages/triton 里的残留，只装 torch 要求的那个版本。",
    ),
    follows=("torch-rocm-triton-mismatch",),
    judge=judge,
    messages=MESSAGES,
)
