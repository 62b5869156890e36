"""The repository's Release file is past its date."""

from __future__ import annotations

from ..words import Words
from .messages import Message
from .model import Cause

# messages
MESSAGES = (
    Message(r"is expired \(invalid since (?P<since>[^)]{2,40})\)", 0.95, told=Words("The Release file is invalid since {since}.", "Release 文件已失效 {since}。")),
    Message(r"Release file .{0,200} expired", 0.85),
    Message(r"E: Release file for .{1,200} is expired", 0.95),
    Message(r"Valid-Until: (?P<until>[^\n]{10,40})", 0.4, needs=("apt-expired-words",)),
)  # fmt: skip

CAUSE = Cause(
    id="apt-release-expired",
    family="apt",
    vendor="both",
    severity="blocking",
    title=Words(
        "The repository's Release file has expired",
        "软件源的 Release 文件已过期",
    ),
    means=Words(
        "The repository's Release file is past its Valid-Until date, so its lists are stale.",
        "软件源的 Release 文件已过 Valid-Until 日期，列表已陈旧。",
    ),
    effect=Words(
        "apt applies no updates from it.",
        "apt 不使用其更新。",
    ),
    fix=Words(
        "Use a live mirror or go round the cache; for a snapshot set Check-Valid-Until=no on that source only.",
        "使用仍在维护的镜像或绕过缓存；对快照仅在该软件源上设 Check-Valid-Until=no。",
    ),
    messages=MESSAGES,
)
