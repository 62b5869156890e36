"""The repository has no signature."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

# messages
MESSAGES = (
    Message(r"The repository '(?P<repository>[^']{5,200})' is not signed", 0.8, unless=("apt-key-words", "apt-gone"), told=Words("{repository} has no signature.", "{repository} 没有签名。")),
    Message(r"repository is not signed", 0.6, unless=("apt-key-words", "apt-gone")),
    Message(r"The following packages cannot be authenticated", 0.7, unless=("apt-key-words",)),
    Message(r"There were unauthenticated packages and -y was used without --allow-unauthenticated", 0.85, unless=("apt-key-words",)),
    Message(r"InRelease {0,2}.{0,40}is not \(yet\) available", 0.6, needs=("apt",), unless=("apt-key-words", "apt-gone")),
)  # fmt: skip

CAUSE = Cause(
    id="apt-repo-unsigned",
    family="apt",
    vendor="both",
    severity="blocking",
    title=Words(
        "The repository is not signed",
        "软件源没有签名",
    ),
    means=Words(
        "The repository carries no signature at all.",
        "软件源完全没有签名。",
    ),
    effect=Words(
        "apt refuses it.",
        "apt 拒绝该软件源。",
    ),
    fix=Words(
        "Use a signed channel; if it must be this one, a local mirror signed by a key of one's own rather than trusted=yes.",
        "使用有签名的渠道；若必须使用它，则建立用自己密钥签名的本地镜像，而不是 trusted=yes。",
    ),
    follows=(
        "apt-signing-key-missing",
        "apt-signing-key-expired",
        "apt-repo-moved",
    ),
    messages=MESSAGES,
)
