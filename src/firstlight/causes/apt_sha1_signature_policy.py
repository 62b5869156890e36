"""apt's verifier refuses SHA-1."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

# messages
MESSAGES = (
    Message(r"Policy will reject signature within a year", 0.92),
    Message(r"SHA1 is not considered secure", 0.97),
    Message(r"Policy rejected non-revocation signature", 0.93),
    Message(r"uses weak digest algorithm \(SHA1\)", 0.92),
    Message(r"requiring (?:second pre-image|collision) resistance", 0.9),
    Message(r"Signature by key (?P<key>[0-9A-F]{8,40}) uses weak algorithm", 0.85),
    Message(r"/usr/bin/sqv returned an error code.{0,120}(?i:sha-?1)", 0.9),
    Message(r"Weak digest algorithm.{0,30}SHA-?1", 0.85),
)  # fmt: skip

CAUSE = Cause(
    id="apt-sha1-signature-policy",
    family="apt",
    vendor="both",
    severity="blocking",
    title=Words(
        "apt refuses the SHA-1 signature of this key or repository",
        "apt 拒绝该密钥或软件源的 SHA-1 签名",
    ),
    means=Words(
        "apt verifies with Sequoia (sqv), whose policy refuses SHA-1 signatures on the key or on the repository.",
        "apt 用 Sequoia（sqv）验证，其策略拒绝密钥或软件源上的 SHA-1 签名。",
    ),
    effect=Words(
        "apt update warns, and from 2026-02-01 on refuses the repository.",
        "apt update 先是警告，自 2026-02-01 起拒绝该软件源。",
    ),
    fix=Words(
        "Install the vendor's re-signed (SHA-256 or better) key or keyring package; until there is one, a dated exception in the apt-sequoia policy file, for this purpose only.",
        "安装厂商重新签名（SHA-256 或更好）的密钥或密钥包；在此之前，仅为此目的在 apt 的 Sequoia 策略文件中加一条有期限的例外。",
    ),
    messages=MESSAGES,
)
