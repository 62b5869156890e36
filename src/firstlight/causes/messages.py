"""What software prints when a cause is at work, and what else a text says that decides between two causes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Union

import msgspec

from ..transcript.model import Hit
from ..words import Words


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """What a text holds besides the message that is judged."""

    signs: Mapping[str, tuple[Hit, ...]]
    """By name of the sign: where it stands."""

    def has(self, *names: str) -> bool:
        """Whether one of these signs is there."""
        return any(name in self.signs for name in names)

    def value(self, sign: str, name: str) -> str | None:
        """What a sign's group first matched; None if it is not there."""
        return next((hit.values[name] for hit in self.signs.get(sign, ()) if name in hit.values), None)

    def values(self, sign: str, name: str) -> tuple[str, ...]:
        """All that a sign's group matched."""
        return tuple(hit.values[name] for hit in self.signs.get(sign, ()) if name in hit.values)


Verdict = Union[bool, Mapping[str, str]]
Check = Callable[[Hit, Seen], Verdict]
"""False: it does not count here. A mapping: it does, and these are further values."""


class Message(msgspec.Struct, frozen=True):
    """One line that software prints. See `Pattern` for what a pattern may hold."""

    pattern: str
    sure: float = 0.9
    """The share of texts with this line, all conditions met, in which the cause is the root."""
    needs: tuple[str, ...] = ()
    """Signs of which one must be in the text."""
    unless: tuple[str, ...] = ()
    """Signs that speak for something else: with one of them the line does not count."""
    helps: tuple[str, ...] = ()
    """Signs each of which halves the doubt."""
    doubts: tuple[str, ...] = ()
    """Signs each of which halves the certainty."""
    told: Words | None = None
    """What it says in this text, with the values of the pattern's groups and of `check` in its places."""
    check: Check | None = None
