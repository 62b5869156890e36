"""A message that is looked for, and where one was found."""

from __future__ import annotations

import msgspec

from ..words import Words


class Pattern(msgspec.Struct, frozen=True):
    """What is looked for in one line. A regular expression over bytes that Python and Rust read alike: ASCII, no
    look-around, no back reference, every gap bounded, and outside all groups at least four characters as they are."""

    owner: str
    """Id of the cause, or the name of the sign."""
    regex: str
    """Named groups are values."""


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """A pattern that a line matches."""

    pattern: int
    """Position in the list of patterns."""
    line: int
    """Number of the line, from 1; of the first one where a message was wrapped."""
    text: str
    """The line without colours, cut to what is near if it is long; secrets are still in it."""
    values: dict[str, str]
    """What the named groups matched."""


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """How much was read."""

    bytes: int
    lines: int
    """Line feeds, and one more if the text does not end in one."""
    matched: int
    """Lines that some pattern matches: what `rg -c -f PATTERNS` counts."""


EMPTY = Words("", "")
