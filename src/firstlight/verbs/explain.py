"""What does this error mean?"""

from __future__ import annotations

from typing import BinaryIO, Literal

import msgspec

from ..causes import diagnose
from ..causes.model import Finding, Known, Severity
from ..causes.naming import Named, Proved, engine, name
from ..errors import UnreadableInput
from ..facts.devices import Gpu
from ..facts.model import Facts, Unknown
from ..host.redact import Redactor
from ..transcript.facts import facts_of
from ..transcript.model import Hit
from ..transcript.reader import Transcript, read
from ..words import Lang, Words
from .answer import Answer
from .doctor import RemedyAnswer

_UNREADABLE = Words("`{file}` cannot be read: {why}", "无法读取 `{file}`：{why}")
_STDIN = "stdin"
_LONGEST = 600
"""Characters of one line of evidence."""


class ExplainRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A text, and whether the machine it was pasted on is the one it speaks of."""

    file: str | None = None
    """None or `-`: standard input."""
    here: bool = False
    lang: Lang = "en"


class LineAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One line that proves a cause."""

    line: int
    """Its number, from 1; of the first one where a terminal broke it in two. 0: a fact of this machine."""
    text: str
    """As it stands there, without colours; secrets replaced by dummies, cut if long."""


class ExplainedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One cause that the text names."""

    id: str
    confidence: float
    """Share of such texts in which it is the root cause, 0 to 1."""
    family: str
    vendor: Literal["amd", "nvidia", "both"]
    severity: Severity
    evidence: tuple[LineAnswer, ...]
    """The strongest first."""
    means: str
    """What it is, and what this text says of it."""
    remedy: tuple[RemedyAnswer, ...]
    known: tuple[Known, ...]
    follows: str | None
    """Id of the cause of which this one is a consequence here."""


class AmountAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """How much was read."""

    bytes: int
    lines: int
    matched_lines: int
    """Lines that a pattern of `causes --export` matches, as `rg -c -f PATTERNS` counts them."""


class ExplainAnswer(Answer, frozen=True, kw_only=True, tag="firstlight.explain/1"):
    """The causes that a text names, best first; none where nothing known is in it."""

    source: str
    causes: tuple[ExplainedAnswer, ...]
    undecided: tuple[str, ...]
    """Ids of causes that it may be, of which none is more likely than not."""
    gpus: tuple[Gpu, ...]
    """Those that the text lists, as `facts` has them; what it does not say is null."""
    machine: dict[str, str]
    """What else it says of its machine: `kernel.release`, `driver.nvidia.version` ..."""
    read: AmountAnswer

    @property
    def exit_code(self) -> int:
        """0 a cause is named, 1 nothing known is in it, 3 it cannot be told which or there was nothing to read."""
        if self.causes:
            return 0
        return 3 if self.undecided or not self.read.bytes else 1


def explain(request: ExplainRequest, stdin: BinaryIO) -> ExplainAnswer:
    """Read the text to its end and name its causes. Nothing of this machine is read unless `here` asks for it.

    Raises UnreadableInput where the file cannot be read.
    """
    text = _read(request.file, stdin)
    facts = _facts(text)
    here = _here(request.lang) if request.here else ()
    naming = name(text.hits, (*_proved(facts, text), *here))
    redactor = Redactor()
    return ExplainAnswer(
        source=request.file if request.file not in (None, "-") else _STDIN,
        causes=tuple(_explained(one, redactor, request.lang) for one in naming.named),
        undecided=naming.undecided,
        gpus=tuple(facts.gpus),
        machine=_machine(facts),
        read=AmountAnswer(bytes=text.counts.bytes, lines=text.counts.lines, matched_lines=text.counts.matched),
    )


def _read(file: str | None, stdin: BinaryIO) -> Transcript:
    if file in (None, "-"):
        return read(stdin, engine())
    try:
        with open(str(file), "rb") as opened:
            return read(opened, engine())
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise UnreadableInput(_UNREADABLE.fill(file=file, why=why)) from None


def _explained(one: Named, redactor: Redactor, lang: Lang) -> ExplainedAnswer:
    cause = one.cause
    means = cause.means.say(lang)
    if one.told:
        means += ("" if lang == "zh" else " ") + redactor.text(one.told.say(lang))
    return ExplainedAnswer(
        id=cause.id,
        confidence=one.confidence,
        family=cause.family,
        vendor=cause.vendor,
        severity=cause.severity,
        evidence=tuple(_line(hit, redactor) for hit in one.evidence),
        means=means,
        remedy=(RemedyAnswer(argv=(), root=False, why=cause.fix.say(lang)),),
        known=cause.known,
        follows=one.follows,
    )


def _line(hit: Hit, redactor: Redactor) -> LineAnswer:
    return LineAnswer(line=hit.line, text=redactor.text(hit.text)[:_LONGEST])


_FACTS_FROM = 1 << 20
"""Bytes of the beginning, and half as many of the end, that are read for facts."""


def _facts(text: Transcript) -> Facts:
    end = (text.tail or text.head[_FACTS_FROM:])[-_FACTS_FROM // 2 :]
    return facts_of((text.head[:_FACTS_FROM] + b"\n" + end).decode("utf-8", "replace"))


def _machine(facts: Facts) -> dict[str, str]:
    values = {
        "kernel.release": facts.kernel.release,
        "driver.nvidia.version": facts.driver.nvidia.version,
        "firmware.package": facts.firmware.package,
    }
    return {name: value for name, value in values.items() if not isinstance(value, Unknown)}


def _proved(facts: Facts, text: Transcript) -> tuple[Proved, ...]:
    """What `doctor` finds on the facts that the text states; nothing is asked where it states none."""
    if not facts.gpus and isinstance(facts.kernel.cmdline, Unknown) and isinstance(facts.environment, Unknown):
        return ()
    lines = text.head[:_FACTS_FROM].decode("utf-8", "replace").splitlines()
    found = [one for one in diagnose(facts) if one.verdict == "found" and one.severity != "advice"]
    proofs = [(one, _stated(one, lines)) for one in found]
    return tuple(Proved(id=one.id, blocking=one.severity == "blocking", hits=hits) for one, hits in proofs if hits)


def _stated(finding: Finding, lines: list[str]) -> tuple[Hit, ...]:
    """The lines that state the finding's facts: the first that has the value, or else the name, of each."""
    hits: dict[int, Hit] = {}
    for proof in finding.evidence:
        words = (proof.value, proof.fact.rpartition(".")[2])
        at = next((at for word in words for at, line in enumerate(lines) if len(word) > 2 and word in line), None)
        if at is not None:
            hits.setdefault(at, Hit(pattern=-1, line=at + 1, text=lines[at].strip(), values={}))
    return tuple(hits.values())


def _here(lang: Lang) -> tuple[Proved, ...]:
    """What `doctor` finds on this machine, as lines without a number."""
    from ..host import open_host
    from .facts import read as read_facts
    from .trusting import trusted

    host = open_host("live")
    facts = read_facts(host, None)
    found = [one for one in diagnose(facts, trusted(host, facts)) if one.verdict == "found"]
    return tuple(
        Proved(
            id=one.id,
            blocking=one.severity == "blocking",
            hits=tuple(
                Hit(pattern=-1, line=0, text=f"{one.title.say(lang)}: {proof.fact} = {proof.value}", values={})
                for proof in one.evidence
            ),
        )
        for one in found
    )
