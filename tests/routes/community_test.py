"""What is known of builds from no index, and what they would cost."""

from __future__ import annotations

import datetime as dt

import pytest

from firstlight.knowledge.community import builds_for, community_builds
from firstlight.routes.community import community_routes

from .fake_facts import gpu, machine


def names(*targets: str) -> list[str]:
    gpus = tuple(gpu("amd", target) for target in targets)
    return [route.name for route in community_routes(machine(gpus=gpus), ("rocm",))]


@pytest.mark.parametrize("target", ["gfx803", "gfx906", "gfx1010", "gfx1012", "gfx1103", "gfx1151", "gfx90c"])
def test_each_chip_that_official_wheels_lack_has_a_way(target: str) -> None:
    routes = community_routes(machine(gpus=(gpu("amd", target),)), ("rocm",))
    assert routes
    for route in routes:
        assert (route.tier, route.verdict, route.backend) == ("community", "blocked", "rocm")
        assert route.because[0].kind in ("needs-building", "needs-container", "needs-fetching")
        assert route.provenance is not None
        assert route.provenance.declared_in == "built-in"
        assert route.provenance.maintainer
        assert target in f"{route.provenance.recipe}{route.targets}"
        assert all(link.text.zh and link.text.en for link in route.because)


def test_therock_is_offered_for_what_its_table_has() -> None:
    assert "therock-source" in names("gfx1151")
    assert "therock-source" not in names("gfx803")
    assert "therock-source" in names("gfx906:sramecc+:xnack-")


def test_each_route_once_for_two_cards() -> None:
    found = names("gfx906", "gfx906", "gfx1010")
    assert len(found) == len(set(found))
    assert {"gfx906-images-mixa3607", "gfx1010-wheels-efenstor"} <= set(found)


def test_costs_are_told() -> None:
    (route,) = [one for one in community_routes(machine(gpus=(gpu("amd", "gfx906"),)), ("rocm",))
                if one.name == "therock-source"]  # fmt: skip
    cost = next(link for link in route.because if link.kind == "build-cost")
    for text in (cost.text.en, cost.text.zh):
        assert "200 GB" in text
        assert "16 GB" in text
        assert "18" in text
    assert route.disk_bytes == 200_000_000_000


def test_nothing_for_other_machines() -> None:
    assert community_routes(machine(gpus=(gpu("amd", "gfx906"),)), ("cpu",)) == ()
    assert community_routes(machine(gpus=(gpu("amd", "gfx906"),), arch="aarch64"), ("rocm",)) == ()
    assert community_routes(machine(gpus=(gpu("nvidia", "sm_90"),)), ("rocm",)) == ()
    assert community_routes(machine(gpus=(gpu("amd", "gfx600"),)), ("rocm",)) == ()


def test_every_figure_has_its_source_and_date() -> None:
    for build in community_builds():
        assert build.sources
        assert all(" " in source for source in build.sources), "a key that the legend does not spell out"
        assert dt.date.fromisoformat(build.seen) <= dt.date.fromisoformat(build.as_of)
        assert bool(build.note_en) == bool(build.note_zh)
        assert build.kind == "source" or not build.disk_gb
        assert (build.kind == "image") == bool(build.image)
        assert build.targets or build.every_therock_target
        assert build.homepage.startswith("https://")
    assert builds_for("sm_90") == ()
    assert builds_for("../x") == ()
