"""apt has no key for a vendor's repository."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

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
    severity="blocking",
    title=Words(
        "apt has no key for this repository",
        "apt 没有该软件源的密钥",
    ),
    means=Words(
        "apt holds no key that matches the signature of a vendor repository, so it ignores the repository.",
        "apt 没有与厂商软件源签名相符的密钥，因此忽略该软件源。",
    ),
    effect=Words(
        "apt update reports NO_PUBKEY and takes nothing from the repository.",
        "apt update 报告 NO_PUBKEY，且不使用该软件源。",
    ),
    fix=Words(
        "Fetch the vendor's current key, store it (dearmoured) in /etc/apt/keyrings, name it with signed-by in that source entry, run apt update; remove a second entry of the same vendor.",
        "获取厂商当前的密钥，（去 ASCII 封装后）存入 /etc/apt/keyrings，在该软件源条目中用 signed-by 指明，再运行 apt update；删除同一厂商的重复条目。",
    ),
    messages=MESSAGES,
)
