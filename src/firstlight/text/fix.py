"""What `doctor --fix` asks, and what came of it."""

from __future__ import annotations

from ..host.command import pasteable
from ..verbs.doctor import DoctorAnswer, FixedAnswer
from ..verbs.fix import Question
from ..words import Lang, Words
from . import doctor
from .layout import BLANK, Line, Span, Style, command, line

_STATE: dict[str, tuple[Words, Style]] = {
    "mended": (Words("mended", "已修复"), "good"),
    "waits": (Words("done", "已完成"), "good"),
    "not-mended": (Words("not mended", "未修复"), "bad"),
    "refused": (Words("no consent", "未获同意"), "warn"),
    "by-hand": (Words("by hand", "需手动处理"), "warn"),
    "failed": (Words("failed", "失败"), "bad"),
}
_WAITS = {
    "reboot": Words("It counts after a reboot.", "重启后生效。"),
    "login": Words("It counts after a new login: log out fully and in again.", "重新登录后生效：请完全注销后再登录。"),
}
_WOULD = Words("Would be run as root:", "将以 root 运行：")
_RAN = Words("Was run as root:", "已以 root 运行：")
_HAND = Words("Left to you, as firstlight could not take it back:", "由你自行决定，因为 firstlight 无法撤销：")
_REMOVES = Words("This REMOVES: {names}", "这会移除：{names}")
_DOWNGRADES = Words("This DOWNGRADES: {names}", "这会降级：{names}")
_LOST = Words("It could not be undone: {names} is offered nowhere any more", "将无法撤销：{names} 已无处可得")
_UNDO = Words("`firstlight rollback --system` undoes change {id}.", "`firstlight rollback --system` 可撤销更改 {id}。")
_CONSENT = Words(
    "To consent: `firstlight doctor --fix {id} --yes`, or answer where there is a terminal.",
    "如同意：`firstlight doctor --fix {id} --yes`，或在终端中回答。",
)
ASK = Words("Do this? [y/N] ", "执行吗？[y/N] ")
_SHOWN = 20


def question(asked: Question, lang: Lang) -> list[Line]:
    """All that a consent is for."""
    rows = [BLANK, line(Span(asked.title.say(lang), "strong"), hang=2), line(Span(f"({asked.id})", "dim"), indent=2)]
    for text, names in ((_REMOVES, asked.removed), (_DOWNGRADES, asked.downgraded), (_LOST, asked.lost)):
        if names:
            rows.append(line(Span(text.say(lang, names=_listed(names)), "bad"), indent=2, hang=2))
    rows += [line(_WOULD.say(lang), indent=2), *(command(_root(argv), indent=4) for argv in asked.commands)]
    return rows + _hand(asked.by_hand, lang)


def lines(answer: DoctorAnswer, lang: Lang, *, verbose: bool = False) -> list[Line]:
    """What was done, then what stands now."""
    rows: list[Line] = []
    for one in answer.fixed or ():
        rows += [*_fixed(one, lang), BLANK]
    return [*rows, *doctor.lines(answer, lang, verbose=verbose)]


def _fixed(one: FixedAnswer, lang: Lang) -> list[Line]:
    word, style = _STATE[one.state]
    colon = "：" if lang == "zh" else ": "
    rows = [line(Span(word.say(lang), style), colon, Span(one.title, "strong"), hang=2),
            line(Span(f"({one.id})", "dim"), indent=2)]  # fmt: skip
    if one.why:
        rows.append(line(one.why, indent=2, hang=2))
    if one.commands and one.state != "failed":
        text = _WOULD if one.state == "refused" else _RAN
        rows += [line(text.say(lang), indent=2), *(command(_root(argv), indent=4) for argv in one.commands)]
    rows += _hand(one.by_hand, lang) + [line(f"- {text}", indent=2, hang=2) for text in one.told]
    if one.state == "waits" and one.waits_for:
        rows.append(line(_WAITS[one.waits_for].say(lang), indent=2))
    if one.state == "refused":
        rows.append(line(_CONSENT.say(lang, id=one.id), indent=2, hang=2))
    return rows + ([line(_UNDO.say(lang, id=one.change), indent=2, hang=2)] if one.change else [])


def _hand(vectors: tuple[tuple[str, ...], ...], lang: Lang) -> list[Line]:
    if not vectors:
        return []
    return [line(_HAND.say(lang), indent=2), *(command(pasteable(argv), indent=4) for argv in vectors)]


def _root(argv: tuple[str, ...]) -> str:
    return pasteable(("sudo", *argv))


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names[:_SHOWN]) + (f" (+{len(names) - _SHOWN})" if len(names) > _SHOWN else "")
