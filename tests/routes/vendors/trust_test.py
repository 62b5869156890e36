"""Indices that lie, fail, or offer what belongs to another: never believed, never used, always said."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from firstlight.knowledge.sources import builtin_indices
from firstlight.project.settings import Flags
from firstlight.routes.model import Plan

from .planning import chosen_of, kinds, planned, route_of, versions
from .server import Fault, Vendors


def _of_evil(found: Plan) -> list[str]:
    """What the chosen route would take from the malicious index."""
    return [
        f"{wheel.name} {wheel.version}"
        for wheel in (*chosen_of(found).wheels, *chosen_of(found).build)
        if wheel.version.startswith(("99", "999")) or "/evil/" in (wheel.url or "")
    ]


@pytest.mark.parametrize("machine", ["cpu", "gfx1151", "sm_70"])
@pytest.mark.parametrize("how", ["source", "pip", "uv"])
def test_a_malicious_extra_index_is_never_used(machine: str, how: str, tmp_path: Path, vendors: Vendors) -> None:
    evil = vendors.url("evil")
    alone = chosen_of(planned(machine, tmp_path, vendors))
    changed = {"evil": evil} if how == "source" else {}
    environ = {"pip": {"PIP_EXTRA_INDEX_URL": evil}, "uv": {"UV_EXTRA_INDEX_URL": evil, "UV_INDEX": evil}}.get(how, {})
    found = planned(machine, tmp_path, vendors, changed=changed, environ=environ)
    assert not _of_evil(found)
    assert found.chosen == alone.name
    assert versions(chosen_of(found)) == versions(alone)


def test_its_own_route_takes_nothing_but_the_family_from_it(tmp_path: Path, vendors: Vendors) -> None:
    """Somebody who names the index as a route gets its torch, and everything else still from the default index."""
    found = planned("cpu", tmp_path, vendors, changed={"evil": vendors.url("evil")}, flags=Flags(backend="cpu"))
    for route in (one for one in found.routes if one.source is not None and one.source.name == "evil"):
        assert versions(route).get("filelock", "4.3.1") == "4.3.1"
        assert versions(route).get("setuptools", "84.2.1") == "84.2.1"
        assert route.tier == "local"


@pytest.mark.parametrize(("machine", "name"), [("gfx1151", "amd-rocm10"), ("cpu", "pytorch-cpu")])
def test_production_takes_vendors_and_upstream(machine: str, name: str, tmp_path: Path, vendors: Vendors) -> None:
    assert planned(machine, tmp_path, vendors, flags=Flags(policy="production")).chosen == name


def test_production_takes_nothing_else(tmp_path: Path, vendors: Vendors) -> None:
    gone = {one.name: f"{vendors.root}/nowhere/{one.name}/" for one in builtin_indices()}
    mirror = {**gone, "mirror": vendors.url("mixed")}
    found = planned("cpu", tmp_path, vendors, changed=mirror, flags=Flags(policy="production"))
    assert found.chosen is None
    assert "production" in found.why.en
    assert "production" in found.why.zh
    assert chosen_of(planned("cpu", tmp_path, vendors, changed=mirror)).tier == "local"


class Fails(NamedTuple):
    """A fault, and what may be said of an index that has it."""

    fault: Fault
    verdicts: tuple[str, ...]
    kinds: tuple[str, ...]


FAULTS = (
    Fails("403", ("unknown",), ("denied",)),
    Fails("500", ("unknown",), ("server-error",)),
    Fails("damaged", ("unknown", "blocked"), ("damaged-index",)),
    # what is another project's is passed over, as uv and pip do; the page's name would tell more
    Fails("other-project", ("unknown", "blocked"), ("damaged-index", "no-version", "not-there")),
    Fails("lying-metadata", ("unknown", "blocked"), ("wrong-hash", "damaged-index", "conflict")),
)
ALONE = ("pytorch-cpu", "cpu", None)
BESIDE = ("amd-rocm10", "gfx1151", "amd-rocm7.14")
"""Route, machine, what is chosen instead. AMD's index has no metadata beside its files that could lie."""


@pytest.mark.parametrize(
    ("place", "fails"),
    [(ALONE, one) for one in FAULTS] + [(BESIDE, one) for one in FAULTS[:-1]],
    ids=lambda one: one.fault if isinstance(one, Fails) else one[0],
)
def test_an_index_that_fails_is_named_and_another_is_taken(
    place: tuple[str, str, str | None], fails: Fails, tmp_path: Path, vendors: Vendors
) -> None:
    name, machine, instead = place
    found = planned(machine, tmp_path, vendors, changed={name: vendors.url(name, fails.fault)})
    route = route_of(found, name)
    assert route.verdict in fails.verdicts
    assert route.because[0].kind in fails.kinds
    assert found.chosen == instead


@pytest.mark.parametrize("fault", ["damaged", "other-project"])
def test_a_damaged_default_index_stops_every_route(fault: Fault, tmp_path: Path, vendors: Vendors) -> None:
    found = planned("cpu", tmp_path, vendors, changed={"pypi": vendors.url("pypi", fault)})
    assert found.chosen is None
    assert route_of(found, "pytorch-cpu").verdict in ("unknown", "blocked")


def test_a_default_index_that_is_down_is_no_reason_to_look_elsewhere(tmp_path: Path, vendors: Vendors) -> None:
    changed = {"pypi": vendors.url("pypi", "500"), "evil": vendors.url("evil")}
    found = planned("cpu", tmp_path, vendors, changed=changed)
    assert found.chosen is None
    route = route_of(found, "pytorch-cpu")
    assert (route.verdict, kinds(route)[0]) == ("unknown", "server-error")


def test_offline_the_cache_answers_and_says_its_date(tmp_path: Path, vendors: Vendors) -> None:
    before = planned("cpu", tmp_path, vendors)
    vendors.asked.clear()
    vendors.down = True
    after = planned("cpu", tmp_path, vendors, flags=Flags(offline=True))
    assert not vendors.paths()
    assert (after.chosen, versions(chosen_of(after))) == (before.chosen, versions(chosen_of(before)))
    assert (chosen_of(after).as_of or "").startswith("20")
    assert chosen_of(before).as_of is None


def test_a_host_that_went_down_is_answered_for_by_the_cache(tmp_path: Path, vendors: Vendors) -> None:
    """Either its date is said, or the route is not judged: never an old page for a new one."""
    planned("cpu", tmp_path, vendors)
    vendors.down = True
    route = route_of(planned("cpu", tmp_path, vendors), "pytorch-cpu")
    assert route.verdict in ("works", "unknown")
