"""What the environment's own files say of the code for each device, beside what torch says of itself."""

from __future__ import annotations

import os

import msgspec

from ..binaries.answer import Asked, answer
from ..binaries.report import inspect
from ..errors import FirstlightError
from .model import Rung

MOST = 20
"""Libraries that are named for one target."""


def with_files(rung: Rung, python: str) -> Rung:
    """The rung `code-for-chip` with, for each target that it names, the verdict by the libraries of the environment
    (torch and all that it loads) and those without code for it: an operation that needs one of them fails although
    torch itself has the code. Files are read, never run; seconds for some gigabytes. Nothing is raised."""
    told = rung.evidence.get("targets")
    targets = [one["target"] for one in told if isinstance(one, dict)] if isinstance(told, list) else []
    known = [target for target in dict.fromkeys(targets) if isinstance(target, str) and target]
    if not known:
        return rung
    try:
        report = inspect(os.path.dirname(os.path.dirname(os.path.abspath(python))))
    except FirstlightError:
        return rung
    if not any(piece.code for piece in report.pieces):
        return rung
    answers = [answer([report], Asked(target=target)) for target in known]
    files = [
        {
            "target": one.target,
            "verdict": one.verdict,
            "lacking": [each.library.path for each in one.lacking if each.counts][:MOST],
        }
        for one in answers
    ]
    return msgspec.structs.replace(rung, evidence={**rung.evidence, "files": files})
