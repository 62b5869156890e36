"""What a recording holds and what was left out."""

from __future__ import annotations

from collections import Counter

from ..verbs.capture import CaptureAnswer
from ..words import Lang, Words
from .layout import BLANK, Line, Span, command, line, table
from .units import size

_WROTE = Words(
    "Wrote {path} ({size}): {read} look-ups, the content of {files} files.",
    "已写入 {path}（{size}）：{read} 项查询，{files} 个文件的内容。",
)
_REDACTED = Words(
    "Names, serials, UUIDs, addresses and tokens were replaced by dummies. Read it before you share it.",
    "名称、序列号、UUID、地址和令牌已替换为占位值。分享前请自行检查。",
)
_LEFT_OUT = Words("Left out:", "未收录：")
_MORE = Words("`-v` names each of them.", "`-v` 会逐一列出。")
_READ = Words("Read:", "已读取：")
_THEN = Words("To ask it as if it were this machine:", "像查询本机一样查询它：")


def lines(answer: CaptureAnswer, lang: Lang, *, verbose: bool = False) -> list[Line]:
    """Counts; with `verbose` every path."""
    told = _WROTE.say(lang, path=answer.path, size=size(answer.bytes), read=len(answer.read), files=answer.files)
    rows = [line(told), line(_REDACTED.say(lang)), *_left_out(answer, lang, verbose=verbose)]
    if verbose:
        rows += [BLANK, line(Span(_READ.say(lang), "strong")), *(line(path, indent=2) for path in answer.read)]
    return [*rows, BLANK, line(_THEN.say(lang)), command(f"firstlight doctor --host {answer.path}", indent=2)]


def _left_out(answer: CaptureAnswer, lang: Lang, *, verbose: bool) -> list[Line]:
    if not answer.left_out:
        return []
    head = [BLANK, line(Span(_LEFT_OUT.say(lang), "strong"))]
    if verbose:
        return [*head, *table([(one.why, one.path) for one in answer.left_out], indent=2)]
    counts = Counter(one.why for one in answer.left_out)
    return [*head, *table([(str(count), why) for why, count in counts.most_common()], indent=2), line(_MORE.say(lang))]
