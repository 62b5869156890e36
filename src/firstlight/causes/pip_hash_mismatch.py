"""The file received is not the one announced."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

# messages
MESSAGES = (
    Message(r"DO NOT MATCH THE HASHES", 0.96),
    Message(r"[Hh]ash mismatch for `?(?P<package>[\w.=+-]{2,80})", 0.94, told=Words("The file of {package} is not the one announced.", "{package} 的文件与公布的不符。")),
    Message(r"(?i)hash sum mismatch", 0.8),
    Message(r"(?i)\bHashMismatch\b", 0.88),
    Message(r"Expected sha256 {1,20}(?P<wanted>[0-9a-f]{64})", 0.9),
    Message(r"File has unexpected size \(\d{1,14} != \d{1,14}\)\. Mirror sync in progress", 0.8),
    Message(r"(?i)sha256 (?:hash|checksum|digest) (?:does not match|mismatch|of .{0,80}does not match)", 0.85),
    Message(r"Bad CRC-32 for file '(?P<file>[^']{3,120})'", 0.82, told=Words("{file} arrived damaged.", "{file} 在传输中损坏。")),
    Message(r"Download failed after \d{1,2} attempts because not enough bytes were received", 0.8),
    Message(r"IncompleteRead\(\d{1,14} bytes read, \d{1,14} more expected\)", 0.62, needs=("pip",)),
)  # fmt: skip

CAUSE = Cause(
    id="pip-hash-mismatch",
    family="network",
    vendor="both",
    severity="blocking",
    title=Words(
        "A downloaded file is not the one that the index announced",
        "下载的文件与索引公布的不符",
    ),
    means=Words(
        "The file received is not the one the index announced.",
        "收到的文件与索引公布的不符。",
    ),
    effect=Words(
        "The installer refuses the file.",
        "安装程序拒绝该文件。",
    ),
    fix=Words(
        "Retry with --no-cache-dir (pip cache purge), without the proxy or mirror, or fetch with a resuming downloader and check the sum.",
        "用 --no-cache-dir 重试（pip cache purge），不经代理或镜像，或用支持续传的下载器获取并核对校验和。",
    ),
    messages=MESSAGES,
)
