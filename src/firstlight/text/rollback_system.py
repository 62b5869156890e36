"""What is undone of the machine."""

from __future__ import annotations

from ..host.command import pasteable
from ..verbs.rollback_system import RollbackSystemAnswer, UndoQuestion
from ..words import Lang, Words
from .layout import BLANK, Line, Span, command, line, table

_ASK = Words("Change {id} of this machine ({reason}) would be undone.", "将撤销本机的更改 {id}（{reason}）。")
_RUN = Words("Would be run as root:", "将以 root 运行：")
_FILES = Words("Would be put back as they were:", "将恢复原状：")
_DONE = Words("Change {id} of this machine ({reason}) is undone.", "已撤销本机的更改 {id}（{reason}）。")
_LEFT = Words(
    "Left as they are, since somebody else has changed them or they are in use:",
    "以下内容保持不变，因为之后被他人改动过或正在使用：",
)
_EARLIER = Words(
    "{count} earlier changes can be undone in the same way, one after the other.",
    "另有 {count} 个更早的更改可以用同样方式依次撤销。",
)
_ONE_EARLIER = Words("One earlier change can be undone in the same way.", "另有 1 个更早的更改可以用同样方式撤销。")
_SHOWN = 20


def question(asked: UndoQuestion, lang: Lang) -> list[Line]:
    """All that the consent is for."""
    rows = [line(Span(_ASK.say(lang, id=asked.id, reason=asked.reason), "strong"))]
    if asked.commands:
        rows += [
            line(_RUN.say(lang), indent=2),
            *(command(pasteable(("sudo", *argv)), indent=4) for argv in asked.commands),
        ]
    if asked.files:
        rows += [line(_FILES.say(lang), indent=2), *_paths(asked.files)]
    return rows


def lines(answer: RollbackSystemAnswer, lang: Lang) -> list[Line]:
    """The change, and what could not be put back."""
    rows = [line(_DONE.say(lang, id=answer.change, reason=answer.reason))]
    if answer.steps:
        rows += table([(one.kind, Span(one.subject, "dim")) for one in answer.steps], indent=2)
    if answer.left:
        rows += [BLANK, line(Span(_LEFT.say(lang), "warn")), *_paths(answer.left)]
    if answer.earlier:
        text = _ONE_EARLIER.say(lang) if answer.earlier == 1 else _EARLIER.say(lang, count=answer.earlier)
        rows += [BLANK, line(text)]
    return rows


def _paths(paths: tuple[str, ...]) -> list[Line]:
    more = [line(f"(+{len(paths) - _SHOWN})", indent=4)] if len(paths) > _SHOWN else []
    return [line(path, indent=4, wrap=False) for path in paths[:_SHOWN]] + more
