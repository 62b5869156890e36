"""A source has no signature at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..facts.model import Facts
from ..words import Words
from ._trust import Case, edit, judged, untold
from .messages import Message
from .model import Cause, Judgement, Remedy

if TYPE_CHECKING:
    from ..catalog.debian.trust_model import Trust


def judge_trust(facts: Facts, trust: Trust) -> Judgement:  # noqa: ARG001 - the causes' common form
    """Found if what apt has of a source is a Release without a signature, or it is told to take it for one."""
    return judged(trust, ("unsigned", "trusted-no"), _remedy)


def _remedy(found: list[Case]) -> tuple[Remedy, ...]:
    what = Words(
        "use a signed channel of the same publisher; if it must be this one, mirror it and sign the mirror with a key "
        "of your own, rather than trusted=yes.",
        "改用同一发布者带签名的渠道；如必须使用它，请建立镜像并用自己的密钥签名，而不要设置 trusted=yes。",
    )
    return (edit(found, what),)


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
    severity="degrading",
    title=Words("{sources} is not signed", "{sources} 没有签名"),
    means=Words(
        "The repository carries no signature at all.",
        "该软件源完全没有签名。",
    ),
    effect=Words(
        "apt takes nothing from there, or nobody knows what it installs: {why}.",
        "apt 不从该处获取任何内容，否则无人知道装的是什么：{why}。",
    ),
    fix=Words(
        "Use a signed channel; if it must be this one, a local mirror signed by a key of one's own rather than "
        "trusted=yes.",
        "使用带签名的渠道；如必须使用它，建立用自己密钥签名的本地镜像，而不是 trusted=yes。",
    ),
    follows=(
        "apt-signing-key-missing",
        "apt-signing-key-expired",
        "apt-repo-moved",
    ),
    messages=MESSAGES,
    judge=untold,
    judge_trust=judge_trust,
)
