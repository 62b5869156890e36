"""The stored copy of a vendor's key has expired."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

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
    severity="blocking",
    title=Words(
        "The stored signing key has expired",
        "保存的签名密钥已过期",
    ),
    means=Words(
        "The stored copy of the vendor's signing key has passed its expiry date.",
        "本机保存的厂商签名密钥已过有效期。",
    ),
    effect=Words(
        "apt rejects the repository, or goes on with old lists and looks healthy.",
        "apt 拒绝该软件源，或继续使用旧列表而看似正常。",
    ),
    fix=Words(
        "Download the key again, replace the stored copy (also an old one in trusted.gpg), run apt update.",
        "重新下载密钥，替换本机副本（包括 trusted.gpg 中的旧副本），再运行 apt update。",
    ),
    messages=MESSAGES,
)
