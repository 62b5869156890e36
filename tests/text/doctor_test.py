"""How findings are told."""

from __future__ import annotations

import msgspec
import pytest

from firstlight.causes.model import Finding
from firstlight.text.doctor import lines
from firstlight.verbs.doctor import answer
from firstlight.words import Lang

from ..snapshots.driver import check, drawn
from .findings import CLEAR, GTT_SMALL, NO_PERMISSION, TORCH_SEES_NONE, UNJUDGED

STORIES: dict[str, tuple[Finding, ...]] = {
    "blocked": (NO_PERMISSION, GTT_SMALL, TORCH_SEES_NONE, UNJUDGED, CLEAR),
    "advice": (GTT_SMALL, CLEAR),
    "clean": (CLEAR,),
    "unsure": (msgspec.structs.replace(UNJUDGED, needs=("kernel.release (not-captured: /proc)",)), CLEAR),
}


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("story", STORIES)
def test_doctor(story: str, lang: Lang) -> None:
    check(f"doctor-{story}-{lang}", drawn(lines(answer("box", STORIES[story], lang), lang)))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_doctor_tells_more_when_asked(lang: Lang) -> None:
    check(f"doctor-verbose-{lang}", drawn(lines(answer("box", (UNJUDGED, CLEAR), lang), lang, verbose=True)))


def test_a_command_can_be_pasted_as_it_stands() -> None:
    said = drawn(lines(answer("box", (NO_PERMISSION,), "en"), "en")).splitlines()
    assert "      sudo usermod -aG render alice" in said


def test_findings_that_follow_each_other_are_told_once() -> None:
    one = msgspec.structs.replace(NO_PERMISSION, id="a", follows="b", known=())
    two = msgspec.structs.replace(NO_PERMISSION, id="b", follows="a", known=())
    said = drawn(lines(answer("box", (one, two), "en"), "en"))
    assert said.count("(a)") <= 1


@pytest.mark.parametrize(
    ("findings", "code"),
    [
        ((CLEAR,), 0),
        ((GTT_SMALL,), 0),
        ((TORCH_SEES_NONE,), 0),
        ((NO_PERMISSION,), 1),
        ((UNJUDGED,), 0),
        ((msgspec.structs.replace(UNJUDGED, needs=("kernel.release (not-captured: /proc)",)),), 3),
        ((msgspec.structs.replace(CLEAR, severity="blocking"),), 0),
    ],
)
def test_exit_code(findings: tuple[Finding, ...], code: int) -> None:
    assert answer("box", findings, "en").exit_code == code
