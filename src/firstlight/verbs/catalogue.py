"""The catalogue as a product: every cause with its messages, and the patterns as ripgrep reads them."""

from __future__ import annotations

import msgspec

from ..causes.catalogue import catalogue as causes
from ..causes.exporting import plain
from ..causes.messages import Message
from ..causes.model import Cause, Known, Severity
from ..causes.signs import SIGNS
from ..words import Words
from .answer import Answer


class MessageEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One line that software prints."""

    pattern: str
    """For Rust's `regex` over bytes, as ripgrep reads it: no names of groups."""
    captures: str
    """The same for Python's `re` over bytes, with names of groups."""
    sure: float
    """Share of texts with this line, all conditions met, in which the cause is the root."""
    needs: tuple[str, ...]
    """Signs of which one must be there."""
    unless: tuple[str, ...]
    """Signs with which it does not count."""
    helps: tuple[str, ...]
    doubts: tuple[str, ...]
    judged: bool
    """Whether the program also looks at the values."""
    told: Words | None


class CatalogueEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One cause, in both languages."""

    id: str
    family: str
    vendor: str
    severity: Severity
    means: Words
    effect: Words
    remedy: Words
    follows: tuple[str, ...]
    known: tuple[Known, ...]
    facts: bool
    """Whether `doctor` can judge it on a machine."""
    messages: tuple[MessageEntry, ...]


class CatalogueAnswer(Answer, frozen=True, kw_only=True, tag="firstlight.catalogue/1"):
    """`firstlight causes --export`. A field may be added within version 1; none goes or changes its meaning."""

    version: str
    """Of the program."""
    causes: tuple[CatalogueEntry, ...]
    signs: dict[str, tuple[str, ...]]
    """Patterns that prove no cause but decide between two."""
    patterns: tuple[str, ...]
    """All patterns once: `rg -c -f` with them counts the lines that `explain` calls `matched_lines`."""


def catalogue() -> CatalogueAnswer:
    """The whole catalogue. Pure."""
    from .. import __version__

    every = causes()
    messages = [plain(message.pattern) for cause in every for message in cause.messages]
    signs = {name: tuple(map(plain, regexes)) for name, regexes in SIGNS.items()}
    return CatalogueAnswer(
        version=__version__,
        causes=tuple(map(_entry, every)),
        signs=signs,
        patterns=tuple(dict.fromkeys([*messages, *(one for each in signs.values() for one in each)])),
    )


def document(answer: CatalogueAnswer) -> str:
    """The catalogue as JSON."""
    return msgspec.json.format(msgspec.json.encode(answer), indent=2).decode() + "\n"


def _entry(cause: Cause) -> CatalogueEntry:
    return CatalogueEntry(
        id=cause.id,
        family=cause.family,
        vendor=cause.vendor,
        severity=cause.severity,
        means=cause.means,
        effect=cause.effect,
        remedy=cause.fix,
        follows=cause.follows,
        known=cause.known,
        facts=cause.judge is not None,
        messages=tuple(map(_message, cause.messages)),
    )


def _message(message: Message) -> MessageEntry:
    return MessageEntry(
        pattern=plain(message.pattern),
        captures=message.pattern,
        sure=message.sure,
        needs=message.needs,
        unless=message.unless,
        helps=message.helps,
        doubts=message.doubts,
        judged=message.check is not None,
        told=message.told,
    )
