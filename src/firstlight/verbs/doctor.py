"""What stands in the way?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from ..causes import diagnose
from ..causes.model import Evidence, Finding, Known, Severity, Verdict
from ..facts import Facts
from ..host import Host, open_host
from ..host.model import Missing
from ..project.model import Backend
from ..words import Lang
from .answer import Answer
from .facts import read
from .trusting import trusted

_OF_ENVIRONMENTS = ("wheel", "python")
"""Families of causes that lie in a Python environment, not in the machine."""


class DoctorRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Which machine, and the folder of the project on it."""

    host: str = "live"
    project: str | None = None
    lang: Lang = "en"


class RemedyAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to do; `argv` is empty for what no command does."""

    argv: tuple[str, ...]
    root: bool
    why: str


class FindingAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One cause judged on the machine."""

    id: str
    verdict: Verdict
    severity: Severity
    family: str
    vendor: Literal["amd", "nvidia", "both"]
    title: str
    evidence: tuple[Evidence, ...]
    effect: str
    remedy: tuple[RemedyAnswer, ...]
    known: tuple[Known, ...]
    follows: str | None
    needs: tuple[str, ...]


class FixStep(msgspec.Struct, frozen=True, kw_only=True):
    """One step of a change of the machine. `right`: nothing had to be done."""

    kind: str
    subject: str
    state: Literal["right", "done", "failed"]
    ms: float


class FixedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What `--fix` did about one finding. `mended`: judged again, it is gone; `waits`: it counts after a reboot or a
    new login; `not-mended`: all was done and it is still found; `refused`: there was no consent; `by-hand`: nothing
    that we could take back; `failed`: a step failed, and all was taken back."""

    id: str
    title: str
    state: Literal["mended", "waits", "not-mended", "refused", "by-hand", "failed"]
    commands: tuple[tuple[str, ...], ...]
    """As root, in order."""
    by_hand: tuple[tuple[str, ...], ...]
    """Argument vectors that are left to the person: firstlight could not take them back."""
    told: tuple[str, ...]
    """What no command does."""
    waits_for: Literal["reboot", "login"] | None
    change: str | None = None
    """Number of the change, for `rollback --system`; null where nothing was changed."""
    steps: tuple[FixStep, ...] = ()
    why: str | None = None


class DoctorAnswer(Answer, frozen=True, kw_only=True, tag="firstlight.doctor/1"):
    """Every cause of the catalogue judged: found ones first, root causes before their consequences."""

    host: str
    findings: tuple[FindingAnswer, ...]
    fixed: tuple[FixedAnswer, ...] | None = None
    """With `--fix`: what was done; `findings` are those of afterwards."""

    @property
    def found(self) -> tuple[FindingAnswer, ...]:
        """Those that the facts prove."""
        return tuple(finding for finding in self.findings if finding.verdict == "found")

    @property
    def unjudged(self) -> tuple[FindingAnswer, ...]:
        """Those that the facts do not decide."""
        return tuple(finding for finding in self.findings if finding.verdict == "unknown")

    @property
    def blocks(self) -> bool:
        """Whether something that was found stands in the way."""
        return any(finding.severity == "blocking" for finding in self.found)

    def blocks_anew(self, backend: Backend | None) -> bool:
        """Whether something stands in the way of a new environment for `backend`: not the faults of one that is there,
        nor those of the other vendor's GPUs."""
        other = {"rocm": "nvidia", "cuda": "amd"}.get(backend or "")
        blocking = [one for one in self.found if one.severity == "blocking"]
        return any(one.family not in _OF_ENVIRONMENTS and one.vendor != other for one in blocking)

    @property
    def exit_code(self) -> int:
        """1 if something blocks; 3 if the recording lacks what it takes to judge a blocking cause; 4 if `--fix` had no
        consent for something."""
        if any(one.state == "refused" for one in self.fixed or ()):
            return 4
        if self.blocks:
            return 1
        return 3 if any(_lacks_recording(finding) for finding in self.unjudged) else 0


def doctor(request: DoctorRequest) -> DoctorAnswer:
    """Judge every cause on the machine. Changes nothing."""
    host = open_host(request.host)
    return judge(host, read(host, request.project), request.lang)


def judge(host: Host, facts: Facts, lang: Lang) -> DoctorAnswer:
    """Every cause judged on `facts`, and on what signs the apt sources of `host`."""
    return answer(facts.origin.label, diagnose(facts, trusted(host, facts)), lang)


def answer(label: str, findings: Sequence[Finding], lang: Lang) -> DoctorAnswer:
    """The findings on the machine called `label`, with their words in one language."""
    return DoctorAnswer(host=label, findings=tuple(_finding(finding, lang) for finding in findings))


def _lacks_recording(finding: FindingAnswer) -> bool:
    reason = f"({Missing.NOT_CAPTURED.value}"
    return finding.severity == "blocking" and any(reason in need for need in finding.needs)


def _finding(finding: Finding, lang: Lang) -> FindingAnswer:
    return FindingAnswer(
        id=finding.id,
        verdict=finding.verdict,
        severity=finding.severity,
        family=finding.family,
        vendor=finding.vendor,
        title=finding.title.say(lang),
        evidence=finding.evidence,
        effect=finding.effect.say(lang),
        remedy=tuple(RemedyAnswer(argv=one.argv, root=one.root, why=one.why.say(lang)) for one in finding.remedy),
        known=finding.known,
        follows=finding.follows,
        needs=finding.needs,
    )
