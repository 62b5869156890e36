"""Every route judged, the chosen one first."""

from __future__ import annotations

from ..routes.model import RouteVerdict, Tier
from ..verbs.plan import PlanAnswer, RouteAnswer
from ..words import Lang, Words
from .layout import BLANK, Line, Span, Style, line, table
from .units import size

_VERDICT: dict[RouteVerdict, tuple[Words, Style]] = {
    "works": (Words("works", "可行"), "good"),
    "harmful": (Words("harmful", "有害"), "bad"),
    "blocked": (Words("blocked", "不可用"), "bad"),
    "unknown": (Words("unknown", "未知"), "warn"),
}
_TIER: dict[Tier, Words] = {
    "vendor": Words("vendor", "厂商"),
    "upstream": Words("upstream", "上游"),
    "distro": Words("distro", "发行版"),
    "community": Words("community", "社区"),
    "local": Words("local", "本地"),
}
_HEAD = (
    Words("verdict", "结论"),
    Words("route", "路线"),
    Words("answers for it", "维护方"),
    Words("torch", "torch"),
    Words("download", "下载"),
    Words("disk", "磁盘"),
)
_CHOSEN = Words("chosen", "选定")
_NONE = Words("no route is chosen", "没有选定路线")
_HARM = Words("harm", "危害")
_INSTALLS = Words("installs", "安装")


def lines(answer: PlanAnswer, lang: Lang, *, verbose: bool = False) -> list[Line]:
    """A table of the routes, then why each is judged so."""
    if not answer.routes:
        return conclusion(answer, lang)
    ordered = sorted(answer.routes, key=lambda route: route.name != answer.chosen)
    heads = tuple(Span(word.say(lang), "dim") for word in _HEAD)
    rows = table([heads, *(_row(route, lang) for route in ordered)])
    for route in ordered:
        rows += [BLANK, *_reasons(route, lang, verbose=verbose)]
    return [*conclusion(answer, lang), BLANK, *rows]


def conclusion(answer: PlanAnswer, lang: Lang) -> list[Line]:
    """Which route would be taken, and why that one; or why none."""
    colon = "：" if lang == "zh" else ": "
    if answer.chosen is None:
        head = line(Span(_NONE.say(lang), "bad"))
    else:
        head = line(Span(_CHOSEN.say(lang), "good"), colon, Span(answer.chosen, "strong"))
    return [head, line(answer.why, indent=2)]


def _row(route: RouteAnswer, lang: Lang) -> tuple[Span | str, ...]:
    word, style = _VERDICT[route.verdict]
    return (
        Span(word.say(lang), style),
        Span(route.name, "strong"),
        _TIER[route.tier].say(lang),
        route.versions.get("torch", "-"),
        "-" if route.download_bytes is None else size(route.download_bytes),
        "-" if route.disk_bytes is None else size(route.disk_bytes),
    )


def _reasons(route: RouteAnswer, lang: Lang, *, verbose: bool) -> list[Line]:
    rows = [line(Span(route.name, "strong"))]
    rows += [line(because.text, indent=2, hang=2) for because in route.because]
    colon = "：" if lang == "zh" else ": "
    rows += [line(Span(_HARM.say(lang), "bad"), colon, harm.what, colon, harm.why, indent=2) for harm in route.harm]
    if verbose and route.install:
        named = ", ".join(f"{package.name} {package.version}" for package in route.install)
        rows.append(line(Span(_INSTALLS.say(lang), "dim"), colon, named, indent=2, hang=2))
    return rows
