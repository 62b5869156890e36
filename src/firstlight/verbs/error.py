"""The answer where there is none: an error in its three parts."""

from __future__ import annotations

from ..errors import FirstlightError
from ..words import Lang, Words
from .answer import Answer

BUG_EXIT = 70
_BUG = Words("this is a bug in firstlight: {what}", "这是 firstlight 自身的缺陷：{what}")
_BUG_WHY = Words(
    "nothing is known to be wrong with this machine or with what you asked for", "这不说明机器或你的请求有问题"
)
_BUG_NEXT = Words(
    "report it in firstlight's issue tracker with the trace, the command, and what `firstlight capture` writes",
    "请在 firstlight 的问题跟踪处报告，并附上这段跟踪信息、所用命令以及 `firstlight capture` 的输出文件",
)

_STOPPED = Words("stopped by {signal}", "已被 {signal} 中断")
_AGAIN = Words(
    "nothing half-done is in use; the same command goes on from here",
    "没有启用任何未完成的内容；重新运行同一命令即可继续",
)


class ErrorAnswer(Answer, frozen=True, kw_only=True, tag="firstlight.error/1"):
    """What is so, why it matters here, what to do next."""

    what: str
    why: str | None
    next: str | None
    exit_code: int


def failed(error: FirstlightError, lang: Lang) -> ErrorAnswer:
    """The words of an error, with the exit code that its class owns."""
    return ErrorAnswer(
        what=error.what.say(lang),
        why=error.why.say(lang) if error.why else None,
        next=error.next.say(lang) if error.next else None,
        exit_code=error.exit_code,
    )


def stopped(signal: str, exit_code: int, lang: Lang) -> ErrorAnswer:
    """The end by a signal."""
    return ErrorAnswer(what=_STOPPED.say(lang, signal=signal), why=None, next=_AGAIN.say(lang), exit_code=exit_code)


def broken(error: BaseException, lang: Lang) -> ErrorAnswer:
    """An exception that should never have come this far."""
    what = f"{type(error).__name__}: {error}"
    # filled by hand: an exception's own text may hold braces
    return ErrorAnswer(
        what=_BUG.say(lang).replace("{what}", what),
        why=_BUG_WHY.say(lang),
        next=_BUG_NEXT.say(lang),
        exit_code=BUG_EXIT,
    )
