"""What a rung is given and what it gives back; both cross process borders as JSON."""

from __future__ import annotations

import json
import math
from typing import NamedTuple

TEXT_LIMIT = 4000
"""Characters of foreign text (messages, tails of output) that are kept."""
LAST = 12
"""Lines of them that a person is shown."""
ANSWER_LIMIT = 1 << 20
"""Bytes of one rung's answer; more is garbage."""


class Task(NamedTuple):
    """One rung to climb."""

    id: str
    limit: float
    """Seconds."""
    needs: list[str]
    """Rungs without which this one is not tried, and what those need."""


class Job(NamedTuple):
    """All that the worker is told."""

    backend: str
    """`rocm`, `cuda`, `cpu`."""
    tasks: list[Task]
    failed: list[str]
    """Rungs known to have failed."""
    command: list[str]
    """The user's own command."""
    cwd: str
    """Where it runs."""
    expected_devices: int | None = None
    """GPUs that firstlight found usable; None: not known."""
    generic: dict[str, list[str]] = {}  # noqa: RUF012  # a NamedTuple's default; never changed
    """Members of each LLVM generic target."""
    devices: list[int] = [0]  # noqa: RUF012
    """Indices of the devices that torch has code for, found by `code-for-chip`."""
    kinds: list[int] = [0]  # noqa: RUF012
    """The first of `devices` of each kind of chip: what tries torch's code, not each card, tries these."""
    together: list[int] = [0]  # noqa: RUF012
    """Those of `devices` that a training would use together: not the processor's own GPU beside cards."""
    apu_targets: list[str] = []  # noqa: RUF012
    """Targets of this machine's APUs, as firstlight knows them."""
    collectives_on_cpu: int = 0
    """Processes for the collectives when there is no second GPU; 0: leave them out."""
    terminal: list[int] = []  # noqa: RUF012
    """Columns and lines of the user's terminal, for the own command; empty: there is none."""

    def limit(self, rung: str) -> float:
        """Seconds that the rung may take."""
        return next((task.limit for task in self.tasks if task.id == rung), math.inf)

    def learned(self, evidence: dict[str, object]) -> Job:
        """The same with what a rung found out for those after it."""
        served, kinds, together = (
            [each for each in value if isinstance(each, int)] if isinstance(value, list) else []
            for value in (evidence.get(name) for name in ("served", "kinds", "together"))
        )
        if not served:
            return self
        return self._replace(devices=served, kinds=kinds or served[:1], together=together or served)


class Finding(NamedTuple):
    """How a rung ended."""

    verdict: str
    """`pass`, `fail`, `skip`, `unknown`."""
    evidence: dict[str, object]
    reason: str | None = None
    text: str = ""


def passed(**evidence: object) -> Finding:
    """The claim was tried and holds."""
    return Finding("pass", evidence)


def failed(reason: str, text: str = "", /, **evidence: object) -> Finding:
    """The claim was tried and does not hold."""
    return Finding("fail", evidence, reason, text[-TEXT_LIMIT:])


def skipped(reason: str, /, **evidence: object) -> Finding:
    """The claim was not tried, for a reason that is no fault."""
    return Finding("skip", evidence, reason)


def refused_memory(text: str) -> bool:
    """Whether a message says that memory was refused: of torch, HIP and CUDA, glibc, the dynamic loader."""
    said = text.lower()
    return "can't allocate memory" in said or "out of memory" in said or "cannot allocate memory" in said


def encode(value: object) -> bytes:
    """One line of JSON. NaN and infinities, which JSON lacks, become words."""
    return json.dumps(plain(value)).encode() + b"\n"


def plain(value: object) -> object:
    """The same value of JSON's own types only."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def decode_finding(line: bytes) -> Finding | None:
    """A finding from its JSON; None if that is not what it is."""
    try:
        raw = json.loads(line)
        verdict, evidence, reason, text = raw["verdict"], raw["evidence"], raw["reason"], raw["text"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    if verdict not in ("pass", "fail", "skip", "unknown") or not isinstance(evidence, dict):
        return None
    if not (reason is None or isinstance(reason, str)) or not isinstance(text, str):
        return None
    return Finding(verdict, evidence, reason, text)


def decode_job(text: str) -> Job:
    """A job from its JSON. Raises ValueError, TypeError or KeyError if it is none."""
    raw = json.loads(text)
    raw["tasks"] = [Task(**task) for task in raw["tasks"]]
    return Job(**raw)


def encode_job(job: Job) -> str:
    """A job as JSON."""
    return json.dumps({**job._asdict(), "tasks": [task._asdict() for task in job.tasks]})
