"""Texts -> the causes that they name, inside the process."""

from __future__ import annotations

import io
from pathlib import Path

from firstlight.verbs.explain import ExplainAnswer, ExplainRequest, explain

CASES = Path(__file__).resolve().parents[1] / "cases" / "explain"
SHARED = Path(__file__).resolve().parents[2].parent / "shared"


def ask(text: str | bytes) -> ExplainAnswer:
    """The whole answer for a pasted text."""
    data = text.encode() if isinstance(text, str) else text
    return explain(ExplainRequest(), io.BytesIO(data))


def first(text: str | bytes) -> str | None:
    """Id of the first cause."""
    named = ask(text).causes
    return named[0].id if named else None


def corpus() -> list[tuple[str, str, str]]:
    """(file, cause, text) of the shared cases; none where they are not beside the project."""
    return [_case(path) for path in sorted((SHARED / "corpus").glob("*.yaml"))]


def _case(path: Path) -> tuple[str, str, str]:
    """The few keys of a case that are needed, without a YAML library: a scalar, and a literal block."""
    lines = path.read_text(encoding="utf-8").splitlines()
    cause = next(line.partition(": ")[2] for line in lines if line.startswith("cause:"))
    begin = next(at for at, line in enumerate(lines) if line.startswith("input: |"))
    end = next(at for at in range(begin + 1, len(lines)) if lines[at][:1] not in ("", " "))
    block = lines[begin + 1 : end]
    indent = 2 if lines[begin].endswith("2") else min(len(line) - len(line.lstrip()) for line in block if line.strip())
    return path.name, cause, "\n".join(line[indent:] for line in block) + "\n"
