"""Mend what stands in the way, with consent, by steps that can be taken back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from ..causes import diagnose
from ..causes.changes import Change, Install, NewLogin, Packages, Reboot
from ..causes.model import Finding
from ..errors import ConsentNeeded, FirstlightError, UsageError
from ..host import Host, open_host
from ..host.model import HostKind
from ..progress import Reporter
from ..project.model import Sources
from ..project.settings import Flags
from ..words import Lang, Words
from .doctor import DoctorAnswer, FixedAnswer, FixStep, answer
from .facts import read
from .place import wanted
from .trusting import trusted

State = Literal["mended", "waits", "not-mended", "refused", "by-hand", "failed"]
_RECORDED = Words("only this machine can be mended, and {host} is a recording", "只能修复本机，而 {host} 是录制内容")
_LIVE = Words("leave `--host` out, or use `overlay:FOLDER`", "请去掉 `--host`，或使用 `overlay:文件夹`")
_NO_SUCH = Words("`{id}` was not found on this machine, so there is nothing to mend", "本机未发现 `{id}`，无需修复")
_LIST = Words("`firstlight doctor` lists what was found", "`firstlight doctor` 会列出发现的问题")
CUT = "unfinished-change"
"""In place of the id of a cause."""
_CUT = Words("change {id} of this machine was cut off, and is brought to an end", "本机的更改 {id} 曾被中断，现在收尾")
_LOOKING = Words("judging again: {id}", "重新判断：{id}")


class FixRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Which machine, which of its findings (None: all that block or degrade), and whether that is consented to."""

    host: str = "live"
    project: str | None = None
    only: str | None = None
    consent: bool = False
    lang: Lang = "en"


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What one consent is asked for."""

    id: str
    title: Words
    commands: tuple[tuple[str, ...], ...]
    """What would be run as root, in order."""
    by_hand: tuple[tuple[str, ...], ...] = ()
    """What is left for the person."""
    removed: tuple[str, ...] = ()
    downgraded: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    """Packages whose present version could not be brought back."""

    @property
    def harms(self) -> bool:
        """Whether the consent has to be for a harm that is named."""
        return bool(self.removed or self.downgraded or self.lost)


Ask = Callable[[Question], "bool | None"]
"""None: there is nobody to ask."""


class _Mending(msgspec.Struct, frozen=True, kw_only=True):
    """What a finding's remedies come to on this machine."""

    parts: tuple[Change, ...]
    question: Question
    waits_for: Literal["reboot", "login"] | None
    done: bool
    """There are steps, and all of them are right."""


def fix(request: FixRequest, reporter: Reporter, ask: Ask) -> DoctorAnswer:
    """Each finding in turn: say exactly what would be run, ask, do it, judge its cause again. Raises UsageError for a
    recorded machine and for an id that was not found."""
    host = open_host(request.host)
    if host.kind not in (HostKind.LIVE, HostKind.OVERLAY):
        raise UsageError(_RECORDED.fill(host=request.host), next=_LIVE)
    sources = wanted(request.project, Flags()).sources
    cut = _settled(request, reporter, ask)
    findings = _found(host, request)
    done: dict[str, FixedAnswer] = {cut.id: cut} if cut else {}
    if cut is not None and cut.state != "mended":  # nothing else can be changed before
        return msgspec.structs.replace(answer(host.label, findings, request.lang), fixed=(cut,))
    while (finding := _next(findings, done, request.only)) is not None:
        fixed, changed = _one(finding, request, sources, reporter, ask)
        done[finding.id] = fixed
        if changed:
            reporter.begin("fix", _LOOKING.fill(id=finding.id))
            findings = _found(open_host(request.host), request)
            reporter.end("fix", _LOOKING.fill(id=finding.id), ok=True)
            done[finding.id] = _judged(fixed, findings)
    if request.only is not None and request.only not in done:
        raise UsageError(_NO_SUCH.fill(id=request.only), next=_LIST)
    return msgspec.structs.replace(answer(host.label, findings, request.lang), fixed=tuple(done.values()))


def _settled(request: FixRequest, reporter: Reporter, ask: Ask) -> FixedAnswer | None:
    """A change that was cut off comes to its end before anything else. None: there is none."""
    from ..steps.system import Ground
    from ..steps.system.elevated import settle_as_root
    from ..steps.system.kept import change_of
    from ..steps.system.preview import preview
    from ..steps.system.unfinished import unfinished

    id = unfinished(Ground())
    if id is None:
        return None
    state: State = "refused"
    commands: tuple[tuple[str, ...], ...] = ()
    why: str | None = None
    try:
        seen = preview(change_of(Ground(), id), Ground())
        commands = (
            ("dpkg", "--configure", "-a"),
            *(argv for one in seen.steps if not one.right for argv in one.commands),
        )
        if request.consent or ask(Question(id=CUT, title=_CUT.fill(id=id), commands=commands)):
            settle_as_root(reporter)
            state = "mended"
    except FirstlightError as error:
        why = _why(error, request.lang)
        state = "refused" if isinstance(error, ConsentNeeded) else "failed"
    return FixedAnswer(
        id=CUT, title=_CUT.fill(id=id).say(request.lang), state=state, commands=commands, by_hand=(), told=(),
        waits_for=None, change=id if state == "mended" else None, why=why,
    )  # fmt: skip


def _found(host: Host, request: FixRequest) -> tuple[Finding, ...]:
    facts = read(host, request.project)
    return diagnose(facts, trusted(host, facts))


def _next(findings: Sequence[Finding], done: dict[str, FixedAnswer], only: str | None) -> Finding | None:
    """The first that was found and not treated yet. What follows from another waits until that is gone; what is worth
    knowing only is mended when it is named."""
    standing = {one.id for one in findings if one.verdict == "found"}
    for one in findings:
        if one.verdict != "found" or one.id in done:
            continue
        if one.id == only or (only is None and one.severity != "advice" and one.follows not in standing):
            return one
    return None


