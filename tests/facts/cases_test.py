"""Captured text in, value out: each file under tests/cases/facts/ is one case (see case.py)."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.facts.case import ALL, CASES, SUBJECTS, load


def differences(expected: object, got: object, where: str = "") -> list[str]:
    """Every key of `expected` must agree; lists one to one; `nan` stands for null, which TOML lacks."""
    if isinstance(expected, dict) and isinstance(got, dict):
        return [
            text for name, value in expected.items() for text in differences(value, got.get(name), f"{where}.{name}")
        ]
    if isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        pairs = enumerate(zip(expected, got, strict=True))
        return [text for index, (one, two) in pairs for text in differences(one, two, f"{where}[{index}]")]
    if isinstance(expected, float) and expected != expected:  # noqa: PLR0124  this is what tells a nan
        return [] if got is None else [f"{where}: expected null, got {got!r}"]
    same = type(expected) is type(got) and expected == got
    return [] if same else [f"{where}: expected {expected!r}, got {got!r}"]


@pytest.mark.parametrize("path", ALL, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_case(path: Path) -> None:
    case = load(path)
    got = msgspec.to_builtins(SUBJECTS[path.parent.name](case.host(), case))
    assert differences(case.expect, got) == []


def test_every_subject_has_cases() -> None:
    assert {path.name for path in CASES.iterdir()} == set(SUBJECTS)
