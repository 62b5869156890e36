"""All that is known about one route: the chain of reasons, what it would install, who answers for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..routes.model import Provenance, Tier
from ..verbs.plan import BecauseAnswer, Package, PlanAnswer, RouteAnswer
from ..verbs.standing import Rule
from ..words import Lang, Words
from .layout import BLANK, Line, Span, line, table
from .route_words import TIER, colon, comma, verdict
from .units import size

_CHOSEN = Words("chosen", "选定")
_MAKER = {"rocm": "AMD", "cuda": "NVIDIA"}
_ANSWERS: dict[Tier, Words] = {
    "vendor": Words("the maker of the chip", "芯片厂商"),
    "upstream": Words("the project itself", "项目官方"),
    "distro": Words("the distribution", "发行版"),
    "community": Words("whoever built it", "构建者本人"),
    "local": Words("whoever put it there", "放置者本人"),
}

_FIRST: dict[Rule, Words] = {
    "only": Words("it is the only one that works", "它是唯一可行的路线"),
    "route": Words("it was named, and the choice is restricted to it", "已指定该路线，选择范围仅限于它"),
    "policy": Words("policy production takes none of the others that work", "production 策略不接受其余可行的路线"),
    "system": Words(
        "it goes before {against}: it builds an environment of its own, {against} changes the machine's packages",
        "优先于 {against}：它自建环境，而 {against} 会改动本机的软件包",
    ),
    "tier": Words(
        "it goes before {against}: tier {this} before {other}",
        "优先于 {against}：维护方“{this}”先于“{other}”",
    ),
    "torch": Words(
        "it goes before {against}: torch {this} is newer than {other}",
        "优先于 {against}：torch {this} 新于 {other}",
    ),
    "harm": Words("it goes before {against}: it does less harm", "优先于 {against}：损害更少"),
    "size": Words(
        "it goes before {against}: {this} to fetch, not {other}", "优先于 {against}：需下载 {this}，而非 {other}"
    ),
    "minutes": Words(
        "it goes before {against}: {this} minutes, not {other}", "优先于 {against}：需 {this} 分钟，而非 {other} 分钟"
    ),
    "name": Words(
        "it and {against} are equal by every rule; names decide", "与 {against} 在各项规则上相同，按名称排序"
    ),
}
"""Why the chosen one is."""

_NOT: dict[Rule, Words] = {
    "verdict": Words("not chosen: only what works is", "未选定：只选可行的路线"),
    "route": Words("not chosen: another route was named", "未选定：已指定其他路线"),
    "policy": Words("not chosen: policy production does not take its tier", "未选定：production 策略不接受其维护方"),
    "system": Words("not chosen by itself: it changes the machine's packages", "不会自动选定：它会改动本机的软件包"),
    "tier": Words(
        "not chosen: {against} goes before it, tier {other} before {this}",
        "未选定：{against} 优先，维护方“{other}”先于“{this}”",
    ),
    "torch": Words(
        "not chosen: {against} has the newer torch, {other} against {this}",
        "未选定：{against} 的 torch 更新，为 {other}，而此路线为 {this}",
    ),
    "harm": Words("not chosen: {against} does less harm", "未选定：{against} 的损害更少"),
    "size": Words(
        "not chosen: {against} is less to fetch, {other} against {this}",
        "未选定：{against} 下载量更小，为 {other}，而此路线为 {this}",
    ),
    "minutes": Words(
        "not chosen: {against} is faster to fetch, {other} minutes against {this}",
        "未选定：{against} 下载更快，需 {other} 分钟，而此路线需 {this} 分钟",
    ),
    "name": Words(
        "not chosen: {against} is equal by every rule, and comes first by name",
        "未选定：与 {against} 在各项规则上相同，按名称排在其后",
    ),
}
"""Why another one is not."""

_HARMFUL = Words("never chosen by itself: it does harm", "不会自动选定：它会造成损害")
_UNJUDGED = Words("not chosen: it cannot be judged here", "未选定：在此无法判断")
_WHY = Words("Why", "原因")
_HARM = Words("Harm", "危害")
_INSTALLS = Words("It would install", "将安装")
_BUILDS_WITH = Words("Its source packages are built here with", "其源码包在本机构建，所用工具")
_WHERE = Words("Where it comes from", "出处")
_TOTAL = Words("{count} files: {fetch} to fetch, {disk} on disk", "共 {count} 个文件：需下载 {fetch}，占用磁盘 {disk}")
_ONE = Words("1 file: {fetch} to fetch, {disk} on disk", "共 1 个文件：需下载 {fetch}，占用磁盘 {disk}")
_TIME = Words("{said}, {minutes} minutes", "{said}，约 {minutes} 分钟")
_BUILT = Words("source, built here", "源码，在本机构建")
_MINUTES = Words("{minutes} minutes", "{minutes} 分钟")
_DAYS = Words("{days} days ago", "{days} 天前")
_DAY = Words("1 day ago", "1 天前")
_LABEL = {
    "tier": Words("answers for it", "维护方"),
    "source": Words("source", "来源"),
    "origin": Words("named by", "由何处指定"),
    "as_of": Words("from the cache as of", "读自缓存，日期"),
    "age": Words("torch published", "torch 发布于"),
    "python": Words("Python", "Python"),
    "targets": Words("for the targets", "目标芯片"),
    "variables": Words("variables", "环境变量"),
    "licence": Words("licence", "许可证"),
    "recipe": Words("recipe", "构建方法"),
    "homepage": Words("homepage", "主页"),
    "build_minutes": Words("to build it oneself", "自行构建耗时"),
    "declared_in": Words("declared in", "声明于"),
}


def lines(answer: PlanAnswer, lang: Lang) -> list[Line]:
    """Of the one route that was asked for."""
    return [row for route in answer.routes for row in _route(route, answer, lang)]


def _route(route: RouteAnswer, answer: PlanAnswer, lang: Lang) -> list[Line]:
    chosen = route.name == answer.chosen
    head = line(Span(route.name, "strong"), colon(lang), verdict(route.verdict, lang),
                *((comma(lang), Span(_CHOSEN.say(lang), "good")) if chosen else ()))  # fmt: skip
    rows = [head, line(_standing(route, lang, chosen=chosen), indent=2, hang=2)]
    rows += _section(_WHY, table([_link(link, lang) for link in route.because], indent=2), lang)
    harms = [line(Span(harm.what, "bad"), colon(lang), harm.why, indent=2, hang=2) for harm in route.harm]
    rows += _section(_HARM, harms, lang)
    rows += _section(_WHERE, table(list(_origin(route, lang)), indent=2), lang)
    if route.part is not None:
        from .system_plan import changed

        rows += [BLANK, *changed(route, lang, verbose=True)]
    elif route.install:
        rows += _section(_INSTALLS, _installs(route, lang), lang)
    if route.build:
        rows += _section(_BUILDS_WITH, [*_packages(route.build, lang), *_variables(route.build_variables)], lang)
    return rows


def _section(head: Words, rows: Sequence[Line], lang: Lang) -> list[Line]:
    return [BLANK, line(Span(head.say(lang), "strong")), *rows] if rows else []


def _link(link: BecauseAnswer, lang: Lang) -> tuple[Span, str]:
    """Its kind, which a search finds again; what it is about, where its words do not say."""
    about = f"（{link.subject}）" if lang == "zh" else f" ({link.subject})"
    # of the resolver's own sentences it is always the route
    told = link.text if link.kind == "resolver" or link.subject in link.text else link.text + about
    return Span(link.kind, "dim"), told


def _standing(route: RouteAnswer, lang: Lang, *, chosen: bool) -> str:
    found = route.standing
    if not chosen and route.verdict in ("harmful", "unknown"):
        return (_HARMFUL if route.verdict == "harmful" else _UNJUDGED).say(lang)
    words = _FIRST if chosen else _NOT
    this, other = (_value(found.rule, value, lang) for value in (found.this, found.other))
    return words[found.rule].fill(against=found.against, this=this, other=other).say(lang)


def _value(rule: Rule, value: object, lang: Lang) -> str:
    if rule == "size":
        return size(value) if isinstance(value, int) else "?"
    if rule == "tier":
        return next((words.say(lang) for tier, words in TIER.items() if tier == value), "?")
    return "?" if value is None else str(value)


def _origin(route: RouteAnswer, lang: Lang) -> Iterator[tuple[Span, str]]:
    """Label and value of all that is known of where it comes from and what it is for."""
    for name, value in (*_own(route, lang), *_declared(route.provenance, lang)):
        if value:
            yield Span(_LABEL[name].say(lang), "dim"), value


def _own(route: RouteAnswer, lang: Lang) -> Iterator[tuple[str, str | None]]:
    yield "tier", _tier(route, lang)
    if route.source:
        yield "source", " ".join(part for part in (route.source.name, route.source.url) if part)
        yield "origin", route.source.origin
    yield "as_of", route.as_of
    days = route.age_days
    yield "age", None if days is None else (_DAY if days == 1 else _DAYS).say(lang, days=days)
    yield "python", route.python
    yield "targets", " ".join(route.targets)
    yield "variables", " ".join(f"{name}={value}" for name, value in route.variables.items())


def _tier(route: RouteAnswer, lang: Lang) -> str:
    """`vendor: AMD`; of a declared route whoever says that they answer for it."""
    said = route.provenance.maintainer if route.provenance else None
    maker = _MAKER.get(route.backend) if route.tier == "vendor" else None
    return f"{TIER[route.tier].say(lang)}{colon(lang)}{said or maker or _ANSWERS[route.tier].say(lang)}"


def _declared(said: Provenance | None, lang: Lang) -> Iterator[tuple[str, str | None]]:
    if said is None:
        return
    yield "licence", said.licence
    yield "recipe", said.recipe
    yield "homepage", said.homepage
    yield "build_minutes", None if said.build_minutes is None else _MINUTES.say(lang, minutes=f"{said.build_minutes:g}")
    yield "declared_in", said.declared_in


def _installs(route: RouteAnswer, lang: Lang) -> list[Line]:
    fetch, disk = ("?" if one is None else size(one) for one in (route.download_bytes, route.disk_bytes))
    count = len(route.install)
    said = (_ONE if count == 1 else _TOTAL).say(lang, count=count, fetch=fetch, disk=disk)
    if route.minutes is not None:
        said = _TIME.say(lang, said=said, minutes=f"{route.minutes:g}")
    return [*_packages(route.install, lang), line(said, indent=2, hang=2)]


def _packages(packages: Sequence[Package], lang: Lang) -> list[Line]:
    """Name, version, size, source; what is built here says so."""
    rows = [
        (one.name, one.version, "-" if one.size is None else size(one.size),
         one.source if one.kind == "wheel" else f"{one.source} ({_BUILT.say(lang)})")
        for one in packages
    ]  # fmt: skip
    return table(rows, indent=2)


def _variables(variables: dict[str, str]) -> Iterator[Line]:
    for name, value in variables.items():
        yield line(f"{name}={value}", indent=2, hang=2)
