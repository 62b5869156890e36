"""A signature, or the key itself, rests on SHA-1, which the machine's apt refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..facts.model import Facts
from ..words import Words
from ._trust import Case, fetch_keys, judged, untold
from .messages import Message
from .model import Cause, Judgement, Known, Remedy

if TYPE_CHECKING:
    from ..catalog.debian.trust_model import Trust

POLICY = "/etc/crypto-policies/back-ends/apt-sequoia.config"


def judge_trust(facts: Facts, trust: Trust) -> Judgement:  # noqa: ARG001 - the causes' common form
    """Found if the signature of a Release rests on SHA-1 or worse, which every apt refuses; or the binding of the key
    that signs it, which apt with sqv refuses from the date on that its policy names."""
    return judged(trust, ("weak-digest", "weak-binding"), _remedy)


def _remedy(found: list[Case]) -> tuple[Remedy, ...]:
    remedies = fetch_keys(found)
    if not any(problem.kind == "weak-binding" for _, problem in found):
        return remedies
    why = Words(
        f"Only where the vendor has no other key yet: copy /usr/share/apt/default-sequoia.config to {POLICY}, and set "
        "sha1.second_preimage_resistance there to a date soon. It counts for every source.",
        f"仅在厂商尚无其他密钥时：将 /usr/share/apt/default-sequoia.config 复制为 {POLICY}，"
        "并把其中的 sha1.second_preimage_resistance 设为不久之后的日期。它对所有软件源生效。",
    )
    return (*remedies, Remedy((), root=True, why=why))


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
    severity="degrading",
    title=Words("apt refuses SHA-1 in what signs {sources}", "apt 拒绝 {sources} 签名中的 SHA-1"),
    means=Words(
        "apt verifies with Sequoia (sqv), whose policy refuses SHA-1 signatures on the key or on the repository.",
        "apt 使用 Sequoia（sqv）验证，其策略拒绝密钥或软件源上的 SHA-1 签名。",
    ),
    effect=Words(
        "apt takes nothing from there: {why}.",
        "apt 不从该处获取任何内容：{why}。",
    ),
    fix=Words(
        "Install the vendor's re-signed (SHA-256 or better) key or keyring package. Until there is one, a dated "
        "exception in the apt-sequoia policy file, for this purpose only.",
        "安装厂商重新签名（SHA-256 或更强）的密钥或密钥环软件包。"
        "在此之前，可仅为此目的在 apt-sequoia 策略文件中设置有期限的例外。",
    ),
    known=(
        Known("https://github.com/ROCm/legacy-rocm-build/issues/5619", first_seen="2025-11-03", fixed_in="7.1"),
        Known("https://github.com/NVIDIA/cuda-repo-management/issues/34", first_seen="2025-12-25"),
        Known("https://github.com/NVIDIA/cuda-repo-management/issues/39", first_seen="2026-02-02"),
    ),
    messages=MESSAGES,
    judge=untold,
    judge_trust=judge_trust,
)
