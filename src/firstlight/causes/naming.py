"""From the lines of a text to the causes that they name, roots first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

import msgspec

from ..transcript.engine import Engine
from ..transcript.model import Hit, Pattern
from ..words import Words
from .catalogue import catalogue
from .messages import Message, Seen
from .model import Cause
from .signs import SIGNS, derived

LEAST = 0.5
"""A cause that is less likely than not is not named."""
MOST = 0.99
_OPEN = 0.4
"""A cause that is less likely than this is not mentioned."""
_BY_FACTS = 0.7
"""How sure a predicate makes that holds on what a text states: the text may state only part."""
_SHOWN = 5
"""Lines of evidence for a cause."""


class Named(msgspec.Struct, frozen=True, kw_only=True):
    """A cause that the text names."""

    cause: Cause
    confidence: float
    """Share of such texts in which it is the root, 0 to 1."""
    evidence: tuple[Hit, ...]
    """The lines that prove it, the strongest first."""
    told: Words | None
    """What they say, with their values; None where they say no more than the cause."""
    follows: str | None = None
    """Id of the named cause of which this one is a consequence."""


class Vocabulary(msgspec.Struct, frozen=True):
    """All that is looked for."""

    patterns: tuple[Pattern, ...]
    messages: tuple[tuple[Cause, Message], ...]
    """Of the first patterns; the rest are signs."""


@cache
def vocabulary() -> Vocabulary:
    """Messages of all causes, then signs."""
    messages = tuple((cause, message) for cause in catalogue() for message in cause.messages)
    patterns = [Pattern(cause.id, message.pattern) for cause, message in messages]
    patterns += [Pattern(name, regex) for name, regexes in SIGNS.items() for regex in regexes]
    return Vocabulary(tuple(patterns), messages)


@cache
def engine() -> Engine:
    """The engine for the whole vocabulary."""
    return Engine(vocabulary().patterns)


class Naming(msgspec.Struct, frozen=True):
    """What a text names."""

    named: tuple[Named, ...]
    """Roots by confidence, each with its consequences after it."""
    undecided: tuple[str, ...]
    """Ids of causes that it may be, none of them more likely than not. Empty where one is named."""


class Proved(msgspec.Struct, frozen=True, kw_only=True):
    """A cause that `doctor`'s predicate finds on the facts that a text states, or on this machine."""

    id: str
    blocking: bool
    hits: tuple[Hit, ...]


def name(hits: Iterable[Hit], proved: Iterable[Proved] = ()) -> Naming:
    """The causes that `hits` name, together with what facts prove. Pure."""
    known = vocabulary()
    by_pattern: dict[int, list[Hit]] = {}
    for hit in hits:
        by_pattern.setdefault(hit.pattern, []).append(hit)
    seen = Seen(signs=_signs(known, by_pattern))
    proofs: dict[str, list[_Proof]] = {}
    for at, (cause, message) in enumerate(known.messages):
        if at in by_pattern and (proof := _proof(message, by_pattern[at], seen)):
            proofs.setdefault(cause.id, []).append(proof)
    for one in proved:
        if one.blocking or one.id in proofs:  # what merely slows a machine down is named only where a line says so too
            proofs.setdefault(one.id, []).append(_Proof(_BY_FACTS, one.hits, None))
    causes = {cause.id: cause for cause in catalogue()}
    found = [_named(causes[id], of) for id, of in proofs.items()]
    named = arrange([one for one in found if one.confidence >= LEAST])
    open_ = sorted((one for one in found if one.confidence >= _OPEN), key=lambda one: -one.confidence)
    return Naming(named, () if named else tuple(one.cause.id for one in open_))


class _Proof(msgspec.Struct, frozen=True):
    sure: float
    hits: tuple[Hit, ...]
    told: Words | None


def _signs(known: Vocabulary, hits: Mapping[int, Sequence[Hit]]) -> dict[str, tuple[Hit, ...]]:
    signs: dict[str, tuple[Hit, ...]] = {}
    for at in sorted(hits):
        if at >= len(known.messages):
            owner = known.patterns[at].owner
            signs[owner] = (*signs.get(owner, ()), *hits[at])
    signs |= dict.fromkeys(tuple(derived(signs)), ())
    return signs


def _proof(message: Message, hits: Sequence[Hit], seen: Seen) -> _Proof | None:
    """What one message weighs in this text; None where its conditions are not met."""
    if (message.needs and not seen.has(*message.needs)) or seen.has(*message.unless):
        return None
    kept, told = [], None
    for hit in hits:
        verdict = message.check(hit, seen) if message.check else True
        if verdict is False:
            continue
        kept.append(hit)
        if told is None and message.told:
            told = _filled(message.told, hit.values if verdict is True else {**hit.values, **verdict})
    if not kept:
        return None
    doubt = (1 - message.sure) / 2 ** sum(seen.has(one) for one in message.helps)
    sure = (1 - doubt) / 2 ** sum(seen.has(one) for one in message.doubts)
    return _Proof(sure, tuple(kept), told)


def _filled(words: Words, values: Mapping[str, str]) -> Words | None:
    try:
        return Words(words.en.format_map(values), words.zh.format_map(values))
    except (KeyError, IndexError, ValueError):
        return None  # a group that did not take part in the match


def _named(cause: Cause, proofs: Sequence[_Proof]) -> Named:
    """The surest message counts whole; each further line that says something else takes a third of the doubt."""
    ordered = sorted(proofs, key=lambda proof: -proof.sure)
    doubt, lines = 1 - ordered[0].sure, {ordered[0].hits[0].line}
    for proof in ordered[1:]:
        if not lines & {hit.line for hit in proof.hits}:
            doubt *= 1 - proof.sure / 3
            lines.add(proof.hits[0].line)
    evidence: dict[int, Hit] = {}
    for proof in ordered:
        for hit in proof.hits[:2]:
            evidence.setdefault(hit.line, hit)
    told = next((proof.told for proof in ordered if proof.told), None)
    shown = tuple(list(evidence.values())[:_SHOWN])
    return Named(cause=cause, confidence=min(MOST, 1 - doubt), evidence=shown, told=told)


def arrange(found: Sequence[Named]) -> tuple[Named, ...]:
    """Roots by confidence; what follows from another one that is named comes directly after it, and is less likely
    the root by as much as the other is sure."""
    sure = {one.cause.id: one for one in found}
    roots: list[Named] = []
    below: dict[str, list[Named]] = {}
    for one in sure.values():
        above = [id for id in one.cause.follows if id in sure and one.cause.id not in sure[id].cause.follows]
        if above:
            root = max(above, key=lambda above_id: sure[above_id].confidence)
            less = round(one.confidence * (1 - sure[root].confidence / 2), 3)
            below.setdefault(root, []).append(msgspec.structs.replace(one, follows=root, confidence=less))
        else:
            roots.append(msgspec.structs.replace(one, confidence=round(one.confidence, 3)))
    roots.sort(key=lambda one: (-one.confidence, -len(one.evidence), one.cause.id))
    ordered: list[Named] = []
    for top in roots:
        _add(ordered, top, below)
    for one in found:  # a ring of causes has no root
        if all(one.cause.id != other.cause.id for other in ordered):
            ordered.append(one)
    return tuple(ordered)


def _add(ordered: list[Named], one: Named, below: Mapping[str, Sequence[Named]]) -> None:
    if one in ordered:
        return
    ordered.append(one)
    for other in sorted(below.get(one.cause.id, ()), key=lambda named: -named.confidence):
        _add(ordered, other, below)
