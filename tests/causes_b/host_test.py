"""Causes of Python, disks, the clock and missing hardware."""

from __future__ import annotations

import pytest

from firstlight.causes.model import Clear, Found
from firstlight.facts.model import Disk, Facts, Interpreter
from tests.causes_b.judging import clear, found, holding, judged, needs, severity, told
from tests.machines_facts import (
    GIB,
    NOW,
    bare_tree,
    change,
    changes,
    cpu_only,
    gfx1151_apu,
    h100_server,
    rtx4090_desktop,
    wsl,
)


def room(facts: Facts, **free: int) -> Facts:
    """`facts` with that much free in each role."""
    roles = {"project": 400 * GIB, "tmp": 400 * GIB, **free}
    sizes = {"project": 900, "tmp": 16, "cache": 900}
    disks = [
        Disk(path=f"/{role}", role=role, total_bytes=sizes[role] * GIB, free_bytes=size) for role, size in roles.items()
    ]
    return change(facts, "disks", disks)


FULL = "disk-full"


@pytest.mark.parametrize(
    ("facts", "free", "expected"),
    [
        (gfx1151_apu(), 2 * GIB, "blocking"),
        (gfx1151_apu(), 15 * GIB, "degrading"),
        (rtx4090_desktop(), 5 * GIB, "blocking"),
        (rtx4090_desktop(), 10 * GIB, "degrading"),
        (cpu_only(), GIB, "blocking"),
        (cpu_only(), 2 * GIB, "degrading"),
        (holding(gfx1151_apu(), "torch==2.14.0+rocm7.2"), GIB // 8, "blocking"),
    ],
)
def test_what_does_not_fit_is_found(facts: Facts, free: int, expected: str) -> None:
    assert severity(FULL, room(facts, project=free)) == expected


def test_what_fits_is_clear() -> None:
    assert clear(FULL, room(gfx1151_apu(), project=30 * GIB))
    assert clear(FULL, room(cpu_only(), project=4 * GIB))
    assert clear(FULL, room(holding(gfx1151_apu(), "torch==2.14.0+rocm7.2"), project=2 * GIB))
    assert severity(FULL, room(gfx1151_apu(), cache=2 * GIB)) == "degrading"
    assert severity(FULL, room(gfx1151_apu(), cache=0)) == "blocking"
    assert needs(FULL, change(cpu_only(), "disks", []))


TMP = "tmp-too-small"


def test_a_small_tmp_is_found_where_the_disk_has_room() -> None:
    assert severity(TMP, room(gfx1151_apu(), tmp=3 * GIB)) == "degrading"
    assert severity(TMP, room(cpu_only(), tmp=0)) == "blocking"
    assert clear(TMP, room(gfx1151_apu(), tmp=6 * GIB))
    assert clear(TMP, room(gfx1151_apu(), tmp=3 * GIB, project=4 * GIB))
    one = [Disk(path=p, role=r, total_bytes=GIB, free_bytes=GIB // 4) for p, r in (("/", "project"), ("/tmp", "tmp"))]
    assert clear(TMP, change(cpu_only(), "disks", one))
    assert needs(TMP, change(cpu_only(), "disks", [])) == ("disks[tmp] (not-captured)", "disks[project] (not-captured)")


CLOCK = "clock-skew"


@pytest.mark.parametrize(("behind", "expected"), [(3600.0, "degrading"), (90000.0, "blocking"), (4e8, "blocking")])
def test_a_clock_behind_its_evidence_is_found(behind: float, expected: str) -> None:
    assert severity(CLOCK, change(cpu_only(), "clock.newest_evidence", NOW + behind)) == expected


def test_a_clock_that_may_be_right_is_clear() -> None:
    assert clear(CLOCK, cpu_only())
    assert clear(CLOCK, change(cpu_only(), "clock.newest_evidence", NOW + 300))
    assert clear(CLOCK, changes(cpu_only(), clock__synchronised=False))
    assert needs(CLOCK, change(cpu_only(), "clock.now", told()))[0].startswith("clock.now")


def test_a_clock_of_wsl_is_set_from_windows() -> None:
    assert found(CLOCK, change(wsl(), "clock.now", 0.0)).remedy[0].argv == ("hwclock", "-s")


@pytest.mark.parametrize("when", [1e300, -1e300, float("inf"), float("nan")])
def test_absurd_times_break_nothing(when: float) -> None:
    assert isinstance(judged(CLOCK, change(cpu_only(), "clock.now", when)), (Clear, Found))
    assert found(CLOCK, changes(cpu_only(), clock__now=-1e18, clock__newest_evidence=0.0)).evidence


def test_a_machine_without_gpu_gets_advice() -> None:
    id = "no-gpu"
    assert severity(id, cpu_only()) == "advice"
    assert clear(id, h100_server())
    assert needs(id, bare_tree())
    assert "/dev/dxg" in needs(id, wsl())[0]


def test_old_glibc_is_found() -> None:
    id = "python-glibc-too-old-for-manylinux"
    assert found(id, change(cpu_only(), "os.libc", "glibc 2.17")).values["version"] == "2.17"
    for libc in ("glibc 2.28", "glibc 2.39", "musl", "glibc"):
        assert clear(id, change(cpu_only(), "os.libc", libc))
    assert needs(id, change(cpu_only(), "os.libc", told()))


def test_the_mark_of_pep_668_is_advice_unless_an_environment_is_active() -> None:
    id = "pep668-externally-managed"
    marked = changes(cpu_only(), python__externally_managed=True)
    assert severity(id, marked) == "advice"
    assert clear(id, holding(marked, "torch==2.14.0+cpu"))
    assert clear(id, cpu_only())
    assert needs(id, change(cpu_only(), "python.externally_managed", told()))


def test_a_python_without_wheels_is_found() -> None:
    id = "python-version-no-wheel"
    old = change(cpu_only(), "python.interpreters", [Interpreter(path="/usr/bin/python3", version="3.9")])
    assert severity(id, old) == "advice"
    both = [*old.python.interpreters, Interpreter(path="/usr/bin/python3.12", version="3.12")]
    assert clear(id, change(cpu_only(), "python.interpreters", both))
    unknown = [*old.python.interpreters, Interpreter(path="/usr/bin/x", version=told())]
    assert needs(id, change(cpu_only(), "python.interpreters", unknown))
    active = change(holding(cpu_only(), "triton==3.5.0"), "python.environments.0.python", "3.15")
    assert severity(id, active) == "degrading"
    assert needs(id, bare_tree())
