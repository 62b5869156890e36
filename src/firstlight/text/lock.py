"""What was frozen, and where."""

from __future__ import annotations

from ..verbs.lock import LockAnswer, LockedBackend
from ..words import Lang, Words
from . import route_words
from .layout import BLANK, Line, Span, command, line, table

_FROZEN = Words("Frozen in {path}:", "已冻结到 {path}：")
_COMMIT = Words(
    "Commit it with the pylock files beside it. To make this machine match:",
    "请把它和旁边的 pylock 文件一起提交。让这台机器与之一致：",
)
_ANSWERS = Words(
    "{route}: {who} answers for it; declared in {place}, {licence}",
    "{route}：由 {who} 负责；声明于 {place}，{licence}",
)
_NOBODY = Words("nobody by name", "未具名者")
_LICENCE = Words("licence {name}", "许可证 {name}")
_NO_LICENCE = Words("licence not declared", "未声明许可证")

_ADOPTED = Words("Adopted from {path}, just as it is.", "取自 {path}，原样冻结。")
_LOST = Words("Cannot be had again ({count}):", "无法再次获得（{count} 个）：")
_NO_SYNC = Words(
    "The lock describes this environment; it cannot be made again from it. Replace or remove these there, or add a "
    "source that has them, then adopt again.",
    "该锁文件只描述此环境，无法据以重建。请在原环境中替换或移除这些包，或添加提供它们的来源，然后重新接管。",
)
_LEFT_OUT = Words(
    "Not in the lock, as they hold paths of this machine: {names}", "因含本机路径而未写入锁文件的变量：{names}"
)


def lines(answer: LockAnswer, lang: Lang) -> list[Line]:
    """One row a backend, and what comes next."""
    rows = [
        (one.backend, one.route, route_words.TIER[one.tier].say(lang), f"Python {one.python}", one.pylock)
        for one in answer.backends
    ]
    return [
        line(_FROZEN.say(lang, path=answer.path)),
        *table(rows, indent=2),
        *(row for one in answer.backends for row in _answers(one, lang)),
        *_adopted(answer, lang),
        BLANK,
        *_next(answer, lang),
    ]


def _next(answer: LockAnswer, lang: Lang) -> list[Line]:
    if answer.lost:
        return [line(_NO_SYNC.say(lang))]
    return [line(_COMMIT.say(lang)), command("firstlight sync", indent=2)]


def _adopted(answer: LockAnswer, lang: Lang) -> list[Line]:
    """What was adopted, and each thing of it that cannot be had again."""
    if answer.environment is None:
        return []
    rows = [line(_ADOPTED.say(lang, path=answer.environment), indent=2, hang=2)]
    if answer.left_out:
        rows.append(line(_LEFT_OUT.say(lang, names=", ".join(answer.left_out)), indent=2, hang=2))
    if answer.lost:
        lost = [(Span(one.name, "strong"), one.version or "-", one.text) for one in answer.lost]
        rows += [BLANK, line(Span(_LOST.say(lang, count=len(answer.lost)), "bad")), *table(lost, indent=2)]
    return rows


def _answers(backend: LockedBackend, lang: Lang) -> list[Line]:
    """Who stands behind a route that was declared."""
    said = backend.provenance
    if said is None:
        return []
    licence = _LICENCE.say(lang, name=said.licence) if said.licence else _NO_LICENCE.say(lang)
    who = said.maintainer or _NOBODY.say(lang)
    told = _ANSWERS.say(lang, route=backend.route, who=who, place=said.declared_in, licence=licence)
    return [line(told, indent=2, hang=2)]
