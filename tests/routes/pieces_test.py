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
from firstlight.routes.model import TIERS, Route, Tier
from firstlight.routes.platforms import platforms, uv_platform
from firstlight.routes.refusals import refusal, sentences


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


def test_a_timeout_is_unreachable() -> None:
    assert refusal("", "here", timed_out=True)[0].kind == "unreachable"
