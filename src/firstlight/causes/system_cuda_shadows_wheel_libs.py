"""An older CUDA toolkit is loaded instead of the wheel's libraries."""

from __future__ import annotations

from ..facts.model import Environment, Facts
from ..words import Words
from ._builds import numbers
from ._environments import each, not_of, torch_evidence, variable, variable_evidence
from .messages import Message
from .model import CLEAR, Cause, Found, Judgement, Remedy, missing


def judge(facts: Facts) -> Judgement:
    """Found if LD_LIBRARY_PATH leads to a toolkit of the same CUDA major and a lower minor: the libraries bear equal
    names. Those of another major do not."""
    return each(facts, lambda environment: _in(facts, environment))


def _in(facts: Facts, environment: Environment) -> Judgement:
    other = not_of(facts, environment, "cuda")
    if other or not environment.torch:
        return other or CLEAR
    lacking = missing(("environment", facts.environment))
    if lacking:
        return lacking
    own = numbers(environment.torch.backend_version) if isinstance(environment.torch.backend_version, str) else ()
    wheels = any(one.name.startswith("nvidia-") for one in environment.distributions)
    value = variable(facts, "LD_LIBRARY_PATH") or ""
    older = [folder for folder in value.split(":") if wheels and _is_older(folder, own)]
    if not older:
        return CLEAR
    why = Words(
        "Take the CUDA toolkit's folder out of LD_LIBRARY_PATH for this environment: the wheels bring "
        "their own libraries.",
        "在这个环境里把 CUDA 工具包的目录从 LD_LIBRARY_PATH 中去掉：wheel 自带所需的库。",
    )
    return Found(
        evidence=(variable_evidence("LD_LIBRARY_PATH", value), torch_evidence(facts, environment)),
        values={"folder": older[0][:80], "torch": environment.torch.version},
        remedy=(Remedy((), root=False, why=why),),
    )


def _is_older(folder: str, own: tuple[int, ...]) -> bool:
    named = next((part for part in folder.split("/") if part.startswith("cuda-")), "")
    version = numbers(named.removeprefix("cuda-"))
    return len(version) >= 2 and len(own) >= 2 and version[0] == own[0] and version[1] < own[1]


# messages
MESSAGES = (
    Message(r"undefined symbol: (?P<symbol>__nvJitLink\w{1,60})", 0.86, told=Words("The libnvJitLink that was loaded lacks {symbol}.", "加载的 libnvJitLink 缺少 {symbol}。")),
    Message(r"(?P<file>/usr/local/cuda[\w./-]{3,100}): undefined symbol: (?P<symbol>\S{2,80})", 0.9, told=Words("{file} does not fit: it lacks {symbol}.", "{file} 不匹配：缺少 {symbol}。")),
    Message(r"undefined symbol: (?P<symbol>(?:cublas|cusparse|cudnn|nccl|cuda)\w{2,60}), version (?P<version>lib\S{3,30})", 0.84, told=Words("The library that was loaded lacks {symbol}.", "加载的库缺少 {symbol}。")),
    Message(r"undefined symbol: (?P<symbol>nccl\w{2,60})", 0.82, unless=("rocm-torch",), told=Words("The NCCL that was loaded lacks {symbol}.", "加载的 NCCL 缺少 {symbol}。")),
)  # fmt: skip

CAUSE = Cause(
    id="system-cuda-shadows-wheel-libs",
    family="library",
    vendor="nvidia",
    severity="degrading",
    title=Words(
        "{folder} is loaded before the CUDA libraries of torch {torch}",
        "{folder} 先于 torch {torch} 自带的 CUDA 库被加载",
    ),
    means=Words(
        "Libraries of an older CUDA toolkit are loaded instead of those in the wheels.",
        "加载的是较旧 CUDA 工具包的库，而不是 wheel 自带的。",
    ),
    effect=Words(
        "import torch fails with an undefined symbol (e.g. __nvJitLinkComplete_12_4), or math libraries are slower.",
        "import torch 报未定义符号（如 __nvJitLinkComplete_12_4），或数学库变慢。",
    ),
    fix=Words(
        "Unset LD_LIBRARY_PATH for that environment; torch's wheels need no CUDA toolkit.",
        "在该环境中取消 LD_LIBRARY_PATH；torch 的 wheel 不需要 CUDA 工具包。",
    ),
    judge=judge,
    messages=MESSAGES,
)
