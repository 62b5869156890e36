"""A vendor's source is signed by a key that is not known as the vendor's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..facts.model import Facts
from ..words import Words
from ._trust import Case, edit, fetch_keys, judged, untold
from .messages import Message
from .model import Cause, Judgement, Remedy

if TYPE_CHECKING:
    from ..catalog.debian.trust_model import Trust


def judge_trust(facts: Facts, trust: Trust) -> Judgement:  # noqa: ARG001 - the causes' common form
    """Found if what a vendor's own host serves is signed by none of the vendor's known keys, though apt takes it; or by
    none of those that the source names in Signed-By."""
    return judged(trust, ("key-unknown", "key-not-allowed"), _remedy)


def _remedy(found: list[Case]) -> tuple[Remedy, ...]:
    stop = Words(
        "install nothing from this source until it is clear whose key it is; remove a mirror that signs with its own.",
        "在确认密钥归属之前，不要从该软件源安装任何内容；移除用自有密钥签名的镜像。",
    )
    return (edit(found, stop), *fetch_keys(found))


# messages
MESSAGES = (
    Message(r"(?i)fingerprint.{0,40}(?:does not match|mismatch|differs|unexpected|not (?:the one|known))", 0.85, needs=("apt", "amd", "nvidia-card", "gpg")),
    Message(r"(?i)unknown key fingerprint", 0.8),
    Message(r"(?i)expected (?:key )?fingerprint:? {1,4}(?P<expected>[0-9A-F ]{16,60})", 0.85, told=Words("{expected} was expected.", "应为 {expected}。")),
    Message(r"(?i)primary key fingerprint: (?P<key>[0-9A-F ]{40,60})", 0.75, needs=("gpg-mirror",), told=Words("The key is {key}.", "密钥是 {key}。")),
)  # fmt: skip

CAUSE = Cause(
    id="apt-key-fingerprint-unknown",
    family="apt",
    vendor="both",
    severity="degrading",
    title=Words(
        "{sources} is signed by a key that is not the vendor's known one", "{sources} 的签名密钥并非已知的厂商密钥"
    ),
    means=Words(
        "The keyring's key is not the vendor's known one, so the source must not be trusted.",
        "密钥环中的密钥不是已知的厂商密钥，因此不得信任该软件源。",
    ),
    effect=Words(
        "Whoever holds that key can install anything as root: {why}.",
        "持有该密钥的人可以以 root 身份安装任何内容：{why}。",
    ),
    fix=Words(
        "Stop; fetch the vendor's key from the vendor's host, compare the fingerprint, replace the keyring; remove a "
        "mirror that signs with its own key.",
        "停止使用；从厂商主机获取密钥并核对指纹，替换密钥环；移除用自有密钥签名的镜像。",
    ),
    messages=MESSAGES,
    judge=untold,
    judge_trust=judge_trust,
)
