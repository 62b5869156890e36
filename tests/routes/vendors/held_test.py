"""More machines get the right plan, each wrong route its true reason, in words that say what is so and what to do."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from firstlight.routes.model import Plan, Route

from .expectations import Told
from .held_expectations import CAUTION, HELD_EXPECTED, VARIABLES
from .held_machines import HELD
from .held_planning import planned_for
from .planning import chosen_of, kinds, route_of
from .server import Vendors

DEVICE = ("amd-torch-device-", "rocm-sdk-device-")
TODAY = dt.date(2026, 12, 1)
RELEASED = {
    "2.14.0+rocm10.1.0": "2026-10-05", "2.12.0+rocm7.14.1": "2026-09-02", "2.14.1+rocm7.2": "2026-09-30",
    "2.14.1+cu126": "2026-09-30", "2.13.0+cu129": "2026-07-08", "2.3.1+cu118": "2024-06-05",
    "2.14.1+cpu": "2026-09-30", "2.15.0": "2026-10-28",
}  # fmt: skip


@pytest.mark.parametrize("machine", HELD)
def test_each_machine_is_told_the_truth_of_each_index(machine: str, tmp_path: Path, vendors: Vendors) -> None:
    expected = HELD_EXPECTED[machine]
    found = planned_for(HELD[machine], tmp_path, vendors)
    told = {name: route_of(found, _named(found, name)) for name in expected.routes}
    wrong = [
        f"{name}: {route.verdict}, {route.versions.get('torch')}, {kinds(route)}; expected {expected.routes[name]}"
        for name, route in told.items()
        if not _right(route, expected.routes[name])
    ]
    picked = (found.chosen, chosen_of(found).versions["torch"]) if found.chosen else None
    if picked not in (expected.chosen or (None,)):
        wrong.append(f"chosen {picked}, expected {expected.chosen}: {found.why.en}")
    if found.chosen:
        have = {wheel.name for wheel in chosen_of(found).wheels if wheel.name.startswith(DEVICE)}
        wrong += [f"device wheels {sorted(have)}"] if have != expected.install else []
    for name, variables in VARIABLES.get(machine, {}).items():
        got = route_of(found, name).variables
        wrong += [f"{name}: variables {got}, expected {variables}"] if got != variables else []
    wrong += [line for route in found.routes for line in (*_columns(route), *_words(route))]
    assert not wrong, "\n".join(wrong)


def _named(found: Plan, name: str) -> str:
    names = {one.name for one in found.routes}
    return "pypi-cuda" if name == "pypi" and "pypi-cuda" in names else name


def _right(route: Route, told: Told) -> bool:
    if route.verdict not in told.verdicts or (told.torch and route.versions.get("torch") != told.torch):
        return False
    return not told.kinds or route.because[0].kind in told.kinds


def _columns(route: Route) -> list[str]:
    """Size, time and age are told of what works, and are what they must be."""
    if route.verdict != "works":
        return [f"{route.name}: minutes {route.minutes}"] if route.minutes is not None else []
    bad = []
    torch = route.versions["torch"]
    total = sum(wheel.size or 0 for wheel in route.wheels)
    if not route.download_bytes or route.download_bytes != total:
        bad.append(f"{route.name}: download {route.download_bytes}, and the files are {total}")
    if not route.disk_bytes or route.disk_bytes < route.download_bytes:  # type: ignore[operator]
        bad.append(f"{route.name}: disk {route.disk_bytes}")
    released = RELEASED.get(torch)
    if released and route.age_days != (TODAY - dt.date.fromisoformat(released)).days:
        bad.append(f"{route.name}: torch {torch} of {released} is {route.age_days} days old")
    if route.minutes is not None and route.minutes < 0:
        bad.append(f"{route.name}: minutes {route.minutes}")
    return bad


def _words(route: Route) -> list[str]:
    """Each reason in both languages, the Chinese one with Chinese in it."""
    bad = []
    for link in route.because:
        chinese = any("\u4e00" <= sign <= "\u9fff" for sign in link.text.zh)
        if not link.text.en or (not chinese and link.kind != "resolver") or "None" in link.text.en + link.text.zh:
            bad.append(f"{route.name}: {link}")
    return bad


@pytest.mark.parametrize("machine", CAUTION)
def test_a_kernel_without_the_fixes_gives_pause(machine: str, tmp_path: Path, vendors: Vendors) -> None:
    found = planned_for(HELD[machine], tmp_path, vendors)
    for name in ("amd-rocm10", "amd-rocm7.14", "pytorch-rocm7.2", "pytorch-rocm7.14"):
        assert ("kernel-rocm-caution" in kinds(route_of(found, name))) is CAUTION[machine], name


def test_every_machine_is_expected_to_be_told_something() -> None:
    assert set(HELD_EXPECTED) == set(HELD)
