"""Asking a person, on the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable

from ..text.layout import Line
from ..words import Lang, Words
from .output import show


def ask(lines: Callable[[], list[Line]], words: Words, lang: Lang) -> bool | None:
    """Show what it is about, and read yes or no. None: there is no terminal to ask on. All but a plain yes is a no."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    show(lines(), sys.stderr)
    sys.stderr.write(words.say(lang))
    sys.stderr.flush()
    try:
        said = sys.stdin.readline()
    except (OSError, ValueError):
        return None
    return said.strip().lower() in ("y", "yes", "是", "好")
