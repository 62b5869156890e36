"""The answer of `plan`: what it adds to the routes as they were judged."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import jsonschema
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstlight.errors import UsageError
from firstlight.project.model import Goal, Policy
from firstlight.routes.choose import choose, ordered
from firstlight.routes.model import TIERS, Harm, Plan, Route
from firstlight.text import plan as text
from firstlight.verbs.plan import PlanAnswer, RouteAnswer, about, answer
from firstlight.verbs.schema import schema
from firstlight.verbs.standing import decided_by
from firstlight.words import Lang, same

from ..text import plans

LANGS: tuple[Lang, ...] = ("en", "zh")


def as_json(told: PlanAnswer) -> Any:
    """The document, once it was compared with its schema."""
    document = json.loads(msgspec.json.encode(told))
    jsonschema.Draft202012Validator(schema("plan")).validate(document)
    return document


def route_of(told: PlanAnswer, name: str) -> RouteAnswer:
    return next(route for route in told.routes if route.name == name)


def rule_of(plan: Plan, name: str, goal: Goal | None = None) -> tuple[str, str | None]:
    found = route_of(answer(plan, "en", goal), name).standing
    return found.rule, found.against


def chosen(plan: Plan, goal: Goal) -> Plan:
    name, why = choose(plan.routes, goal)
    return msgspec.structs.replace(plan, chosen=name, why=why)


def test_everything_about_a_route_is_in_the_document() -> None:
    document = as_json(answer(plans.STRIX, "en"))
    route = document["routes"][0]
    assert route["targets"] == ["gfx1151"]
    assert route["variables"] == {"TORCH_ROCM_AOTRITON_ENABLE_EXPERIMENTAL": "1"}
    assert route["source"]["name"] == "amd-rocm10"
    assert route["build_variables"] == {"ROCM_SDK_TARGET_FAMILY": "gfx1151"}
    assert [package["name"] for package in route["build"]] == ["setuptools"]
    assert {package["name"]: package["kind"] for package in route["install"]}["rocm"] == "sdist"
    assert {package["kind"] for package in route["install"]} == {"wheel", "sdist"}
    assert document["routes"][2]["provenance"]["maintainer"] == "Lee <lee@example.org>"
    assert "as_of" in route
    cached = as_json(answer(plans.CACHED, "en"))
    assert cached["routes"][0]["as_of"] == "2026-11-02T08:15:00Z"


def test_no_password_of_any_address_is_told() -> None:
    said = msgspec.json.encode(answer(plans.STRIX, "en"))
    assert b"repo.amd.com" in said
    assert b"git.example.org" in said
    assert b"secret" not in said


@pytest.mark.parametrize(
    ("plan", "name", "code"),
    [
        (plans.STRIX, "pytorch-rocm7.14", 0),
        (plans.STRIX, "pytorch-rocm7.1", 3),
        (plans.STRIX, "pytorch-cu130", 1),
        (plans.HARMFUL, "system-rocm", 1),
    ],
    ids=["works", "unknown", "blocked", "harmful"],
)
def test_one_route_answers_for_itself(plan: Plan, name: str, code: int) -> None:
    told = about(answer(plan, "en"), name)
    assert told.exit_code == code
    assert (told.asked, [route.name for route in told.routes], told.chosen) == (name, [name], plan.chosen)
    assert as_json(told)["asked"] == name


def test_an_unknown_route_is_refused_with_the_names_that_there_are() -> None:
    with pytest.raises(UsageError) as caught:
        about(answer(plans.CPU, "en"), "pytorch-{cu130}")
    assert caught.value.what.en == "there is no route `pytorch-{cu130}` here"
    assert caught.value.next is not None
    assert caught.value.next.zh == "现有：pytorch-cpu, wheelhouse-cpu, pypi-cuda"
    assert caught.value.exit_code == 2


def test_of_the_whole_plan_the_choice_counts() -> None:
    assert answer(plans.STRIX, "en").exit_code == 0
    assert answer(plans.NOTHING, "en").exit_code == 1
    assert answer(plans.UNKNOWN, "en").exit_code == 3


def test_each_rule_is_named_where_it_decides() -> None:
    assert rule_of(plans.STRIX, "amd-rocm10") == ("tier", "pytorch-rocm7.14")
    assert rule_of(plans.STRIX, "strix-builds") == ("tier", "amd-rocm10")
    assert rule_of(plans.STRIX, "pytorch-rocm7.1") == ("verdict", "amd-rocm10")
    assert rule_of(plans.CACHED, "pytorch-cpu") == ("only", None)
    assert rule_of(plans.NOTHING, "pytorch-cpu") == ("verdict", None)


@pytest.mark.parametrize(
    ("rule", "changed", "values"),
    [
        ("torch", {"versions": {"torch": "2.13.9+cpu"}}, ("2.13.9+cpu", "2.14.1+cpu")),
        ("harm", {"harm": (Harm("x", same("y")),)}, (1, 0)),
        ("size", {"download_bytes": None}, (None, 204 << 20)),
        ("size", {"download_bytes": 205 << 20}, (205 << 20, 204 << 20)),
        ("minutes", {"minutes": 99.5}, (99.5, 3.0)),
        ("name", {}, (None, None)),
        ("torch", {"versions": {"torch": "2.15.0rc1"}, "download_bytes": 1}, ("2.15.0rc1", "2.14.1+cpu")),
    ],
)
def test_the_first_rule_that_differs_decides(rule: str, changed: dict[str, Any], values: tuple[Any, Any]) -> None:
    best = msgspec.structs.replace(plans.CPU_ROUTE, minutes=3.0)
    second = msgspec.structs.replace(best, **{"name": "zz", **changed})
    told = answer(chosen(msgspec.structs.replace(plans.CPU, routes=(second, best)), Goal()), "en")
    found = route_of(told, "zz").standing
    assert (found.rule, found.against, found.this, found.other) == (rule, "pytorch-cpu", *values)
    back = route_of(told, "pytorch-cpu").standing
    assert (back.rule, back.against, back.other, back.this) == (rule, "zz", *values)


def test_a_policy_and_a_name_keep_the_choice_from_a_route() -> None:
    told = answer(plans.STRIX, "en", plans.PRODUCTION)
    assert told.policy == "production"
    assert {route.name: route.left_out for route in told.routes if route.left_out} == {"strix-builds": "policy"}
    assert rule_of(plans.STRIX, "strix-builds", plans.PRODUCTION) == ("policy", "amd-rocm10")
    named = Goal(route="strix-builds")
    plan = chosen(plans.STRIX, named)
    assert rule_of(plan, "strix-builds", named) == ("route", "amd-rocm10")
    assert rule_of(plan, "amd-rocm10", named) == ("route", "strix-builds")
    assert answer(plan, "en", named).route == "strix-builds"
    only = msgspec.structs.replace(plans.STRIX, routes=(plans.COMMUNITY_ROUTE,))
    assert rule_of(chosen(only, plans.PRODUCTION), "strix-builds", plans.PRODUCTION) == ("policy", None)
    both = msgspec.structs.replace(plans.STRIX, routes=(plans.AMD_ROUTE, plans.COMMUNITY_ROUTE))
    assert rule_of(both, "amd-rocm10", plans.PRODUCTION) == ("policy", "strix-builds")


ROUTES = st.builds(
    Route,
    name=st.sampled_from("abcdef"),
    tier=st.sampled_from(TIERS),
    backend=st.just("cpu"),
    verdict=st.just("works"),
    because=st.just(()),
    harm=st.lists(st.just(Harm("x", same("y"))), max_size=2).map(tuple),
    versions=st.sampled_from(
        [{}, {"torch": "2.14.1"}, {"torch": "2.14.1+cpu"}, {"torch": "2.15.0rc1"}, {"torch": "x"}]
    ),
    download_bytes=st.none() | st.integers(0, 2),
    minutes=st.none() | st.sampled_from([0.5, 2.0]),
)
KEYS: dict[str, tuple[str, ...]] = {
    "tier": ("tier",), "torch": ("versions",), "harm": ("harm",), "size": ("download_bytes",),
    "minutes": ("minutes",),
}  # fmt: skip


def alike(first: Route, second: Route, rules: Sequence[str], name: str) -> Route:
    """`second` with what those rules look at as in `first`."""
    same_as_first = {field: getattr(first, field) for rule in rules for field in KEYS[rule]}
    return msgspec.structs.replace(second, name=name, **same_as_first)


def first_of(*routes: Route) -> str:
    return ordered(routes)[0].name


@given(st.lists(ROUTES, min_size=2, max_size=5))
def test_the_rule_that_is_named_is_the_one_that_decided(routes: list[Route]) -> None:
    """Without what comes behind it the order stays, whatever the names; without itself too, only names are left."""
    for best, second in pairwise(ordered(routes)):
        rule = decided_by(best, second)
        first = msgspec.structs.replace(best, name="m")
        at = list(KEYS).index(rule) if rule in KEYS else len(KEYS)
        behind, from_here = list(KEYS)[at + 1 :], list(KEYS)[at:]
        if rule != "name":
            assert {first_of(first, alike(first, second, behind, name)) for name in "az"} == {"m"}
        assert [first_of(first, alike(first, second, from_here, name)) for name in "az"] == ["a", "m"]


@given(st.lists(ROUTES, max_size=4, unique_by=lambda route: route.name), st.sampled_from(["any", "production"]),
       st.none() | st.sampled_from("ab"))  # fmt: skip
def test_every_route_has_a_standing_in_any_plan(routes: list[Route], policy: Policy, named: str | None) -> None:
    goal = Goal(policy=policy, route=named)
    plan = chosen(Plan(backend="cpu", routes=tuple(routes), chosen=None, why=same("x")), goal)
    told = answer(plan, "en", goal)
    for route in told.routes:
        assert (route.standing.rule == "only") <= (route.name == told.chosen)
        for lang in LANGS:
            assert text.lines(about(answer(plan, lang, goal), route.name), lang)
    assert as_json(told)["policy"] == policy
