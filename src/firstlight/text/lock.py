"""What was frozen, and where."""

from __future__ import annotations

from ..verbs.lock import LockAnswer
from ..words import Lang, Words
from .layout import BLANK, Line, command, line, table

_FROZEN = Words("Frozen in {path}:", "已冻结到 {path}：")
_COMMIT = Words(
    "Commit it with the pylock files beside it. To make this machine match:",
    "请把它和旁边的 pylock 文件一起提交。让这台机器与之一致：",
)


def lines(answer: LockAnswer, lang: Lang) -> list[Line]:
    """One row a backend, and what comes next."""
    rows = [(one.backend, one.route, f"Python {one.python}", one.pylock) for one in answer.backends]
    return [
        line(_FROZEN.say(lang, path=answer.path)),
        *table(rows, indent=2),
        BLANK,
        line(_COMMIT.say(lang)),
        command("firstlight sync", indent=2),
    ]