def _one(
    finding: Finding, request: FixRequest, sources: Sources, reporter: Reporter, ask: Ask
) -> tuple[FixedAnswer, bool]:
    """How it ended, and whether the machine was changed."""
    try:
        mending = _mending(finding, sources)
    except FirstlightError as error:
        by_hand = tuple(("sudo", *one.argv) if one.root else one.argv for one in finding.remedy if one.argv)
        return _told(finding, request, "by-hand", by_hand=by_hand, error=error), False
    if not mending.question.commands:
        # all that we can do was done before
        state: State = "waits" if mending.done and mending.waits_for else "by-hand"
        return _told(finding, request, state, by_hand=mending.question.by_hand, waits=mending.waits_for), False
    agreed = True if request.consent else ask(mending.question)
    if not agreed:
        return _told(finding, request, "refused", mending=mending), False
    return _done(finding, mending, request, reporter)


def _done(finding: Finding, mending: _Mending, request: FixRequest, reporter: Reporter) -> tuple[FixedAnswer, bool]:
    from ..steps.system import SystemChange
    from ..steps.system.elevated import apply_as_root

    change = SystemChange(reason=finding.id, parts=mending.parts)
    try:
        applied = apply_as_root(change, reporter, accept_loss=bool(mending.question.lost))
    except ConsentNeeded as error:
        return _told(finding, request, "refused", mending=mending, error=error), False
    except FirstlightError as error:
        return _told(finding, request, "failed", mending=mending, error=error), False
    steps = tuple(FixStep(kind=one.kind, subject=one.subject, state=one.state, ms=one.ms) for one in applied.steps)
    fixed = _told(finding, request, "not-mended", mending=mending)
    return msgspec.structs.replace(fixed, change=applied.id, steps=steps), True


def _judged(fixed: FixedAnswer, findings: Sequence[Finding]) -> FixedAnswer:
    """Its cause judged again. A membership of a group is there, and counts from the next login only; what counts from
    the next boot is still found until then."""
    found = any(one.id == fixed.id and one.verdict == "found" for one in findings)
    waits = fixed.waits_for == "login" or (found and fixed.waits_for == "reboot")
    state: State = "waits" if waits else "not-mended" if found else "mended"
    return msgspec.structs.replace(fixed, state=state)


def _mending(finding: Finding, sources: Sources) -> _Mending:
    """Raises FirstlightError where this machine has not what a step needs."""
    from ..steps.system import Ground, SystemChange, preview
    from ..steps.system.fetching import with_content

    parts = tuple(with_content(one, sources) for one in _exact([one.change for one in finding.remedy if one.change]))
    waits: Literal["reboot", "login"] | None = "login" if _has(parts, NewLogin) else None
    waits = "reboot" if _has(parts, Reboot) else waits
    seen = preview(SystemChange(reason=finding.id, parts=parts), Ground())
    todo = [one for one in seen.steps if not one.right]
    question = Question(
        id=finding.id,
        title=finding.title,
        commands=tuple(argv for one in todo for argv in one.commands) if _something(seen.steps) else (),
        by_hand=_by_hand(finding),
        removed=seen.removed, downgraded=seen.downgraded, lost=seen.lost,
    )  # fmt: skip
    return _Mending(parts=parts, question=question, waits_for=waits, done=bool(seen.steps) and not question.commands)


def _something(steps: Sequence[object]) -> bool:
    from ..steps.system.model import Planned
    from ..steps.system.planning import CONSEQUENCES

    planned = [one for one in steps if isinstance(one, Planned)]
    primary = [one for one in planned if one.kind not in CONSEQUENCES]
    return any(not one.right for one in primary) if primary else bool(planned)


def _has(parts: Sequence[Change], kind: type) -> bool:
    return any(isinstance(one, kind) for one in parts)


def _exact(parts: Sequence[Change]) -> tuple[Change, ...]:
    """All packages that are asked for as one set, as apt would choose it now."""
    from ..steps.system import Ground
    from ..steps.system.request import exact

    asked = [one for one in parts if isinstance(one, Install)]
    others = [one for one in parts if not isinstance(one, Install)]
    if not asked:
        return tuple(others)
    words = tuple(dict.fromkeys(word for one in asked for word in one.wanted))
    release = next((one.release for one in asked if one.release), None)
    packages: Packages = exact(Ground(), Install(wanted=words, release=release))
    return (packages, *others)


def _told(
    finding: Finding, request: FixRequest, state: State, *, mending: _Mending | None = None,
    by_hand: tuple[tuple[str, ...], ...] = (), waits: Literal["reboot", "login"] | None = None,
    error: FirstlightError | None = None,
) -> FixedAnswer:  # fmt: skip
    lang = request.lang
    question = mending.question if mending else None
    return FixedAnswer(
        id=finding.id,
        title=finding.title.say(lang),
        state=state,
        commands=question.commands if question else (),
        by_hand=question.by_hand if question else by_hand,
        told=tuple(one.why.say(lang) for one in finding.remedy if not one.argv and one.change is None),
        waits_for=mending.waits_for if mending else waits,
        why=_why(error, lang) if error else None,
    )


def _why(error: FirstlightError, lang: Lang) -> str:
    return "; ".join(part.say(lang) for part in (error.what, error.why, error.next) if part)


def _by_hand(finding: Finding) -> tuple[tuple[str, ...], ...]:
    """As they are pasted: what has no typed change could not be taken back."""
    left = [one for one in finding.remedy if one.argv and one.change is None]
    return tuple(("sudo", *one.argv) if one.root else one.argv for one in left)
