"""The choice rules: works before nothing; an environment of its own before the machine's packages; tier; newest torch;
least harm, size, minutes."""

from __future__ import annotations

from collections.abc import Sequence

from ..project.model import Goal
from ..words import Words
from .model import TIERS, Route, Tier

PRODUCTION: tuple[Tier, ...] = ("vendor", "upstream", "distro")
LARGE = 1 << 62


def ordered(routes: Sequence[Route]) -> tuple[Route, ...]:
    """Best first."""
    verdicts = ("works", "harmful", "unknown", "blocked")
    return tuple(sorted(sorted(routes, key=_preference), key=lambda one: verdicts.index(one.verdict)))


def _preference(route: Route) -> tuple[object, ...]:
    return (
        route.system is not None,
        TIERS.index(route.tier),
        _newest_first(route.versions.get("torch")),
        len(route.harm),
        LARGE if route.download_bytes is None else route.download_bytes,
        LARGE if route.minutes is None else route.minutes,
        route.name,
    )


def _newest_first(version: str | None) -> tuple[object, ...]:
    """A key that is smaller for a newer release; local parts do not compare."""
    from packaging.version import InvalidVersion, Version

    try:
        found = Version(version or "0")
    except InvalidVersion:
        found = Version("0")
    release = (*found.release, 0, 0, 0, 0)[:5]
    return (found.is_prerelease, *(-part for part in release))


def choose(routes: Sequence[Route], goal: Goal) -> tuple[str | None, Words]:
    """(name of the chosen route, why it or why none). `harmful` ones need a consent and are never chosen here; what
    changes the machine's own packages only where it was named."""
    asked = [route for route in ordered(routes) if goal.route == route.name or (not goal.route and not route.system)]
    if goal.route is not None and not asked:
        names = ", ".join(route.name for route in routes)
        return None, Words(
            f"there is no route {goal.route}; there are: {names}", f"没有名为 {goal.route} 的路线；现有：{names}"
        )
    working = [route for route in asked if route.verdict == "works"]
    allowed = [route for route in working if goal.policy == "any" or route.tier in PRODUCTION]
    if allowed:
        return allowed[0].name, _why(allowed[0], goal)
    if working:
        return None, Words(
            f"policy production takes vendor, upstream and distro routes only; {working[0].name} is {working[0].tier}",
            f"production 策略只接受 vendor、upstream、distro 路线；{working[0].name} 属于 {working[0].tier}",
        )
    return None, _why_not(asked[0]) if goal.route is not None else _why_none(asked)


def _why_not(route: Route) -> Words:
    """Of the one that was asked for."""
    first = route.because[0].text if route.because else Words("-", "-")
    return Words(
        f"{route.name} was asked for, and is {route.verdict}: {first.en}",
        f"指定了 {route.name}，其结论为 {route.verdict}：{first.zh}",
    )


def _why(route: Route, goal: Goal) -> Words:
    if goal.route is not None:
        return Words(f"{route.name} was asked for and works", f"指定了 {route.name}，且可用")
    torch = route.versions.get("torch", "?")  # those without an environment are chosen only if they are asked for
    return Words(
        f"{route.name} works: tier {route.tier}, torch {torch}; best by tier, then newest torch, then least to fetch",
        f"{route.name} 可用：层级 {route.tier}，torch {torch}；依次按层级、torch 新旧、下载量择优",
    )


def _why_none(routes: Sequence[Route]) -> Words:
    if not routes:
        return Words(
            "nothing that is configured here offers a torch; name a folder of wheels (find-links) or an index",
            "当前配置中没有任何来源提供 torch；请指定 wheel 文件夹（find-links）或索引",
        )
    harmful = next((route for route in routes if route.verdict == "harmful"), None)
    if harmful is not None:
        return Words(f"only {harmful.name} would work, and it does harm", f"只有 {harmful.name} 可行，但会造成损害")
    unsure = [route for route in routes if route.verdict == "unknown"]
    if unsure:
        name = unsure[0].name
        return Words(
            f"no route is known to work; {name} cannot be judged here", f"没有确定可用的路线；{name} 在此无法判断"
        )
    return Words("no route works here", "没有可用的路线")
