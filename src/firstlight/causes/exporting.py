"""The vocabulary as others can use it: patterns for Rust's engine (ripgrep), and the whole with its conditions."""

from __future__ import annotations

import re

_GROUP = re.compile(r"\(\?P<\w+>")
_QUOTE = re.compile(r"(?<!\\)((?:\\\\)*)\\([\"'])")


def plain(regex: str) -> str:
    """The same pattern over bytes for Rust's `regex`: groups without names (those of several patterns would clash),
    no escapes that it does not know, Unicode off, as Python's patterns over bytes have it, and in a group of its own,
    since a flag holds until the group's end and ripgrep joins patterns as they are."""
    flags, body = ("?i-u", regex[4:]) if regex.startswith("(?i)") else ("?-u", regex)
    return "(" + flags + ":" + _QUOTE.sub(r"\1\2", _GROUP.sub("(?:", body)) + ")"
