"""What a person sees, and `--here`."""

from __future__ import annotations

import io

import msgspec
import pytest

from firstlight.text import explain as shown
from firstlight.verbs import explain as verb
from firstlight.verbs.explain import ExplainRequest
from firstlight.words import Lang

from ..snapshots.driver import check, drawn
from ..text.findings import NO_PERMISSION

DRIVER = b"""RuntimeError: The NVIDIA driver on your system is too old (found version 11040). Please update your driver
torch 2.14.1+cu130
"""
UNKNOWN = b"KeyError: 'input_ids'\n"
DENIED = "kfd-permission-render-group"
TEXTS = {"driver": DRIVER, "unknown": UNKNOWN, "nothing": b""}


def asked(text: bytes, lang: Lang = "en", *, here: bool = False) -> verb.ExplainAnswer:
    return verb.explain(ExplainRequest(here=here, lang=lang), io.BytesIO(text))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", TEXTS)
def test_the_whole_answer(name: str, lang: Lang) -> None:
    check(f"explain-{name}-{lang}", drawn(shown.lines(asked(TEXTS[name], lang), lang)))


def test_only_here_asks_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    asked_for: list[str] = []

    def found(*_: object) -> tuple[object, ...]:
        asked_for.append("this machine")
        return (msgspec.structs.replace(NO_PERMISSION, id=DENIED),)

    monkeypatch.setattr(verb, "diagnose", found)
    denied = b"HSA_STATUS_ERROR_OUT_OF_RESOURCES\nUnable to open /dev/kfd read-write: Permission denied\n"
    assert [one.id for one in asked(denied).causes][:1] == [DENIED]
    assert asked_for == []
    told = asked(denied, here=True).causes[0]
    assert told.id == DENIED
    assert asked_for == ["this machine"]
    assert any(line.line == 0 for line in told.evidence)
