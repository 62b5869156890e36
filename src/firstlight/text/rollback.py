"""What is in use after a rollback."""

from __future__ import annotations

from ..verbs.rollback import ChangeAnswer, RollbackAnswer
from ..words import Lang, Words
from .layout import BLANK, Line, Span, command, line, table

_BACK = Words(
    "The last sync is undone: {left} is not in use any more, {to} is again.",
    "已撤销最近一次 sync：不再使用 {left}，重新使用 {to}。",
)
_NONE = Words(
    "The last sync is undone: {left} is not in use any more. It was the first, so there is no environment now.",
    "已撤销最近一次 sync：不再使用 {left}。那是第一次 sync，因此现在没有环境。",
)
_CHANGED = Words("What is of another version now:", "版本有变化的分发包：")
_LISTED = 12
_MORE = Words("and {count} more (`--json` lists all)", "另有 {count} 个（`--json` 列出全部）")
_PYTHON = Words("Its Python:", "其 Python：")
_AGAIN = Words(
    "firstlight.lock is as it was: `firstlight sync` brings {left} back without installing it anew.",
    "firstlight.lock 没有改动：`firstlight sync` 会恢复 {left}，无需重新安装。",
)


def lines(answer: RollbackAnswer, lang: Lang) -> list[Line]:
    """From which environment to which, and what that means for its packages."""
    if answer.to is None:
        return [line(_NONE.say(lang, left=answer.left)), line(_AGAIN.say(lang, left=answer.left))]
    rows = [line(_BACK.say(lang, left=answer.left, to=answer.to))]
    if answer.changes:
        rows += [BLANK, line(_CHANGED.say(lang)), *table([_row(one) for one in answer.changes[:_LISTED]], indent=2)]
    if len(answer.changes) > _LISTED:
        rows.append(line(_MORE.say(lang, count=len(answer.changes) - _LISTED), indent=2))
    rows += [BLANK, line(_PYTHON.say(lang)), command(answer.python or "-", indent=2)]
    return [*rows, BLANK, line(_AGAIN.say(lang, left=answer.left))]


def _row(one: ChangeAnswer) -> tuple[Span | str, ...]:
    return Span(one.name, "strong"), f"{one.before or '-'} -> {one.after or '-'}"
