"""What differs from the lock, and what that means."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from itertools import groupby

from ..verbs.drift import DifferenceAnswer, DriftAnswer
from ..words import Lang, Words
from .layout import BLANK, Line, Span, Style, command, line

_SEVERITY: dict[str, tuple[Words, Style]] = {
    "blocking": (Words("blocking", "阻碍"), "bad"),
    "degrading": (Words("degrading", "影响"), "warn"),
    "advice": (Words("advice", "提示"), "plain"),
    "unknown": (Words("unknown", "未知"), "dim"),
}
_KIND: dict[str, Words] = {
    "arch": Words("architecture", "架构"),
    "libc": Words("C library", "C 库"),
    "gpus": Words("GPU targets", "GPU 的 target"),
    "kernel": Words("kernel", "内核"),
    "driver": Words("GPU driver", "GPU 驱动"),
    "variable": Words("variable {what}", "变量 {what}"),
    "pylock": Words("{what}", "{what}"),
    "no-environment": Words("no environment", "没有环境"),
    "environment": Words("another environment is in use", "正在使用另一个环境"),
    "python": Words("Python of the environment: {what}", "环境的 Python：{what}"),
    "distribution-missing": Words("{what} is missing", "缺少 {what}"),
    "distribution-version": Words("{what} is of another version", "{what} 的版本不同"),
    "distribution-extra": Words("{what} is not locked", "{what} 不在锁文件中"),
    "distribution-reinstalled": Words("{what} was installed again", "{what} 被重新安装过"),
    "record-unreadable": Words("RECORD of {what} cannot be used", "{what} 的 RECORD 无法使用"),
    "record-outside": Words("RECORD of {of} leads out: {what}", "{of} 的 RECORD 指向环境之外：{what}"),
    "file-missing": Words("file missing: {what}", "缺少文件：{what}"),
    "file-changed": Words("file changed: {what}", "文件被改动：{what}"),
    "file-added": Words("file added: {what}", "多出文件：{what}"),
    "file-link": Words("not what was installed: {what}", "不是安装时的内容：{what}"),
    "unreadable": Words("cannot be read: {what}", "无法读取：{what}"),
}
_SIDES = Words("lock {lock}, here {host}", "锁文件 {lock}，这里 {host}")
_SINCE = Words("since {since}", "自 {since} 起")
_MORE = Words("... and {count} more like it (`--json` lists all)", "……另有 {count} 个同类差异（`--json` 列出全部）")
_SHOWN = 5
"""Differences of one kind and distribution that are told one by one."""
_COMPARED = Words(
    "Compared with firstlight.lock ({backend}): {conditions} host conditions, {distributions} distributions, {files} "
    "files ({hashed} of them read whole).",
    "已与 firstlight.lock（{backend}）对比：{conditions} 项主机条件、{distributions} 个分发包、{files} 个文件"
    "（其中 {hashed} 个读取了全部内容）。",
)
_SAME = Words("Nothing differs.", "没有差异。")
_ENDED = {
    1: Words("Differences: {count}.", "差异：{count} 处。"),
    3: Words("Nothing is known to differ, but {count} things cannot be told.", "未发现差异，但有 {count} 项无法判断。"),
}
_REMEDY = Words("To have the environment as it is locked:", "要让环境恢复为锁定的状态：")


def lines(answer: DriftAnswer, lang: Lang) -> list[Line]:
    """The worst difference first; many of a kind as the first few."""
    rows: list[Line] = []
    for _, several in groupby(answer.differences, key=_alike):
        rows += [*_group(list(several), lang), BLANK]
    if answer.why:
        rows += [line(answer.why), BLANK]
    if answer.remedy:
        told = [command(shlex.join(one.argv), indent=2) for one in answer.remedy]
        rows += [line(_REMEDY.say(lang)), *told, BLANK]
    return [*rows, _compared(answer, lang), _conclusion(answer, lang)]


def _alike(one: DifferenceAnswer) -> tuple[str, str | None, bool]:
    return one.kind, one.of, one.unknown is None


def _group(several: Sequence[DifferenceAnswer], lang: Lang) -> list[Line]:
    """Neighbours of one kind: one effect for those that mean the same."""
    rows: list[Line] = []
    for effect, alike in groupby(several[:_SHOWN], key=lambda one: one.effect):
        rows += [row for one in alike for row in _one(one, lang)]
        rows.append(line(effect, indent=4))
    if len(several) > _SHOWN:
        rows.append(line(_MORE.say(lang, count=len(several) - _SHOWN), indent=4))
    return rows


def _one(one: DifferenceAnswer, lang: Lang) -> Iterable[Line]:
    word, style = _SEVERITY["unknown" if one.unknown is not None else one.severity]
    title = _KIND[one.kind].say(lang, what=one.what, of=one.of or "?")
    yield line(Span(word.say(lang), style), "  ", Span(title, "strong"), hang=4)
    here = _short(one.host) if one.host else "-" if one.unknown is None else "?"
    sides = [_SIDES.say(lang, lock=_short(one.lock) if one.lock else "-", host=here)]
    sides += [_SINCE.say(lang, since=one.since)] if one.since else []
    yield line(("，" if lang == "zh" else ", ").join(sides), indent=4)


def _short(side: str) -> str:
    """Of a digest the first signs are enough to tell two apart."""
    return f"{side[:23]}..." if side.startswith("sha") and len(side) > 60 else side


def _compared(answer: DriftAnswer, lang: Lang) -> Line:
    checked = answer.checked
    return line(
        _COMPARED.say(
            lang,
            backend=answer.backend,
            conditions=checked.conditions,
            distributions=checked.distributions,
            files=checked.files,
            hashed=checked.hashed,
        )
    )


def _conclusion(answer: DriftAnswer, lang: Lang) -> Line:
    if not answer.differences:
        return line(Span(_SAME.say(lang), "good"))
    count = len(answer.differences) + answer.left_out
    return line(Span(_ENDED[answer.exit_code].say(lang, count=count), "bad" if answer.exit_code == 1 else "warn"))
