"""Which language to speak."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..words import Lang

_VARIABLES = ("FIRSTLIGHT_LANG", "LC_ALL", "LC_MESSAGES", "LANG")


def language(arguments: Sequence[str], environ: Mapping[str, str]) -> Lang:
    """`--lang` (before any `--`), then the first of the variables that is set; English for all but Chinese."""
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    for at, word in enumerate(own):
        if word == "--lang" and at + 1 < len(own):
            return _spoken(own[at + 1])
        if word.startswith("--lang="):
            return _spoken(word[len("--lang=") :])
    return _spoken(next((environ[name] for name in _VARIABLES if environ.get(name)), "en"))


def _spoken(tag: str) -> Lang:
    return "zh" if tag[:2].lower() == "zh" and not tag[2:3].isalpha() else "en"
