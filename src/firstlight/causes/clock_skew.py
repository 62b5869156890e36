"""The clock is behind dates that lie in the past."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..facts.model import Facts
from ..words import Words
from ._trust import cases, evidence
from .messages import Message
from .model import CLEAR, Cause, Evidence, Found, Judgement, Remedy, missing

if TYPE_CHECKING:
    from ..catalog.debian.trust_model import Trust

SLACK = 600.0
"""Seconds that the machine which made the evidence may have been ahead."""
DAY = 86400.0


def judge(facts: Facts) -> Judgement:
    """Found if now is earlier than a date that must have passed. A clock ahead of time cannot be told by facts alone,
    and one that nothing synchronises may still be right."""
    clock = facts.clock
    lacking = missing(("clock.now", clock.now), ("clock.newest_evidence", clock.newest_evidence))
    if lacking:
        return lacking
    if not isinstance(clock.now, (float, int)) or not isinstance(clock.newest_evidence, (float, int)):
        return CLEAR
    behind = clock.newest_evidence - clock.now
    if behind <= SLACK:
        return CLEAR
    source = clock.evidence_source if isinstance(clock.evidence_source, str) else "a date on this machine"
    return Found(
        evidence=(
            Evidence("clock.now", _date(clock.now), "clock"),
            Evidence("clock.newest_evidence", _date(clock.newest_evidence), source),
        ),
        values={"behind": _shown(behind)},
        severity="blocking" if behind >= DAY else "degrading",
        remedy=_remedy(facts),
    )


def judge_trust(facts: Facts, trust: Trust) -> Judgement:
    """Also found if what a trusted key signed, or a signature itself, lies in the future."""
    found = judge(facts)
    ahead = cases(trust, "release-from-future", "signature-from-future")
    if isinstance(found, Found) or not ahead:
        return found
    behind = max((problem.since or 0.0) - trust.now for _, problem in ahead)
    return Found(
        evidence=(Evidence("clock.now", _date(trust.now), "clock"), *(evidence(case) for case in ahead[:2])),
        values={"behind": _shown(behind)},
        severity="blocking" if behind >= DAY else "degrading",
        remedy=_remedy(facts),
    )


def _shown(seconds: float) -> str:
    return f"{seconds / DAY:.1f} d" if seconds >= DAY else f"{seconds / 3600:.1f} h"


def _remedy(facts: Facts) -> tuple[Remedy, ...]:
    why = Words("Lets the machine take the time from the network.", "让机器从网络取得时间。")
    if facts.virtual.wsl is True:
        why = Words("Sets the clock from that of Windows.", "用 Windows 的时间校正时钟。")
        return (Remedy(("hwclock", "-s"), root=True, why=why),)
    return (Remedy(("timedatectl", "set-ntp", "true"), root=True, why=why),)


def _date(seconds: float) -> str:
    import time

    try:
        return time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(seconds))
    except (OverflowError, ValueError, OSError):
        return f"{seconds:.0f}"


# messages
MESSAGES = (
    Message(r"is not valid yet \(invalid for another (?P<behind>[^)]{2,40})\)", 0.97, told=Words("The clock is behind by at least {behind}.", "时钟至少慢 {behind}。")),
    Message(r"(?i)certificate (?:is )?not (?:yet valid|valid yet)", 0.93),
    Message(r"(?i)not yet activated", 0.85),
    Message(r"The certificate chain uses not yet valid certificate", 0.93),
    Message(r"invalid peer certificate: (?:NotValidYet|Expired)", 0.8),
    Message(r"certificate has expired or is not yet valid", 0.82),
    Message(r"x509: certificate has expired or is not yet valid: current time (?P<now>\S{10,30}) is before (?P<from>\S{10,30})", 0.97, told=Words("The clock says {now}.", "时钟显示 {now}。")),
    Message(r"System clock synchronized: no", 0.55, needs=("cert-time-words", "apt-not-valid-yet")),
    Message(r"(?i)clock skew detected", 0.6),
    Message(r"signature .{0,20}in the future", 0.85),
    Message(r"key \w{8,40} was created \d{1,10} seconds? in the future", 0.95),
    Message(r"has modification time .{0,20} in the future", 0.5),
)  # fmt: skip

CAUSE = Cause(
    id="clock-skew",
    family="network",
    vendor="both",
    severity="blocking",
    title=Words("The clock is at least {behind} behind", "时钟至少慢了 {behind}"),
    means=Words(
        "The machine's clock is wrong, so signatures and certificates look not yet valid or expired.",
        "机器时钟不对，因此签名和证书看起来尚未生效或已经过期。",
    ),
    effect=Words(
        "apt rejects repositories as not valid yet, TLS connections fail, and keys look as if made in the future.",
        "apt 认为软件源尚未生效而拒绝，TLS 连接失败，密钥看起来像是未来生成的。",
    ),
    fix=Words(
        "Synchronise the clock (timedatectl set-ntp true; in WSL hwclock -s or wsl --shutdown), then try again.",
        "同步时钟（timedatectl set-ntp true；WSL 中用 hwclock -s 或 wsl --shutdown），然后再试。",
    ),
    judge=judge,
    messages=MESSAGES,
    judge_trust=judge_trust,
)
