"""Whole outputs, as a pipe of 80 columns gets them."""

from __future__ import annotations

import pytest

from firstlight.cli import help as drawn_help
from firstlight.cli.arguments import VERBS
from firstlight.errors import ConsentNeeded
from firstlight.text import capture, drift, errors, export, lock, rollback, sync, up, verify
from firstlight.verbs import error
from firstlight.verbs import lock as lock_verb
from firstlight.words import Lang, Words

from ..snapshots.driver import check, drawn
from ..verbs import answers
from . import differences

LANGS: tuple[Lang, ...] = ("en", "zh")
pytestmark = pytest.mark.parametrize("lang", LANGS)


def test_help(lang: Lang) -> None:
    check(f"help-{lang}", drawn(drawn_help.overview(lang)))


def test_help_of_each_verb(lang: Lang) -> None:
    said = [f"$ firstlight {verb.name} --help\n{drawn(drawn_help.of_verb(verb, lang))}" for verb in VERBS]
    check(f"help-verbs-{lang}", "\n".join(said))


def test_lock(lang: Lang) -> None:
    check(f"lock-{lang}", drawn(lock.lines(lock_verb.answer("/home/alice/p", answers.LOCK), lang)))
    check(f"lock-adopted-{lang}", drawn(lock.lines(answers.adopted_answer(lang), lang)))


def test_export(lang: Lang) -> None:
    check(f"export-{lang}", drawn(export.lines(answers.export_answer(lang), lang)))


def test_sync(lang: Lang) -> None:
    for name, states in (("done", ("done",)), ("right", ("right",)), ("todo", ("right", "right", "todo"))):
        check(f"sync-{name}-{lang}", drawn(sync.lines(answers.sync_answer(*states), lang)))


def test_verify(lang: Lang) -> None:
    check(f"verify-passed-{lang}", drawn(verify.lines(answers.verify_answer(), lang)))
    check(f"verify-failed-{lang}", drawn(verify.lines(answers.verify_answer(answers.FAILED), lang)))
    check(f"verify-verbose-{lang}", drawn(verify.lines(answers.verify_answer(), lang, verbose=True)))


def test_drift(lang: Lang) -> None:
    for name in ("differs", "same", "unsure", "many"):
        check(f"drift-{name}-{lang}", drawn(drift.lines(differences.drift_answer(lang, name), lang)))


def test_rollback(lang: Lang) -> None:
    check(f"rollback-{lang}", drawn(rollback.lines(differences.rollback_answer(), lang)))
    check(f"rollback-first-{lang}", drawn(rollback.lines(differences.rollback_answer(first=True), lang)))


def test_up(lang: Lang) -> None:
    check(f"up-{lang}", drawn(up.lines(answers.up_answer(lang), lang)))
    check(f"up-stopped-{lang}", drawn(up.lines(answers.stopped_answer(lang), lang)))


def test_capture(lang: Lang) -> None:
    check(f"capture-{lang}", drawn(capture.lines(answers.capture_answer(), lang)))
    check(f"capture-verbose-{lang}", drawn(capture.lines(answers.capture_answer(), lang, verbose=True)))


def test_errors(lang: Lang) -> None:
    refused = ConsentNeeded(
        Words("system-rocm does harm and was not consented to", "system-rocm 会造成损害，尚未得到同意"),
        why=Words("clang-18 would be removed beside the toolchain that you use", "会移除你的工具链正在使用的 clang-18"),
        next=Words("to take it all the same: `firstlight lock --yes`", "若仍要采用：`firstlight lock --yes`"),
    )
    bug = error.broken(RuntimeError("a {brace} and no more"), lang)
    said = drawn(errors.lines(error.failed(refused, lang), lang)) + drawn(errors.lines(bug, lang))
    check(f"errors-{lang}", said)
