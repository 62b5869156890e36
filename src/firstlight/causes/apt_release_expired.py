"""The Release of a source is past its Valid-Until."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..facts.model import Facts
from ..words import Words
from ._trust import Case, edit, judged, renew, untold
from .messages import Message
from .model import Cause, Judgement, Remedy

if TYPE_CHECKING:
    from ..catalog.debian.trust_model import Trust


def judge_trust(facts: Facts, trust: Trust) -> Judgement:  # noqa: ARG001 - the causes' common form
    """Found by the machine's clock. One that is known to be behind would only hide it."""
    return judged(trust, ("release-expired",), _remedy)


def _remedy(found: list[Case]) -> tuple[Remedy, ...]:
    mirror = Words(
        "if it stays so: name a mirror that is alive, or go round the cache in between; for a snapshot that is meant "
        "to stay, set check-valid-until=no for this source alone.",
        "如仍如此：改用仍在更新的镜像，或绕过中间的缓存；如为有意固定的快照，只对该软件源设置 check-valid-until=no。",
    )
    return (renew(found), edit(found, mirror))


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
    severity="degrading",
    title=Words("the lists of {sources} are past their Valid-Until", "{sources} 的列表已过 Valid-Until"),
    means=Words(
        "The repository's Release file is past its Valid-Until date, so its lists are stale.",
        "软件源的 Release 文件已过 Valid-Until 日期，因此其列表陈旧。",
    ),
    effect=Words(
        "What was published since is not seen, security updates too; apt update refuses such a copy: {why}.",
        "看不到此后发布的内容（包括安全更新）；apt update 会拒绝这样的副本：{why}。",
    ),
    fix=Words(
        "Use a live mirror or go round the cache; for a snapshot set Check-Valid-Until=no on that source only.",
        "使用仍在更新的镜像或绕过缓存；对快照仅在该软件源上设置 Check-Valid-Until=no。",
    ),
    messages=MESSAGES,
    judge=untold,
    judge_trust=judge_trust,
)
