"""A completion script, as an answer like any other."""

from __future__ import annotations

from .answer import Answer


class CompletionAnswer(Answer, frozen=True, kw_only=True, tag="firstlight.completion/1"):
    """What a shell must read to complete `firstlight`."""

    shell: str
    text: str
    """The script; the language is that of its descriptions."""
