"""Packages of the GPU's stack are on hold."""

from __future__ import annotations

from ..facts.model import Facts, Unknown
from ..words import Words
from ._apt import of_stack
from ._packages import plain
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, Remedy, missing

SHOWN = 8


def judge(facts: Facts) -> Judgement:
    """Found if dpkg holds packages that GPU work stands on. It stands in the way only once one of them has to change:
    `plan` tells when."""
    held = facts.apt.held
    if isinstance(held, Unknown):
        return CLEAR if held.unknown == "absent" else missing(("apt.held", held)) or CLEAR
    names = [name for name in held if of_stack(name)]
    if not names:
        return CLEAR
    listed = ", ".join(names[:SHOWN]) + (f" (+{len(names) - SHOWN})" if len(names) > SHOWN else "")
    return Found(
        evidence=(Evidence("apt.held", listed, "/var/lib/dpkg/status"),),
        values={"names": listed},
        remedy=(_unhold([plain(name) for name in names]),),
    )


def _unhold(names: list[str]) -> Remedy:
    why = Words(
        "Only if they are to change: takes the hold off. Hold them again afterwards with `apt-mark hold`.",
        "仅在需要改动它们时：解除保持。之后可用 `apt-mark hold` 重新保持。",
    )
    good = tuple(name for name in names if name)
    return Remedy(("apt-mark", "unhold", *good) if good else (), root=True, why=why)


# messages
MESSAGES = (
    Message(r"The following held packages will be changed", 0.95),
    Message(r"Held packages were changed and -y was used", 0.96),
    Message(r"(?P<package>[\w.+-]{2,60}) set on hold", 0.85, needs=("unmet", "apt-held-words"), told=Words("{package} is on hold.", "{package} 已被 hold。")),
    Message(r"^(?P<package>(?:rocm|hip|amdgpu|libnccl|cuda|nvidia|libcudnn|linux-image|linux-generic|libnvidia)[\w.+-]{0,60}) {0,60}\t{0,6} {0,40}hold\s{0,4}$", 0.8, told=Words("{package} is on hold.", "{package} 已被 hold。")),
    Message(r"^hi  (?P<package>(?:rocm|hip|amdgpu|libnccl|cuda|nvidia|libcudnn|linux-|libnvidia)[\w.+-]{0,60})", 0.7, needs=("unmet", "apt-held-words"), told=Words("{package} is on hold.", "{package} 已被 hold。")),
    Message(r"but the package is held", 0.8),
    Message(r"\(held back\)", 0.3, needs=("apt",)),
)  # fmt: skip

CAUSE = Cause(
    id="apt-packages-held",
    family="apt",
    vendor="both",
    severity="advice",
    title=Words("these packages are on hold: {names}", "这些软件包被保持（hold）：{names}"),
    means=Words(
        "Packages marked hold would have to change, and apt refuses.",
        "被标记为保持（hold）的软件包需要改动，而 apt 拒绝。",
    ),
    effect=Words(
        "apt neither upgrades nor replaces them; what needs another version of them cannot be installed.",
        "apt 既不升级也不替换它们；需要其他版本的软件包无法安装。",
    ),
    fix=Words(
        "apt-mark unhold the named packages, upgrade, hold again if wanted; or leave them out of the request.",
        "用 apt-mark unhold 解除这些软件包的保持，升级后如有需要再保持；或者不要请求它们。",
    ),
    messages=MESSAGES,
    judge=judge,
)
