"""The copy of the key that signs a source has expired."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..facts.model import Facts
from ..words import Words
from ._trust import fetch_keys, judged, untold
from .messages import Message
from .model import Cause, Judgement, Known

if TYPE_CHECKING:
    from ..catalog.debian.trust_model import Trust


def judge_trust(facts: Facts, trust: Trust) -> Judgement:  # noqa: ARG001 - the causes' common form
    """Found if the keyring's copy of the key is past its end: gpgv refuses it then, sqv what is signed after it."""
    return judged(trust, ("key-expired",), fetch_keys)


# messages
MESSAGES = (
    Message(r"EXPKEYSIG (?P<key>[0-9A-F]{8,40})", 0.97, told=Words("The stored key {key} has expired.", "本机的密钥 {key} 已过期。")),
    Message(r"KEYEXPIRED (?P<at>\d{6,12})", 0.95),
    Message(r"The primary key is not live", 0.8),
    Message(r"Expired on (?P<date>\d{4}-\d\d-\d\d)", 0.7, needs=("apt",), told=Words("A key expired on {date}.", "有密钥于 {date} 过期。")),
    Message(r"is not live because.{0,40}expired", 0.85),
    Message(r"\[expired: (?P<date>\d{4}-\d\d-\d\d)\]", 0.75, told=Words("A key expired on {date}.", "有密钥于 {date} 过期。")),
)  # fmt: skip

CAUSE = Cause(
    id="apt-signing-key-expired",
    family="apt",
    vendor="both",
    severity="degrading",
    title=Words("the signing key of {sources} has expired", "{sources} 的签名密钥已过期"),
    means=Words(
        "The stored copy of the vendor's signing key has passed its expiry date.",
        "本地保存的厂商签名密钥已过有效期。",
    ),
    effect=Words(
        "apt update does not renew it, and may go on with old lists and look healthy: {why}.",
        "apt update 无法更新它，可能沿用旧列表而看似正常：{why}。",
    ),
    fix=Words(
        "Download the key again, replace the stored copy (also an old one in trusted.gpg), run apt update.",
        "重新下载密钥，替换本地副本（包括 trusted.gpg 中的旧副本），再运行 apt update。",
    ),
    known=(
        Known("https://github.com/ROCm/legacy-rocm-build/issues/487", first_seen="2018-08-02"),
        Known("https://github.com/ROCm/legacy-rocm-build/issues/1538", first_seen="2021-08-01"),
        Known("https://github.com/ROCm/legacy-rocm-build/issues/2362", first_seen="2023-08-02"),
    ),
    messages=MESSAGES,
    judge=untold,
    judge_trust=judge_trust,
)
