"""A Release names its indices by weak hashes only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..facts.model import Facts
from ..words import Words
from ._trust import Case, edit, judged, untold
from .model import Cause, Judgement, Remedy

if TYPE_CHECKING:
    from ..catalog.debian.trust_model import Trust


def judge_trust(facts: Facts, trust: Trust) -> Judgement:  # noqa: ARG001 - the causes' common form
    """Found if it has neither SHA-256 nor SHA-512."""
    return judged(trust, ("weak-hashes",), _remedy)


def _remedy(found: list[Case]) -> tuple[Remedy, ...]:
    return (edit(found, Words("use a newer suite of the publisher's.", "改用该发布者较新的软件源。")),)


CAUSE = Cause(
    id="apt-release-weak-hashes",
    family="apt",
    vendor="both",
    severity="degrading",
    title=Words("{sources} names its files by weak hashes only", "{sources} 仅用弱哈希列出文件"),
    means=Words(
        "The Release file names its indices by MD5 or SHA-1 only, which apt does not take for security.",
        "Release 文件仅用 MD5 或 SHA-1 列出索引，apt 不认为其足够安全。",
    ),
    effect=Words("apt takes nothing from there: {why}.", "apt 不从该处获取任何内容：{why}。"),
    fix=Words(
        "Use a newer release of the repository; ask its publisher for SHA-256.",
        "改用该软件源较新的版本；请发布者提供 SHA-256。",
    ),
    judge=untold,
    judge_trust=judge_trust,
)
