"""Parts of planning that need no resolver."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.tags import sys_tags
from packaging.version import Version

from firstlight.project.model import Goal
from firstlight.routes.candidates import backend_of_url
from firstlight.routes.choose import choose, ordered
from firstlight.routes.family import backend_of_local
from firstlight.routes.interpreters import tags
from firstlight.routes.model import TIERS, Harm, Route, RouteVerdict, Tier
from firstlight.routes.platforms import platforms, uv_platform
from firstlight.routes.refusals import refusal, sentences
from firstlight.routes.sizes import minutes
from firstlight.words import Words


def test_tags_of_this_machine_are_those_of_packaging() -> None:
    """packaging.tags sniffs the running interpreter: the oracle for what is computed for any machine."""
    import platform
    import sys

    name, version = platform.libc_ver()
    if name != "glibc" or sys.implementation.name != "cpython":
        pytest.skip("the oracle is glibc's CPython")
    theirs = {str(tag) for tag in sys_tags()}
    ours = tags(f"{sys.version_info[0]}.{sys.version_info[1]}", platform.machine(), f"glibc {version}")
    assert theirs == ours


@pytest.mark.parametrize(
    ("local", "answer"),
    [
        ("cpu", ("cpu", None)),
        ("cu130", ("cuda", "13.0")),
        ("cu118", ("cuda", "11.8")),
        ("rocm7.2", ("rocm", "7.2")),
        ("rocm7.2.1.gitdeadbeef", ("rocm", "7.2.1")),
        ("xpu", (None, None)),
        ("custom", (None, None)),
        ("", ("cuda", None)),
        (None, ("cuda", None)),
    ],
)
def test_a_local_version_tells_the_backend(local: str | None, answer: tuple[str | None, str | None]) -> None:
    assert backend_of_local(local, "x86_64") == answer


@pytest.mark.parametrize(
    ("url", "backend"),
    [
        ("https://download.pytorch.org/whl/cpu", "cpu"),
        ("https://download.pytorch.org/whl/nightly/rocm7.2/", "rocm"),
        ("https://user:pw@mirror.example/whl/cu130", "cuda"),
        ("https://repo.amd.com/rocm/whl/gfx1151/", "rocm"),
        ("https://mirror.example/simple", None),
    ],
)
def test_an_index_tells_its_backend_by_its_path(url: str, backend: str | None) -> None:
    assert backend_of_url(url) == backend


def test_platforms_of_old_and_odd_machines() -> None:
    assert platforms("x86_64", "glibc 2.17")[:2] == ["manylinux_2_17_x86_64", "manylinux2014_x86_64"]
    assert platforms("aarch64", "musl 1.2")[0] == "musllinux_1_2_aarch64"
    assert platforms("x86_64", "strange") == ["linux_x86_64"]
    assert uv_platform("aarch64", "glibc 2.39") == "aarch64-manylinux_2_39"
    assert uv_platform("x86_64", "glibc 2.99") == "x86_64-manylinux_2_40"
    assert uv_platform("riscv64", "glibc 2.39") is None


VERSIONS = st.tuples(st.integers(1, 3), st.integers(0, 20), st.integers(0, 3)).map(lambda one: ".".join(map(str, one)))
ROUTES = st.builds(
    lambda number, tier, verdict, version, size: Route(
        name=f"r{number}", tier=tier, backend="cpu", verdict=verdict, because=(), versions={"torch": version},
        download_bytes=size,
    ),
    st.integers(0, 999), st.sampled_from(TIERS), st.sampled_from(["works", "harmful", "blocked", "unknown"]), VERSIONS,
    st.none() | st.integers(0, 10**10),
)  # fmt: skip


@given(st.lists(ROUTES, max_size=8, unique_by=lambda one: one.name))
def test_the_choice_follows_its_rules(routes: list[Route]) -> None:
    name, _ = choose(routes, Goal())
    working = [route for route in routes if route.verdict == "works"]
    assert (name is None) == (not working)
    if name is not None:
        best = next(route for route in routes if route.name == name)
        assert all(_rank(best) <= _rank(other) for other in working)
    assert ordered(ordered(routes)) == ordered(routes)


def _rank(route: Route) -> tuple[int, tuple[int, ...]]:
    return TIERS.index(route.tier), tuple(-part for part in Version(route.versions["torch"]).release)


@given(st.lists(ROUTES, min_size=1, max_size=8, unique_by=lambda one: one.name))
def test_production_takes_only_those_who_answer(routes: list[Route]) -> None:
    name, why = choose(routes, Goal(policy="production"))
    allowed: tuple[Tier, ...] = ("vendor", "upstream", "distro")
    assert name is None or next(one for one in routes if one.name == name).tier in allowed
    assert why.en
    assert why.zh


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("error: Failed to fetch: https://u:secret@h/x\n  cause: dns error", "unreachable"),
        ("hint: torch has no wheels with a matching Python ABI tag (e.g., `cp312`)", "no-wheel-for-python"),
        ("error: HTTP status client error (401 Unauthorized)", "denied"),
        (
            "DEBUG Indexes search failed because of status code failure: 401 Unauthorized error: No solution found",
            "denied",
        ),
        ("error: Failed to fetch: u cause: HTTP status server error (500 Internal Server Error)", "server-error"),
        ("error: Failed to fetch: u cause: HTTP status client error (404 Not Found)", "gone"),
        ("error: Failed to initialize cache at `/proc/x`", "unwritable-cache"),
        ("error: Failed to initialize cache at `/x` cause: No space left on device (os error 28)", "disk-full"),
        ("error: invalid value 'pylock.toml' for '--format <FORMAT>'", "uv-too-old"),
        ("error: File not found: `/none.txt`", "no-file"),
        ("error: failed: No space left on device (os error 28)", "disk-full"),
        ("cause: Hash mismatch for `torch`", "wrong-hash"),
        ("error: No solution found when resolving dependencies: a and b", "conflict"),
        ("something else", "failed"),
        ("", "failed"),
    ],
)
def test_what_uv_says_has_a_kind(said: str, kind: str) -> None:
    found = refusal(said, "here")
    assert found[0].kind == kind
    assert all("secret" not in link.text.en for link in found)


@given(st.text())
def test_any_output_of_uv_is_taken(said: str) -> None:
    assert refusal(said, "here")[0].text.zh
    assert len(sentences(said)) <= 8


def test_without_any_route_the_sources_are_named() -> None:
    name, why = choose([], Goal())
    assert name is None
    assert "find-links" in why.en
    assert "find-links" in why.zh


def test_an_asked_route_and_the_order_among_equals() -> None:
    def route(name: str, tier: Tier, torch: str, size: int | None, harm: tuple[Harm, ...] = ()) -> Route:
        return Route(name=name, tier=tier, backend="cpu", verdict="works", because=(), harm=harm,
                     versions={"torch": torch}, download_bytes=size)  # fmt: skip

    harm = (Harm("x", Words("x", "x")),)
    routes = [
        route("big", "local", "2.13.0+cpu", 9), route("small", "local", "2.13.0+cpu", 3),
        route("old", "local", "2.9.0", 1), route("unsized", "local", "2.13.0", None),
        route("harms", "local", "2.13.0", 1, harm), route("upstream", "upstream", "2.1.0", 99),
        route("vendor", "vendor", "2.0.0", None), route("rc", "local", "2.14.0rc1", 1),
    ]  # fmt: skip
    order = ["vendor", "upstream", "small", "big", "unsized", "harms", "old", "rc"]
    assert [one.name for one in ordered(routes)] == order
    assert choose(routes, Goal())[0] == "vendor"
    assert choose(routes, Goal(route="old"))[0] == "old"
    assert choose(routes, Goal(route="old", policy="production"))[0] is None
    assert choose(routes, Goal(policy="production"))[0] == "vendor"


def test_community_and_local_answer_for_nothing_in_production() -> None:
    for tier in TIERS:
        route = Route(name="r", tier=tier, backend="cpu", verdict="works", because=(), versions={"torch": "2.0"})
        chosen = choose([route], Goal(policy="production"))[0]
        assert (chosen is None) == (tier in ("community", "local"))


@pytest.mark.parametrize("verdict", ["harmful", "unknown", "blocked"])
def test_what_does_not_work_is_never_chosen(verdict: RouteVerdict) -> None:
    route = Route(name="r", tier="vendor", backend="cpu", verdict=verdict, because=(), versions={"torch": "2.0"})
    for goal in (Goal(), Goal(route="r"), Goal(policy="production")):
        assert choose([route], goal)[0] is None


def test_minutes_are_told_only_where_they_are_known() -> None:
    assert minutes(75_000_000, 100) == 0.1
    assert minutes(3_000_000_000, 100) == 4.0
    assert minutes(3_000_000_000, None) is None
    assert minutes(None, 100) is None
    assert minutes(0, 100) is None


def test_a_timeout_is_unreachable() -> None:
    slow = refusal("", "here", timed_out=True)[0]
    assert slow.kind == "unreachable"
    assert "in time" in slow.text.en


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("error: Received some unexpected JSON from `https://host.example/`", "damaged-index"),
        ("No solution found: Because torch==2 has invalid metadata and only torch==2 is available", "bad-metadata"),
        ("Package `b` was included as a URL dependency. URL dependencies must be expressed as ...", "by-address"),
    ],
)
def test_refusals_that_have_a_name_of_their_own(said: str, kind: str) -> None:
    assert refusal(said, "here")[0].kind == kind
