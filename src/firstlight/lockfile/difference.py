"""One thing that is not as the lock says, and what that means."""

from __future__ import annotations

from typing import Literal

import msgspec

from ..words import Words

Severity = Literal["blocking", "degrading", "advice"]
DifferenceKind = Literal[
    "arch", "libc", "gpus", "kernel", "driver", "variable", "pylock", "no-environment", "environment", "python",
    "distribution-missing", "distribution-version", "distribution-extra", "distribution-reinstalled",
    "record-unreadable", "record-outside", "file-missing", "file-changed", "file-added", "file-link", "unreadable",
]  # fmt: skip


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """What differs, on both sides."""

    kind: DifferenceKind
    what: str
    """Its subject: a condition, a variable's name, a distribution, a path relative to site-packages (of what lies
    beside it: to the environment)."""
    of: str | None = None
    """Of a file: the distribution it belongs to."""
    lock: str | None
    """What is locked; None: nothing is."""
    host: str | None
    """What is here; None: nothing is, or `unknown` says why it cannot be told."""
    since: float | None = None
    """Seconds since the epoch, at the latest; None: cannot be told."""
    severity: Severity
    effect: Words
    shared: bool = False
    """Of a changed file: whether it has further names (hard links), as uv's cache gives it: then that changed, too."""
    unknown: str | None = None
    """Why it cannot be told what is here: `not-captured`, `denied` ...; then it is not known to differ."""


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """How much was compared."""

    conditions: int = 0
    variables: int = 0
    distributions: int = 0
    files: int = 0
    hashed: int = 0
    """Of the files: those that were read whole; the others have their size, and were not touched since the
    environment was finished."""


class Drift(msgspec.Struct, frozen=True, kw_only=True):
    """All differences, the worst first."""

    differences: tuple[Difference, ...]
    left_out: int = 0
    """Differences beyond those that are listed."""
    checked: Checked


ORDER: tuple[Severity, ...] = ("blocking", "degrading", "advice")
