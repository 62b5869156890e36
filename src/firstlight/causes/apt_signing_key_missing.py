"""apt has no key for the signature of a source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..facts.model import Facts
from ..words import Words
from ._trust import Case, fetch_keys, judged, untold
from .messages import Message
from .model import Cause, Judgement, Known, Remedy

if TYPE_CHECKING:
    from ..catalog.debian.trust_model import Trust


def judge_trust(facts: Facts, trust: Trust) -> Judgement:  # noqa: ARG001 - the causes' common form
    """Found if the key that signs a Release is in none of the keyrings that apt takes for it, or if the keyring that
    the source names is not there or cannot be used."""
    return judged(trust, ("keyring-missing", "keyring-unusable", "key-missing"), _remedy)


def _remedy(found: list[Case]) -> tuple[Remedy, ...]:
    return fetch_keys(found)


# messages
MESSAGES = (
    Message(r"NO_PUBKEY (?P<key>[0-9A-F]{8,40})", 0.96, unless=("clock-ahead",), told=Words("apt has no key {key}.", "apt 没有密钥 {key}。")),
    Message(r"Missing key (?P<key>[0-9A-F]{8,40}), which is needed to verify signature", 0.96, told=Words("apt has no key {key}.", "apt 没有密钥 {key}。")),
    Message(r"signatures couldn't be verified because the public key is not available", 0.9),
    Message(r"signatures couldn't be verified because no keyring is specified", 0.9),
    Message(r"gpgv: Can't check signature: No public key", 0.85),
    Message(r"The key\(s\) in the keyring (?P<file>\S{1,120}) are ignored as the file", 0.9, told=Words("apt ignores the keyring {file}.", "apt 忽略密钥环 {file}。")),
    Message(r"GPG check FAILED", 0.75),
    Message(r"Public key for \S{1,120} is not installed", 0.85),
    Message(r"Signature verification failed \[4-Signatures public key is not available\]", 0.9),
)  # fmt: skip

CAUSE = Cause(
    id="apt-signing-key-missing",
    family="apt",
    vendor="both",
    severity="degrading",
    title=Words("apt has no key for {sources}", "apt 没有用于 {sources} 的密钥"),
    means=Words(
        "apt holds no key that matches the signature of a vendor repository, so it ignores the repository.",
        "apt 没有与厂商软件源签名相符的密钥，因此忽略该软件源。",
    ),
    effect=Words(
        "apt takes nothing from there: {why}.",
        "apt 不从该处获取任何内容：{why}。",
    ),
    fix=Words(
        "Fetch the vendor's current key, store it (dearmoured) in /etc/apt/keyrings, name it with signed-by in that "
        "source entry, run apt update. Remove a stray second entry for the same vendor.",
        "获取厂商的现用密钥，以二进制形式存入 /etc/apt/keyrings，在该软件源条目中用 signed-by 指定，"
        "再运行 apt update。删除同一厂商多余的条目。",
    ),
    known=(
        Known("https://github.com/NVIDIA/cuda-repo-management/issues/4", first_seen="2022-04-28"),
        Known("https://github.com/Grench6/RX580-rocM-tensorflow-ubuntu20.4-guide/issues/11", first_seen="2021-11-16"),
    ),
    messages=MESSAGES,
    judge=untold,
    judge_trust=judge_trust,
)
