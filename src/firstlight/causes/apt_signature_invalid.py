"""The signature of a source does not hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..facts.model import Facts
from ..words import Words
from ._trust import Case, judged, renew, untold
from .model import Cause, Judgement, Remedy

if TYPE_CHECKING:
    from ..catalog.debian.trust_model import Trust


def judge_trust(facts: Facts, trust: Trust) -> Judgement:  # noqa: ARG001 - the causes' common form
    """Found if a Release is not what its key signed, is damaged, or its signature has run out."""
    return judged(trust, ("bad-signature", "signature-expired", "damaged"), _remedy)


def _remedy(found: list[Case]) -> tuple[Remedy, ...]:
    why = Words(
        "If that does not help: a proxy, cache or mirror in between serves another file than the vendor's; go round "
        "it.",
        "如仍无效：中间的代理、缓存或镜像提供的文件与厂商的不同；请绕过它。",
    )
    return (renew(found), Remedy((), root=False, why=why))


CAUSE = Cause(
    id="apt-signature-invalid",
    family="apt",
    vendor="both",
    severity="degrading",
    title=Words("the signature of {sources} does not hold", "{sources} 的签名无效"),
    means=Words(
        "What the repository serves is not what its key signed: changed on the way, cut, or signed for a time that is "
        "over.",
        "软件源提供的内容与其密钥所签不符：传输中被改动、不完整，或签名已过期。",
    ),
    effect=Words(
        "apt takes nothing from there: {why}.",
        "apt 不从该处获取任何内容：{why}。",
    ),
    fix=Words(
        "apt update again; go round proxies, caches and mirrors; if the vendor's own host serves it so, tell the "
        "vendor.",
        "再次运行 apt update；绕过代理、缓存和镜像；若厂商主机本身如此，请告知厂商。",
    ),
    judge=untold,
    judge_trust=judge_trust,
)
