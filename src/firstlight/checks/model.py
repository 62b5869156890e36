"""The ladder: checks in order, each a claim that was tried."""

from __future__ import annotations

from typing import Literal

import msgspec

from ..project.model import Backend

RungVerdict = Literal["pass", "fail", "skip", "unknown"]

RUNGS: tuple[str, ...] = (
    "device-node", "access", "kernel-driver", "runtime", "import", "device-visible", "code-for-chip", "first-kernel",
    "matmul", "convolution", "attention", "training-step", "checkpoint", "memory", "collectives", "own-command",
)  # fmt: skip
"""Ids, in order. The CPU backend starts at `import`."""

HOST_RUNGS: tuple[str, ...] = RUNGS[:4]
"""Answered from facts, before any Python of the environment runs."""


class Rung(msgspec.Struct, frozen=True, kw_only=True):
    """One check and how it ended."""

    id: str
    verdict: RungVerdict
    ms: float
    """Wall time, milliseconds."""
    evidence: dict[str, object]
    """What was measured: numbers, names, the tail of what a crashed worker said."""
    reason: str | None = None
    """Short kebab-case reason of fail, skip, unknown: `wrong-numbers`, `timeout`, `killed`, `after-failure` ..."""
    text: str = ""
    """The worker's own words: an exception's message. English, from the software that failed."""


class Ladder(msgspec.Struct, frozen=True, kw_only=True):
    """All rungs, in order."""

    backend: Backend
    rungs: tuple[Rung, ...]

    @property
    def first_failure(self) -> str | None:
        """Id of the first rung that failed."""
        return next((rung.id for rung in self.rungs if rung.verdict == "fail"), None)
