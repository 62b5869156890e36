"""Why a route is, or is not, the one that would be taken: the choice rule that told it from the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from ..project.model import Goal
from ..routes.choose import PRODUCTION, ordered
from ..routes.model import Plan, Route

Rule = Literal["only", "verdict", "route", "policy", "system", "tier", "torch", "harm", "size", "minutes", "name"]
RULES: tuple[tuple[Rule, tuple[str, ...]], ...] = (
    ("system", ("system",)),
    ("tier", ("tier",)),
    ("torch", ("versions",)),
    ("harm", ("harm",)),
    ("size", ("download_bytes",)),
    ("minutes", ("minutes",)),
)
"""(rule, fields of a route that it looks at), in the order in which they count."""


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """The rule that decided between a route and another. Of the chosen one: between it and the next best that works
    (`only`: there is none). Of the others: what came before the rules (`verdict`, `route`, `policy`, `system`: it would
    change the machine's packages, which is done only for who names it), else the first
    rule by which the chosen one goes before them."""

    rule: Rule
    against: str | None = None
    """Name of the other route."""
    this: str | int | float | None = None
    """What the rule looked at: a tier, a version, a number of harms, bytes, minutes."""
    other: str | int | float | None = None
    """The same of the other route."""


LeftOut = Literal["route", "policy", "system"]


def left_out(route: Route, goal: Goal) -> LeftOut | None:
    """What keeps the choice from a route whether it works or not: another one was named, its tier is refused, or it
    changes the machine's packages and was not named."""
    if goal.route not in (None, route.name):
        return "route"
    if route.system is not None and route.system.part != "packages" and goal.route is None:
        return "system"
    return "policy" if goal.policy == "production" and route.tier not in PRODUCTION else None


def standing(route: Route, plan: Plan, goal: Goal) -> Standing:
    """Where `route` stands in `plan`."""
    chosen = next((one for one in plan.routes if one.name == plan.chosen), None)
    if route is chosen:
        return _of_chosen(route, plan.routes, goal)
    if route.verdict != "works" or chosen is None:
        outside = left_out(route, goal) if route.verdict == "works" else None
        return Standing(rule=outside or "verdict", against=plan.chosen)
    outside = left_out(route, goal)
    return Standing(rule=outside, against=chosen.name) if outside else _decided(chosen, route, of=route)


def _of_chosen(route: Route, routes: Sequence[Route], goal: Goal) -> Standing:
    rest = [one for one in routes if one.verdict == "works" and one is not route]
    allowed = ordered([one for one in rest if left_out(one, goal) is None])
    if allowed:
        return _decided(route, allowed[0], of=route)
    outside = next((why for one in ordered(rest) if (why := left_out(one, goal))), None)
    return Standing(rule=outside or "only", against=ordered(rest)[0].name if outside else None)


def _decided(first: Route, second: Route, *, of: Route) -> Standing:
    rule = decided_by(first, second)
    one, other = (_looked_at(route, rule) for route in ((first, second) if of is first else (second, first)))
    return Standing(rule=rule, against=(second if of is first else first).name, this=one, other=other)


def decided_by(first: Route, second: Route) -> Rule:
    """The first choice rule by which `first` goes before `second`. Asks the rules themselves (routes/choose.py), one
    rule at a time, so that there is no second copy of them."""
    return next((rule for rule, fields in RULES if _tells_apart(first, second, fields)), "name")


def _tells_apart(first: Route, second: Route, fields: Sequence[str]) -> bool:
    """Whether their order hangs on those fields rather than on their names."""
    changed: dict[str, Any] = {field: getattr(second, field) for field in fields}
    best = (
        ordered((msgspec.structs.replace(first, name=mine), msgspec.structs.replace(first, name=theirs, **changed)))[0]
        for mine, theirs in (("a", "b"), ("b", "a"))
    )
    return len({route.name for route in best}) == 2


def _looked_at(route: Route, rule: Rule) -> str | int | float | None:
    values: dict[Rule, str | int | float | None] = {
        "tier": route.tier,
        "torch": route.versions.get("torch"),
        "harm": len(route.harm),
        "size": route.download_bytes,
        "minutes": route.minutes,
    }
    return values.get(rule)
