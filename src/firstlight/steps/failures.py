"""uv's failures while an environment is made, as errors: what, why here, what next."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

import msgspec

from ..errors import NoError
from ..host.command import signal_name
from ..host.model import Outcome
from ..routes.model import Because, Wheel
from ..routes.refusals import refusal
from ..words import Words

KEPT = Words("the environment that was in use before is untouched", "之前使用的环境未受影响")
_AGAIN = Words("mend that, then sync again: files that came whole are kept",
               "请修正后重新执行 sync：已完整下载的文件会保留")  # fmt: skip
_OTHERWISE = Words(
    "or freeze what is offered now with `firstlight lock`, or take the files from an export: "
    "`firstlight sync --offline DIR`",
    "或用 `firstlight lock` 锁定现在提供的文件，或使用导出的文件：`firstlight sync --offline 目录`",
)


class Case(msgspec.Struct, frozen=True):
    """One way in which the files of a lock do not come: how uv words it, how we do, and what to do then."""

    signs: tuple[str, ...]
    what: Words
    next: Words


CASES: dict[str, Case] = {
    "cut": Case(
        ("reading a body from connection", "error decoding response body", "request or response body error"),
        Words("the connection to {host} ended before the whole file had come: {file}",
              "与 {host} 的连接在文件传完之前中断：{file}"),
        Words("sync again: files that came whole are kept, this one is fetched anew; on a slow line set "
              "UV_HTTP_TIMEOUT=300",
              "请重新执行 sync：已完整下载的文件会保留，此文件会重新下载；网速慢时可设置 UV_HTTP_TIMEOUT=300"),
    ),
    "damaged": Case(
        ("failed to extract archive", "invalid zip", "not a valid zip"),
        Words("what {host} sent is not the locked file, nor any wheel: {file}; its hash was not even reached",
              "{host} 发来的不是锁定的文件，也不是任何 wheel：{file}；还未到校验哈希的一步"),
        Words("see what a proxy or a login page on the way answers, then sync again",
              "请检查中间的代理或登录页返回了什么，然后重新执行 sync"),
    ),
    "unreachable": Case(
        (),
        Words("{host} cannot be reached from here, and {file} is to come from there",
              "无法从本机访问 {host}，而 {file} 需从那里下载"),
        Words(f"sync again when the network is back; {_OTHERWISE.en}", f"网络恢复后重新执行 sync；{_OTHERWISE.zh}"),
    ),
    "gone": Case(
        (),
        Words("{file} is not, or no longer, where its index said, at {host}",
              "{file} 不在（或已不在）{host} 上索引所说的位置"),
        Words(f"see whether its publisher withdrew it; {_OTHERWISE.en}", f"请查看发布者是否已撤回它；{_OTHERWISE.zh}"),
    ),
    "server-error": Case(
        (),
        Words("{host} answers with an error of its own for {file}", "{host} 对 {file} 返回了服务器自身的错误"),
        Words(f"sync again later; {_OTHERWISE.en}", f"请稍后重新执行 sync；{_OTHERWISE.zh}"),
    ),
    "wrong-hash": Case(
        (),
        Words("{file} does not have the hash that was frozen", "{file} 的哈希与锁定的不一致"),
        Words("do not trust it: ask its publisher whether the file was replaced, and see what on the way may have "
              "changed it; then sync again, or freeze anew with `firstlight lock`",
              "不要信任该文件：请确认发布者是否替换了它，或途中是否被改动；"
              "然后重新执行 sync，或用 `firstlight lock` 重新锁定"),
    ),
}  # fmt: skip


def no_environment(version: str, outcome: Outcome) -> NoError:
    """No empty environment of that Python."""
    first, *rest = refusal(outcome.stderr, "uv", timed_out=outcome.timed_out)
    room = first.kind in ("disk-full", "unwritable-cache")
    return NoError(
        Words(f"no environment with Python {version} could be made", f"无法创建 Python {version} 环境"),
        why=_said(rest, outcome),
        next=first.text if room else Words(
            f"install that Python (`uv python install {version}`), or name one with FIRSTLIGHT_PYTHON=PATH",
            f"请安装该版本 Python（`uv python install {version}`），或用 FIRSTLIGHT_PYTHON=路径 指定"),
    )  # fmt: skip


def not_installed(outcome: Outcome, wheels: Sequence[Wheel]) -> NoError:
    """The environment was made, and not filled with `wheels`."""
    first, *rest = refusal(outcome.stderr, "uv", timed_out=outcome.timed_out)
    said = _said(rest, outcome)
    case = _case(first.kind, outcome.stderr.lower())
    wheel = next((one for one in wheels if f"`{one.name}==" in outcome.stderr or one.filename in outcome.stderr), None)
    what = _killed(outcome) or first.text
    if case is not None and wheel is not None:
        host = urlsplit(wheel.url).netloc if wheel.url else wheel.source
        what = case.what.fill(host=host, file=wheel.filename)
    return NoError(
        Words(f"the locked files could not be installed: {what.en}", f"锁定的文件无法安装：{what.zh}"),
        why=Words(f"{said.en}; {KEPT.en}", f"{said.zh}；{KEPT.zh}"),
        next=case.next if case is not None else _AGAIN,
    )


def _case(kind: str, text: str) -> Case | None:
    """By the kind of refusal; a broken connection and a damaged file have no kind of their own while planning."""
    if kind in ("unreachable", "failed"):
        found = next((case for case in CASES.values() if any(sign in text for sign in case.signs)), None)
        if found is not None:
            return found
    return CASES.get(kind)


def _killed(outcome: Outcome) -> Words | None:
    """A uv that said nothing, since something ended it."""
    signal = signal_name(outcome.code)
    if signal is None or outcome.timed_out or outcome.stderr.strip():
        return None
    return Words(f"uv was ended by {signal}, as the kernel does when memory runs out",
                 f"uv 被 {signal} 终止，内存耗尽时内核会这样做")  # fmt: skip


def _said(rest: list[Because], outcome: Outcome) -> Words:
    """What uv said itself."""
    if not rest:
        return _killed(outcome) or Words(f"uv ended with code {outcome.code}", f"uv 以代码 {outcome.code} 结束")
    return Words("; ".join(link.text.en for link in rest), "；".join(link.text.zh for link in rest))
