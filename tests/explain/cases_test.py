"""One driver for all cases: tests/cases/explain/CAUSE/yes-*.txt must name CAUSE first, no-*.txt must not name it, and
nothing may be named in tests/cases/explain/none."""

from __future__ import annotations

from pathlib import Path

import pytest

from firstlight.causes import catalogue
from tests.explain.asking import CASES, SHARED, ask, corpus, first

FILES = sorted(CASES.glob("*/*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_case(path: Path) -> None:
    named = [one.id for one in ask(path.read_bytes()).causes]
    if path.parent.name == "none":
        assert not named
    elif path.name.startswith("yes-"):
        assert named[:1] == [path.parent.name]
    else:
        assert path.name.startswith("no-")
        assert path.parent.name not in named


def test_every_cause_with_messages_has_both_kinds_of_case() -> None:
    there = {(path.parent.name, path.name.partition("-")[0]) for path in FILES}
    told = [one.id for one in catalogue() if one.messages]
    assert len(told) >= 90
    assert not [(id, kind) for id in told for kind in ("yes", "no") if (id, kind) not in there]


def test_every_cause_that_facts_do_not_judge_has_messages() -> None:
    assert not [one.id for one in catalogue() if one.judge is None and not one.messages]


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared cases are not beside the project")
@pytest.mark.parametrize(("name", "cause", "text"), corpus(), ids=lambda value: value[:40] if value else "")
def test_shared_case(name: str, cause: str, text: str) -> None:
    assert first(text) == (None if cause == "none" else cause), name
