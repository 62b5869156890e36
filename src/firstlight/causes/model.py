"""A named reason why bring-up fails, and what it is judged to be on a machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, Union

import msgspec

from ..facts.model import Facts, Unknown
from ..words import Words
from .changes import Change
from .messages import Message

if TYPE_CHECKING:
    from ..catalog.debian.trust_model import Trust

Severity = Literal["blocking", "degrading", "advice"]
Verdict = Literal["found", "clear", "unknown"]


class Evidence(msgspec.Struct, frozen=True):
    """One fact that proves a finding."""

    fact: str
    """Path in `firstlight facts --json`, e.g. `kernel.cmdline`."""
    value: str
    source: str
    """The file, or the word, that it was read from."""


class Remedy(msgspec.Struct, frozen=True):
    """One thing to do. `argv` empty: something that no command does (firmware setup, a new login)."""

    argv: tuple[str, ...]
    root: bool
    why: Words
    """What it does and why, with no place left to fill."""
    change: Change | None = None
    """The same as data, which `doctor --fix` carries out and can take back. None: it is only told; so are those that
    are an alternative to what stands before them."""


class Known(msgspec.Struct, frozen=True):
    """A public report of the cause. Null: not known to us."""

    url: str
    first_seen: str | None = None
    """Version or ISO date."""
    fixed_in: str | None = None


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """The facts prove the cause."""

    evidence: tuple[Evidence, ...]
    values: Mapping[str, str | Words] = {}
    """What fills the places in the cause's words."""
    severity: Severity | None = None
    """Where it differs from the cause's own."""
    remedy: tuple[Remedy, ...] = ()


class Clear(msgspec.Struct, frozen=True):
    """The facts rule the cause out, or it cannot apply here."""


class NotKnown(msgspec.Struct, frozen=True):
    """The facts do not decide it."""

    needs: tuple[str, ...]
    """Fact paths, each with the reason: `kernel.release (not-captured)`."""


Judgement = Union[Found, Clear, NotKnown]
CLEAR = Clear()


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """One file under `causes/` defines one, as CAUSE."""

    id: str
    """Kebab-case, from the catalogue."""
    family: str
    vendor: Literal["amd", "nvidia", "both"]
    severity: Severity
    title: Words
    """One line; `{name}` places are filled from `Found.values`."""
    means: Words
    """What it is, without a machine in view; no places."""
    effect: Words
    """What it does to the user here."""
    fix: Words
    """The remedy in general, without a machine in view; no places."""
    follows: tuple[str, ...] = ()
    """Causes of which this one is a mere consequence when they are found on the same machine."""
    known: tuple[Known, ...] = ()
    judge: Callable[[Facts], Judgement] | None = None
    """None: facts of a machine cannot tell; `doctor` leaves it out."""
    judge_trust: Callable[[Facts, Trust], Judgement] | None = None
    """For causes that lie in what signs apt's sources: takes the place of `judge` wherever that was looked at."""
    messages: tuple[Message, ...] = ()
    """What software prints when it is at work."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A cause judged on a host."""

    id: str
    verdict: Verdict
    severity: Severity
    family: str
    vendor: Literal["amd", "nvidia", "both"] = "both"
    """Whose hardware it stands in the way of."""
    title: Words
    evidence: tuple[Evidence, ...]
    effect: Words
    remedy: tuple[Remedy, ...]
    known: tuple[Known, ...]
    follows: str | None
    """Id of the finding that this one is a consequence of."""
    needs: tuple[str, ...]
    """For `unknown`: the facts that are missing, and why they are."""


def missing(*wanted: tuple[str, object]) -> NotKnown | None:
    """NotKnown naming those of (fact path, value) that are Unknown; None if all are known."""
    needs = tuple(f"{path} ({value.unknown}: {value.source})" for path, value in wanted if isinstance(value, Unknown))
    return NotKnown(needs) if needs else None


def judge_all(causes: Sequence[Cause], facts: Facts, trust: Trust | None = None) -> list[Finding]:
    """Every cause that facts can tell judged, in the order given. Costs one call of each predicate. `trust`: None: it
    was not looked at."""
    judged = ((cause, _judged(cause, facts, trust)) for cause in causes)
    return [_finding(cause, one) for cause, one in judged if one is not None]


def _judged(cause: Cause, facts: Facts, trust: Trust | None) -> Judgement | None:
    if trust is not None and cause.judge_trust is not None:
        return cause.judge_trust(facts, trust)
    return cause.judge(facts) if cause.judge is not None else None


def _finding(cause: Cause, judgement: Judgement) -> Finding:
    found = judgement if isinstance(judgement, Found) else None
    values = found.values if found else {}
    return Finding(
        id=cause.id,
        verdict="found" if found else "unknown" if isinstance(judgement, NotKnown) else "clear",
        severity=(found and found.severity) or cause.severity,
        family=cause.family,
        vendor=cause.vendor,
        title=cause.title.fill(**values) if found else cause.means,
        evidence=found.evidence if found else (),
        effect=cause.effect.fill(**values) if found else cause.effect,
        remedy=found.remedy if found else (),
        known=cause.known,
        follows=None,
        needs=judgement.needs if isinstance(judgement, NotKnown) else (),
    )
