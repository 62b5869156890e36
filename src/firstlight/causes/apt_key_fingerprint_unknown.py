"""The key is not the vendor's known one."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

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
    severity="blocking",
    title=Words(
        "The key of this repository is not one the vendor publishes",
        "该软件源的密钥不是厂商公布的密钥",
    ),
    means=Words(
        "The keyring's key is not the vendor's known one, so the source must not be trusted.",
        "密钥环中的密钥不是厂商已知的密钥，因此不可信任该软件源。",
    ),
    effect=Words(
        "Packages from it could come from anybody, though apt accepts them.",
        "尽管 apt 接受，其中的软件包可能来自任何人。",
    ),
    fix=Words(
        "Stop; fetch the vendor's key from the vendor's host, compare the fingerprint, replace the keyring; remove a mirror that signs with its own key.",
        "停止；从厂商的主机获取密钥，核对指纹，替换密钥环；移除用自己密钥签名的镜像。",
    ),
    messages=MESSAGES,
)
