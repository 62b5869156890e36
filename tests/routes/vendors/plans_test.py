"""Each machine gets the right plan from the vendors' indices, and each wrong route its true reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firstlight.cli.main import main
from firstlight.knowledge.sources import builtin_indices
from firstlight.routes.model import Plan, Route

from .expectations import EXPECTED, Expected, Told
from .planning import chosen_of, facts_of, kinds, planned, project_in, route_of, versions
from .server import Vendors

DEVICE = ("amd-torch-device-", "rocm-sdk-device-")


@pytest.mark.parametrize("machine", EXPECTED)
def test_the_right_route_is_chosen(machine: str, tmp_path: Path, vendors: Vendors) -> None:
    expected = EXPECTED[machine]
    found = planned(machine, tmp_path, vendors)
    picked = (found.chosen, chosen_of(found).versions["torch"]) if found.chosen else None
    assert picked in (expected.chosen or (None,))
    _check_routes(found, expected)
    if picked:
        route = chosen_of(found)
        known = next((one.tier for one in builtin_indices() if one.name == found.chosen), "local")
        assert route.tier == known
        assert {wheel.name for wheel in route.wheels if wheel.name.startswith(DEVICE)} == expected.install


def _check_routes(found: Plan, expected: Expected) -> None:
    wrong = [
        f"{name}: {route.verdict}, {route.versions.get('torch')}, {kinds(route)}; expected {told}"
        for name, told in expected.routes.items()
        if not _right(route := route_of(found, _named(found, name)), told)
    ]
    assert not wrong, "\n".join(wrong)


def _named(found: Plan, name: str) -> str:
    names = {one.name for one in found.routes}
    return "pypi-cuda" if name == "pypi" and "pypi-cuda" in names else name


def _right(route: Route, told: Told) -> bool:
    if route.verdict not in told.verdicts or (told.torch and route.versions.get("torch") != told.torch):
        return False
    return not told.kinds or route.because[0].kind in told.kinds


def test_the_chosen_route_of_the_apu_is_whole(tmp_path: Path, vendors: Vendors) -> None:
    route = chosen_of(planned("gfx1151", tmp_path, vendors))
    have = versions(route)
    for name in ("rocm", "rocm-sdk-core", "rocm-sdk-libraries", "rocm-sdk-device-gfx1151"):
        assert have[name] == "10.1.0", name
    assert have["triton"] == "3.8.0+rocm10.1.0"
    assert have["filelock"] == "4.3.1"  # 4.3.2 is yanked
    assert [wheel.name for wheel in route.wheels if wheel.is_source] == ["rocm"]
    assert route.build_variables == {"ROCM_SDK_TARGET_FAMILY": "gfx1151"}
    assert [wheel.name for wheel in route.build] == ["setuptools"]
    own = {wheel.name for wheel in route.wheels if wheel.source == "amd-rocm10"}
    assert own >= {"torch", "triton", "rocm", "rocm-sdk-core", "rocm-sdk-libraries", "rocm-bootstrap"}
    assert not own & {"filelock", "sympy", "jinja2", "setuptools", "numpy"}


@pytest.mark.parametrize(("machine", "card"), [("gfx1100-igpu", "0"), ("igpu-gfx1100", "1")])
def test_the_graphics_of_the_processor_is_hidden(machine: str, card: str, tmp_path: Path, vendors: Vendors) -> None:
    route = chosen_of(planned(machine, tmp_path, vendors))
    assert card in {route.variables.get(name) for name in ("ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES")}
    assert route.targets == ("gfx1100",)
    assert not any("gfx1036" in wheel.name or "gfx10-3" in wheel.name for wheel in route.wheels)


def test_a_kernel_without_the_fixes_is_said_of_each_route_that_it_breaks(tmp_path: Path, vendors: Vendors) -> None:
    found = planned("gfx1151-old-kernel", tmp_path, vendors)
    names = ("amd-rocm10", "amd-rocm7.14", "pytorch-rocm7.2", "pytorch-rocm7.14")
    said = {"kernel-rocm-pair", "kernel-rocm-caution"}
    assert [name for name in names if not said & set(kinds(route_of(found, name)))] == []


def test_the_nightly_index_has_what_the_stable_ones_lack(tmp_path: Path, vendors: Vendors) -> None:
    found = planned("gfx906", tmp_path, vendors, changed={"nightly": vendors.url("amd-nightly")})
    route = route_of(found, "nightly")
    assert (route.verdict, kinds(route)[0]) == ("works", "fits")
    have = versions(route)
    assert have["amd-torch-device-gfx906"] == have["torch"] == "2.14.0+rocm10.2.0a20260918"
    assert have["rocm-sdk-device-gfx906"] == "10.2.0a20260918"
    assert found.chosen == "pytorch-rocm7.2"


def test_an_index_without_hashes_gives_the_same_plan(tmp_path: Path, vendors: Vendors) -> None:
    stated = chosen_of(planned("gfx1151", tmp_path, vendors))
    bare = chosen_of(planned("gfx1151", tmp_path, vendors, changed={"amd-rocm10": vendors.url("amd-rocm10-bare")}))
    assert bare.name == stated.name
    assert versions(bare) == versions(stated)


@pytest.mark.parametrize(
    ("machine", "torch"),
    [("gfx1151", "2.12.0+rocm10.0.0"), ("gfx942", "2.12.0+rocm10.0.0"), ("cpu", "2.12.0+cpu"), ("sm_70", None)],
)
def test_a_mixed_index_does_not_win_with_the_older_build(
    machine: str, torch: str | None, tmp_path: Path, vendors: Vendors
) -> None:
    """PEP 440 compares `rocm10` and `rocm7` as words."""
    found = planned(machine, tmp_path, vendors, changed={"mirror": vendors.url("mixed")})
    routes = [one for one in found.routes if one.source is not None and one.source.name == "mirror"]
    assert routes
    offered = {one.versions.get("torch") for one in routes if one.verdict == "works"}
    assert offered == ({torch} if torch else set())
    assert {one.tier for one in routes} == {"local"}


def test_an_index_without_the_device_wheel_is_blocked_with_that_reason(tmp_path: Path, vendors: Vendors) -> None:
    found = planned("gfx1151", tmp_path, vendors, changed={"amd-rocm10": vendors.url("amd-rocm10", "no-device-wheel")})
    route = route_of(found, "amd-rocm10")
    assert (route.verdict, route.because[0].kind) == ("blocked", "no-device-wheel")
    assert "gfx1151" in route.because[0].text.en
    assert found.chosen == "amd-rocm7.14"


def test_no_gpu_route_is_given_up_for_the_cpu(tmp_path: Path, vendors: Vendors) -> None:
    gone = {one.name: f"{vendors.root}/nowhere/{one.name}/" for one in builtin_indices() if one.backend == "rocm"}
    found = planned("gfx1151", tmp_path, vendors, changed=gone)
    assert found.chosen is None
    assert route_of(found, "pytorch-cpu").because[0].kind == "not-the-backend"
    assert {kinds(route_of(found, name))[0] for name in gone} <= {"not-there", "no-version", "no-code-for-chip"}


def test_plan_answers_in_json(tmp_path: Path, vendors: Vendors, capsys: pytest.CaptureFixture[str]) -> None:
    facts_of("gfx1151", tmp_path)
    root = project_in(tmp_path, vendors).root
    assert main(["plan", "--host", str(tmp_path / "machine-gfx1151"), "--project", root, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["schema"], answer["chosen"]) == ("firstlight.plan/1", "amd-rocm10")
    route = next(one for one in answer["routes"] if one["name"] == "amd-rocm10")
    assert route["versions"]["torch"] == "2.14.0+rocm10.1.0"
    assert {one["name"] for one in route["install"]} >= {"amd-torch-device-gfx1151", "rocm-sdk-device-gfx1151"}
    assert all(one["because"] for one in answer["routes"])
