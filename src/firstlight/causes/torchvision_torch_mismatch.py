"""torchvision of another torch release."""

from __future__ import annotations

from ..facts.model import Environment, Facts
from ..words import Words
from ._builds import numbers
from ._environments import distribution_evidence, each, interpreter, torch_evidence, version_of
from ._wheels import pytorch_index
from .messages import Message
from .model import CLEAR, Cause, Found, Judgement, Remedy

AHEAD = 15
"""torchvision 0.(N+15) goes with torch 2.N, from 2.0 with 0.15 to 2.14 with 0.29 (torchvision README; AMD's PyTorch
install page 10.1)."""


def judge(facts: Facts) -> Judgement:
    """Found if the minor versions of torch 2.N and torchvision 0.M do not go together."""
    return each(facts, lambda environment: _in(facts, environment))


def _in(facts: Facts, environment: Environment) -> Judgement:
    vision = version_of(environment, "torchvision")
    if vision is None or environment.torch is None:
        return CLEAR
    have, of = numbers(vision), numbers(environment.torch.version)
    if len(have) < 2 or len(of) < 2 or have[0] != 0 or of[0] != 2:
        return CLEAR  # no rule is known beyond torch 2 and torchvision 0
    if have[1] == of[1] + AHEAD:
        return CLEAR
    wanted = f"0.{of[1] + AHEAD}"
    return Found(
        evidence=(
            torch_evidence(facts, environment),
            distribution_evidence(facts, environment, "torchvision", vision),
        ),
        values={"vision": vision, "torch": environment.torch.version, "wanted": wanted},
        remedy=(_install(environment, wanted),),
    )


def _install(environment: Environment, wanted: str) -> Remedy:
    local = environment.torch.version.partition("+")[2] if environment.torch else ""
    index = ("--index-url", pytorch_index(local)) if local.startswith(("cpu", "cu")) else ()
    argv = ("uv", "pip", "install", "--python", interpreter(environment), *index, f"torchvision=={wanted}.*")
    why = Words(
        "Installs the torchvision made for this torch; use the index that torch came from.",
        "安装与这个 torch 配套的 torchvision；请用 torch 所来自的索引。",
    )
    return Remedy(argv, root=False, why=why)


# messages
MESSAGES = (
    Message(r"operator torchvision::nms does not exist", 0.92),
    Message(r"torchvision\S{0,40}requires torch==(?P<wanted>\S{3,30}), but you have torch (?P<have>\S{3,30}) which is incompatible", 0.9, told=Words("torchvision wants torch {wanted}, {have} is installed.", "torchvision 需要 torch {wanted}，已装的是 {have}。")),
    Message(r"torchvision/(?:image|_C)\.so: undefined symbol", 0.86),
    Message(r"Couldn't load custom C\+\+ ops\. This can happen if your PyTorch and torchvision versions are incompatible", 0.94),
    Message(r"Failed to load image Python extension: .{0,160}undefined symbol", 0.72),
)  # fmt: skip

CAUSE = Cause(
    id="torchvision-torch-mismatch",
    family="wheel",
    vendor="both",
    severity="degrading",
    title=Words(
        "torchvision {vision} is not made for torch {torch}: {wanted} is",
        "torchvision {vision} 与 torch {torch} 不配套，应为 {wanted}",
    ),
    means=Words(
        "torchvision is of another release than torch; its native operators are bound to one torch release.",
        "torchvision 与 torch 不是同一批发布；它的原生算子只对应一个 torch 版本。",
    ),
    effect=Words(
        "import torchvision fails (“operator torchvision::nms does not exist”) or its operators crash.",
        "import torchvision 失败（“operator torchvision::nms does not exist”），或其算子崩溃。",
    ),
    fix=Words(
        "Install torch, torchvision and torchaudio in one command from one index.",
        "用一条命令从同一个索引安装 torch、torchvision 和 torchaudio。",
    ),
    follows=("mixed-rocm-index-versions",),
    judge=judge,
    messages=MESSAGES,
)
