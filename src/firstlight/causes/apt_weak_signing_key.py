"""A source is signed by a key that is too weak."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..facts.model import Facts
from ..words import Words
from ._trust import fetch_keys, judged, untold
from .model import Cause, Judgement

if TYPE_CHECKING:
    from ..catalog.debian.trust_model import Trust


def judge_trust(facts: Facts, trust: Trust) -> Judgement:  # noqa: ARG001 - the causes' common form
    """Found for RSA keys below 2048 bits and DSA keys: refused by apt 2.9 and later, accepted before."""
    return judged(trust, ("weak-key",), fetch_keys)


CAUSE = Cause(
    id="apt-weak-signing-key",
    family="apt",
    vendor="both",
    severity="degrading",
    title=Words("{sources} is signed by a weak key", "{sources} 的签名密钥强度不足"),
    means=Words(
        "The repository is signed by a key (RSA below 2048 bits, DSA) that apt 2.9 and later refuse.",
        "软件源的签名密钥（低于 2048 位的 RSA，或 DSA）会被 apt 2.9 及更新版本拒绝。",
    ),
    effect=Words(
        "Newer versions of apt take nothing from there, older ones still do: {why}.",
        "较新的 apt 不从该处获取任何内容，旧版仍接受：{why}。",
    ),
    fix=Words(
        "Get the publisher's present key, with its fingerprint compared; ask for one if there is none.",
        "获取发布者的现用密钥并核对指纹；如尚无更强的密钥，请向其提出。",
    ),
    judge=untold,
    judge_trust=judge_trust,
)
