"""A source is trusted without a signature."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

# messages
MESSAGES = (
    Message(r"\[(?:[\w=,/.-]{1,60} ){0,4}trusted=yes", 0.8),
    Message(r"Trusted: yes", 0.8),
    Message(r"allow-insecure=yes", 0.8),
    Message(r"Acquire::AllowInsecureRepositories", 0.65),
    Message(r"WARNING: The following packages cannot be authenticated", 0.4, needs=("trusted",)),
)  # fmt: skip

CAUSE = Cause(
    id="apt-source-trusted-yes",
    family="apt",
    vendor="both",
    severity="advice",
    title=Words(
        "A source is marked trusted=yes",
        "有软件源被标记为 trusted=yes",
    ),
    means=Words(
        "A source is marked trusted=yes, so apt does not check its signature.",
        "软件源被标记为 trusted=yes，因此 apt 不检查其签名。",
    ),
    effect=Words(
        "Packages from it are not authenticated: a risk, not a failure.",
        "其中的软件包未经验证：是风险，不是故障。",
    ),
    fix=Words(
        "Remove the option and add signed-by with the vendor's key; keep it only for a local, unsigned mirror.",
        "去掉该选项，改用 signed-by 指明厂商密钥；仅对本地未签名镜像保留。",
    ),
    messages=MESSAGES,
)
