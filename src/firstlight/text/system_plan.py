"""Routes through the machine's package manager: what changes, exactly, or the chain of reasons why it cannot."""

from __future__ import annotations

from collections.abc import Iterator

from ..verbs.plan import BecauseAnswer, Package, PlanAnswer, RouteAnswer
from ..words import Lang, Words
from .layout import BLANK, Line, Span, line, table
from .route_words import TIER, colon, verdict
from .units import size

SHOWN = 12
"""Packages that are listed without `--verbose`."""

_ASKED = Words("Asked for: {packages}", "请求的软件包：{packages}")
_FOR = Words("Judged for {release}, not for this machine's own release", "按 {release} 评估，而非本机当前的版本")
_HARM = Words("harm", "危害")
_CHANGES: tuple[tuple[str, Words], ...] = (
    ("remove", Words("Removed", "移除")),
    ("downgrade", Words("Downgraded", "降级")),
    ("upgrade", Words("Upgraded", "升级")),
    ("install", Words("Installed", "安装")),
)
_MORE = Words("{count} more: `--verbose`", "另有 {count} 个：`--verbose`")
_TOTAL = Words("{fetch} to fetch, {disk} more on disk", "需下载 {fetch}，磁盘占用增加 {disk}")
_LESS = Words("{fetch} to fetch, {disk} less on disk", "需下载 {fetch}，磁盘占用减少 {disk}")
_EXACT = Words("Exactly this", "精确命令")
_NOTHING = Words("nothing has to change", "无需改动")


def lines(answer: PlanAnswer, lang: Lang, *, verbose: bool = False) -> list[Line]:
    """Every route with its verdict, what it changes or why it cannot."""
    rows = [line(_ASKED.say(lang, packages=" ".join(answer.packages)), hang=2)] if answer.packages else []
    if answer.release:
        rows.append(line(Span(_FOR.say(lang, release=answer.release), "warn"), hang=2))
    for route in answer.routes:
        rows += [BLANK, *_route(route, lang, verbose=verbose)]
    return rows[1:] if rows[:1] == [BLANK] else rows


def _route(route: RouteAnswer, lang: Lang, *, verbose: bool) -> Iterator[Line]:
    yield line(verdict(route.verdict, lang), "  ", Span(route.name, "strong"), "  ", TIER[route.tier].say(lang), hang=2)
    for harm in route.harm:
        yield line(Span(_HARM.say(lang), "bad"), colon(lang), harm.what, colon(lang), harm.why, indent=2, hang=2)
    yield from (_link(link) for link in route.because)
    yield from changed(route, lang, verbose=verbose)


def _link(link: BecauseAnswer) -> Line:
    dim = link.kind in ("wanted", "needs", "known-report")
    return line(Span(link.text, "dim" if dim else "plain"), indent=2, hang=2)


def changed(route: RouteAnswer, lang: Lang, *, verbose: bool = False) -> Iterator[Line]:
    """What the route removes, downgrades, upgrades, installs; sizes; and the command that does just that."""
    for field, head in _CHANGES:
        packages: tuple[Package, ...] = getattr(route, field)
        if packages:
            yield line(Span(head.say(lang), "strong"), f" ({len(packages)})", indent=2)
            most = packages if verbose or field != "install" else packages[:SHOWN]
            yield from table([_row(one) for one in most], indent=4)
            if len(most) < len(packages):
                yield line(Span(_MORE.say(lang, count=len(packages) - len(most)), "dim"), indent=4)
    if route.verdict in ("works", "harmful"):
        yield line(_total(route, lang), indent=2)
    if route.exact and verbose:
        yield line(Span(_EXACT.say(lang), "dim"), indent=2)
        yield Line((Span(f"apt-get install {' '.join(route.exact)}", "command"),), indent=4, wrap=False)


def _row(one: Package) -> tuple[str, str, str, str]:
    moved = one.before is not None and one.before != one.version
    version = f"{one.before} → {one.version}" if moved else one.version
    return one.name, version, "-" if one.size is None else size(one.size), one.source


def _total(route: RouteAnswer, lang: Lang) -> str:
    if not (route.install or route.upgrade or route.downgrade or route.remove):
        return _NOTHING.say(lang)
    disk = route.disk_bytes
    fetch = "?" if route.download_bytes is None else size(route.download_bytes)
    words = _LESS if disk is not None and disk < 0 else _TOTAL
    return words.say(lang, fetch=fetch, disk="?" if disk is None else size(abs(disk)))
