"""A source is signed by a key that its owner has revoked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..facts.model import Facts
from ..words import Words
from ._trust import fetch_keys, judged, untold
from .model import Cause, Judgement

if TYPE_CHECKING:
    from ..catalog.debian.trust_model import Trust


def judge_trust(facts: Facts, trust: Trust) -> Judgement:  # noqa: ARG001 - the causes' common form
    """Found if the keyring itself holds the revocation of the key that signs."""
    return judged(trust, ("key-revoked",), fetch_keys)


CAUSE = Cause(
    id="apt-signing-key-revoked",
    family="apt",
    vendor="both",
    severity="degrading",
    title=Words("the signing key of {sources} was revoked", "{sources} 的签名密钥已被吊销"),
    means=Words(
        "The key that signs the repository was revoked by its owner: whoever uses it now may be somebody else.",
        "签名软件源的密钥已被其所有者吊销：现在使用它的可能是他人。",
    ),
    effect=Words(
        "apt takes nothing from there: {why}.",
        "apt 不从该处获取任何内容：{why}。",
    ),
    fix=Words(
        "Get the vendor's new key from the vendor's host, compare its fingerprint, replace the keyring, run apt "
        "update; leave a mirror that still signs with the old one.",
        "从厂商主机获取新密钥并核对指纹，替换密钥环后运行 apt update；不再使用仍用旧密钥签名的镜像。",
    ),
    judge=untold,
    judge_trust=judge_trust,
)
