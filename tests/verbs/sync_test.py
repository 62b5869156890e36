"""What is told of a sync."""

from __future__ import annotations

import pytest

from firstlight.project.settings import Flags
from firstlight.steps import StepResult
from firstlight.verbs import sync
from firstlight.verbs.place import wanted
from firstlight.words import Words

from . import answers

WORK = Words("work", "工作")


class Told:
    """What a person is told, in order."""

    def __init__(self) -> None:
        self.said: list[tuple[str, str]] = []

    def begin(self, key: str, text: Words) -> None:
        self.said.append(("begin", text.en))
        assert key

    def detail(self, key: str, text: Words) -> None:
        self.said.append(("detail", text.en))
        assert key

    def end(self, key: str, text: Words, *, ok: bool | None) -> None:
        self.said.append((f"end {ok}", text.en))
        assert key


@pytest.mark.parametrize("fails", [False, True])
def test_many_wheels_are_one_piece_of_work(*, fails: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def apply(*_: object, reporter: Told, store: str | None) -> tuple[StepResult, ...]:
        assert store is None
        for name in ("a.whl", "b.whl"):
            reporter.begin(f"sync:place-wheel:{name}", WORK)
            reporter.end(f"sync:place-wheel:{name}", WORK, ok=not (fails and name == "b.whl"))
        if not fails:
            reporter.begin("sync:install:x", Words("install", "安装"))
            reporter.detail("sync", WORK)
            reporter.end("sync:install:x", Words("install", "安装"), ok=True)
        return ()

    told = Told()
    monkeypatch.setattr(sync, "apply", apply)
    sync.applied(wanted(None, Flags()), answers.LOCK, "cpu", told)
    placing = "checking the local wheels and linking them in"
    wheels = [("begin", placing), ("detail", "a.whl"), ("detail", "b.whl")]
    rest = [("end True", placing), ("begin", "install"), ("detail", "work"), ("end True", "install")]
    assert told.said == wheels + ([("end False", "work")] if fails else rest)
