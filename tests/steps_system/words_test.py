"""What is asked and told about changes of the machine, whole."""

from __future__ import annotations

import json

import jsonschema
import msgspec
import pytest

from firstlight.text import fix, rollback_system
from firstlight.verbs import doctor
from firstlight.verbs.doctor import DoctorAnswer, FixedAnswer, FixStep
from firstlight.verbs.fix import Question
from firstlight.verbs.rollback_system import UndoQuestion
from firstlight.verbs.schema import schema
from firstlight.words import Lang, Words

from ..snapshots.driver import check, drawn
from ..text.findings import CLEAR, GTT_SMALL
from ..verbs.answers import rollback_system_answer

LANGS: tuple[Lang, ...] = ("en", "zh")
pytestmark = pytest.mark.parametrize("lang", LANGS)
TITLE = Words("The firmware files of gfx1151 are not installed", "没有安装 gfx1151 的固件文件")
APT = ("apt-get", "-y", "install", "firmware-amd-graphics=20250410-2", "old-")


def answer(lang: Lang) -> DoctorAnswer:
    def one(state: str, **values: object) -> FixedAnswer:
        usual = {"id": f"cause-{state}", "title": TITLE.say(lang), "state": state, "commands": (APT,), "by_hand": (),
                 "told": (), "waits_for": None}  # fmt: skip
        return FixedAnswer(**{**usual, **values})  # type: ignore[arg-type]

    steps = (FixStep(kind="packages", subject="firmware-amd-graphics", state="done", ms=2300.0),)
    fixed = (
        one("mended", change="000004", steps=steps),
        one("waits", waits_for="reboot", change="000005"),
        one("waits", id="cause-login", waits_for="login", commands=(("usermod", "-aG", "render", "alice"),)),
        one("not-mended", by_hand=(("mokutil", "--import", "/var/lib/shim-signed/mok/MOK.der"),), change="000006"),
        one("refused"),
        one("by-hand", commands=(), by_hand=(("hwclock", "-s"),), told=("Switch it off in the firmware setup.",)),
        one("failed", why="`update-grub` failed (1); no room; what had been changed was taken back"),
    )
    return msgspec.structs.replace(doctor.answer("live", (GTT_SMALL, CLEAR), lang), fixed=fixed)


def test_fix(lang: Lang) -> None:
    check(f"fix-{lang}", drawn(fix.lines(answer(lang), lang)))
    document = json.loads(msgspec.json.encode(answer(lang)))
    jsonschema.Draft202012Validator(schema("doctor")).validate(document)
    assert answer(lang).exit_code == 4


def test_the_questions(lang: Lang) -> None:
    asked = Question(id="cause", title=TITLE, commands=(APT, ("update-initramfs", "-u")), removed=("old 1.0",),
                     downgraded=("libc++-dev 18 -> 15",), lost=("old 1.0",), by_hand=(("hwclock", "-s"),))  # fmt: skip
    undo = UndoQuestion(id="000004", reason="cause", commands=(APT,), files=("/etc/modprobe.d/firstlight-ttm.conf",))
    said = drawn(fix.question(asked, lang)) + fix.ASK.say(lang) + "\n"
    check(f"fix-question-{lang}", said.replace("] \n", "]\n") + drawn(rollback_system.question(undo, lang)))


def test_rollback(lang: Lang) -> None:
    check(f"rollback-system-{lang}", drawn(rollback_system.lines(rollback_system_answer(), lang)))
