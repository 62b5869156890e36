"""Packages are on hold."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

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
    severity="blocking",
    title=Words(
        "Packages on hold would have to change",
        "被保留的软件包需要变动",
    ),
    means=Words(
        "Packages marked hold would have to change, and apt refuses.",
        "标记为 hold 的软件包需要变动，apt 拒绝。",
    ),
    effect=Words(
        "The install or upgrade stops.",
        "安装或升级中止。",
    ),
    fix=Words(
        "apt-mark unhold the named packages, upgrade, hold again if wanted; or leave them out of the request.",
        "对所列软件包执行 apt-mark unhold，升级后如需要再 hold；或不在请求中包含它们。",
    ),
    messages=MESSAGES,
)
