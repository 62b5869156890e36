"""Each rung and each reason has words; the tables of the ladder fit together."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from firstlight.checks import ladder, needs
from firstlight.checks.limits import Limits
from firstlight.checks.model import HOST_RUNGS, RUNGS
from firstlight.checks.titles import REASONS, TITLES

SOURCE = Path(ladder.__file__).parent
REASON_AT = {"failed": 0, "skipped": 0, "answer": 2, "Finding": 2, "ending": 1, "ended": 2}
"""Calls that name a reason, and at which place."""


def reasons() -> Iterator[str]:
    """Every reason that the source names."""
    for path in sorted(SOURCE.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call):
                continue
            name = getattr(call.func, "id", getattr(call.func, "attr", ""))
            place = REASON_AT.get(name, 99)
            named = [word.value for word in call.keywords if word.arg == "reason"]
            for argument in [*call.args[place : place + 1], *named]:
                for part in [argument.body, argument.orelse] if isinstance(argument, ast.IfExp) else [argument]:
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        yield part.value


def test_every_reason_has_words() -> None:
    named = set(reasons())
    assert {"wrong-numbers", "timeout", "killed", "one-device", "no-driver", "after-failure"} <= named
    assert named - set(REASONS) == set()


def test_words_in_both_languages() -> None:
    assert tuple(TITLES) == RUNGS
    for words in [*TITLES.values(), *REASONS.values()]:
        assert words.en
        assert any("一" <= letter <= "鿿" for letter in words.zh)


def test_each_rung_needs_lower_ones_only() -> None:
    for rung in RUNGS:
        assert all(RUNGS.index(below) < RUNGS.index(rung) for below in needs.needs(rung))
    assert needs.needs("matmul")[-1] == "first-kernel"
    assert "import" in needs.needs("own-command")
    with pytest.raises(ValueError, match="no-such-rung"):
        needs.order(("no-such-rung",))


def test_each_worker_rung_has_a_limit_and_a_file() -> None:
    limits = Limits(memory=7)
    assert limits.of("memory") == 7
    assert limits.of("memory", "cuda", 64) > 60 * limits.device
    assert limits.of("convolution", "rocm", 8) == limits.of("convolution") + limits.search
    for rung in RUNGS:
        if rung not in HOST_RUNGS:
            assert limits.of(rung) > 0
            file = "importing.py" if rung == "import" else f"rungs/{rung.replace('-', '_')}.py"
            assert (SOURCE / "worker" / file).exists()
