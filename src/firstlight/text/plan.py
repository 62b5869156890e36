"""Every route judged, the chosen one first."""

from __future__ import annotations

from collections.abc import Sequence

from ..verbs.plan import PlanAnswer, RouteAnswer
from ..words import Lang, Words
from . import plan_table
from .layout import BLANK, Line, Span, line
from .route_words import VERDICT, colon, comma

_CHOSEN = Words("chosen", "选定")
_NONE = Words("no route is chosen", "没有选定路线")
_RESTRICTED = Words("the choice was restricted to {route}", "选择范围被限定为 {route}")
_WITHOUT = Words("{said}; without that these work: {names}", "{said}；若不限定，可用的有：{names}")
_ELSEWHERE = Words(
    "{count} more are for other backends: `firstlight plan --all`",
    "另有 {count} 条路线用于其他后端：`firstlight plan --all`",
)
_ONE_ELSEWHERE = Words(
    "1 more is for another backend: `firstlight plan --all`", "另有 1 条路线用于其他后端：`firstlight plan --all`"
)
_MORE = Words(
    "All that is known about one of them: `firstlight plan --why ROUTE`",
    "某条路线的全部详情：`firstlight plan --why 路线`",
)
_AS_OF = Words("Read from the cache as of {date}: {names}", "读自缓存（{date}）：{names}")
_SYSTEM = Words(
    "Routes through system packages bring a driver, or ROCm or CUDA outside of Python, no torch: {names}",
    "通过系统软件包的路线提供驱动，或 Python 之外的 ROCm / CUDA，不含 torch：{names}",
)
_PYTHON = Words("What works is for Python {python}", "可行的路线适用于 Python {python}")
_INSTALLS = Words("installs", "安装")


def lines(answer: PlanAnswer, lang: Lang, *, verbose: bool = False, every: bool = False, width: int = 80) -> list[Line]:
    """A table of the routes for a terminal of `width` cells; `every`: those of other backends too. Or all about the
    one that was asked for."""
    if answer.asked is not None:
        from . import plan_why

        return plan_why.lines(answer, lang)
    if answer.packages:
        from . import system_plan

        return system_plan.lines(answer, lang, verbose=verbose)
    shown = [route for route in _ordered(answer) if every or not _elsewhere(route, answer)]
    table, python = plan_table.drawn(shown, lang, width, whole=answer.chosen is None)
    rows = [*conclusion(answer, lang), *([BLANK, *table] if shown else ())]
    if verbose:
        rows += [row for route in shown for row in (BLANK, *_reasons(route, lang))]
    notes = [line(_PYTHON.say(lang, python=python))] if python else []
    notes += [*_dates(shown, lang), *_of_system(shown, lang), *_others(len(answer.routes) - len(shown), lang)]
    if shown and not verbose:
        notes.append(line(Span(_MORE.say(lang), "dim")))
    return [*rows, BLANK, *notes] if notes else rows


def conclusion(answer: PlanAnswer, lang: Lang) -> list[Line]:
    """Which route would be taken, and why that one; or why none."""
    if answer.chosen is not None:
        head = line(Span(_CHOSEN.say(lang), "good"), colon(lang), Span(answer.chosen, "strong"))
        return [head, line(answer.why, indent=2)]
    head = line(Span(_NONE.say(lang), "bad"))
    return [head, line(answer.why, indent=2), *_restricted(answer, lang)]


def _restricted(answer: PlanAnswer, lang: Lang) -> list[Line]:
    """That others work is worth knowing where the one that was named does not."""
    if answer.route is None:
        return []
    said = _RESTRICTED.say(lang, route=answer.route)
    names = comma(lang).join(route.name for route in answer.routes if route.verdict == "works")
    return [line(_WITHOUT.say(lang, said=said, names=names) if names else said, indent=2)]


def _ordered(answer: PlanAnswer) -> list[RouteAnswer]:
    """The chosen one, then by verdict; within one as the plan has them, best first."""
    verdicts = tuple(VERDICT)
    return sorted(answer.routes, key=lambda route: (route.name != answer.chosen, verdicts.index(route.verdict)))


def _elsewhere(route: RouteAnswer, answer: PlanAnswer) -> bool:
    """Whether it is out of the question only because another backend is wanted here."""
    if route.verdict != "blocked" or route.name == answer.route or not route.because:
        return False
    kind = route.because[0].kind
    return kind == "not-the-backend" or (kind == "needs-driver" and answer.backend not in (None, route.backend))


def _others(count: int, lang: Lang) -> list[Line]:
    if not count:
        return []
    return [line((_ONE_ELSEWHERE if count == 1 else _ELSEWHERE).say(lang, count=count))]


def _of_system(routes: Sequence[RouteAnswer], lang: Lang) -> list[Line]:
    """That they work says nothing of torch."""
    names = [route.name for route in routes if route.part is not None and route.verdict in ("works", "harmful")]
    return [line(_SYSTEM.say(lang, names=comma(lang).join(names)), hang=2)] if names else []


def _dates(routes: Sequence[RouteAnswer], lang: Lang) -> list[Line]:
    """Answers from the cache are as old as they are: one line a date."""
    dates = sorted({route.as_of for route in routes if route.as_of})
    named = {date: comma(lang).join(route.name for route in routes if route.as_of == date) for date in dates}
    return [line(Span(_AS_OF.say(lang, date=date, names=names), "warn"), hang=2) for date, names in named.items()]


def _reasons(route: RouteAnswer, lang: Lang) -> list[Line]:
    rows = [line(Span(route.name, "strong"))]
    rows += [line(because.text, indent=2, hang=2) for because in route.because]
    if route.install:
        named = ", ".join(f"{package.name} {package.version}" for package in route.install)
        rows.append(line(Span(_INSTALLS.say(lang), "dim"), colon(lang), named, indent=2, hang=2))
    return rows
