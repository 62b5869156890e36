"""What lies in the exported folder, and what the other machine still needs."""

from __future__ import annotations

from ..verbs.export import ExportAnswer
from ..words import Lang, Words
from .layout import BLANK, Line, Span, command, line, table
from .units import size

_DONE = Words("{path} holds {count} files, {bytes}, each with its locked hash.",
              "{path} 中有 {count} 个文件，共 {bytes}，哈希均与锁文件一致。")  # fmt: skip
_STATE = {
    "kept": Words("there already", "已存在"),
    "copied": Words("copied from this disk", "从本机磁盘复制"),
    "fetched": Words("fetched", "下载"),
}
_CHECK = Words("To check them after the journey:", "搬运后可这样校验：")
_NEEDS = Words("The other machine still needs:", "另一台机器还需要：")
_THERE = Words("There, in the project or in the folder itself:", "在那边的项目中（或该文件夹内）执行：")


def lines(answer: ExportAnswer, lang: Lang) -> list[Line]:
    """How many files by how they came; what comes next."""
    counts = {state: sum(file.state == state for file in answer.files) for state in _STATE}
    rows = [(Span(_STATE[state].say(lang), "dim"), str(count)) for state, count in counts.items() if count]
    needs = list(dict.fromkeys(need.text for need in answer.needs))
    return [
        line(_DONE.say(lang, path=answer.path, count=len(answer.files), bytes=size(answer.bytes))),
        *table(rows, indent=2),
        BLANK,
        line(_NEEDS.say(lang)),
        *(line(text, indent=2, hang=2) for text in needs),
        BLANK,
        line(_CHECK.say(lang)),
        command("sha256sum -c MANIFEST", indent=2),
        line(_THERE.say(lang)),
        command("firstlight sync --offline DIR", indent=2),
    ]
