"""What is wanted beside a torch that fits: versions, further packages, a route by name, a mirror by variable."""

from __future__ import annotations

from pathlib import Path

import pytest

from firstlight.facts import collect
from firstlight.host import open_host
from firstlight.project.settings import Flags
from firstlight.routes.plan import plan
from tests.planted.builder import FIXTURES
from tests.planted.machines import MACHINES as CAPTURED

from .planning import chosen_of, kinds, planned, project_in, route_of, versions
from .server import Vendors


@pytest.mark.parametrize(
    ("wanted", "chosen", "torch"),
    [
        ("==2.13.0", "amd-rocm10", "2.13.0+rocm10.1.0"),
        ("<2.12", "amd-rocm10", "2.11.0+rocm10.0.0"),
        ("==2.10.0", "amd-rocm7.14", "2.10.0+rocm7.14.1"),
        (">=2.14.1", "pytorch-rocm7.2", "2.14.1+rocm7.2"),
    ],
)
def test_the_wanted_torch_decides(wanted: str, chosen: str, torch: str, tmp_path: Path, vendors: Vendors) -> None:
    """Of one torch an index may hold builds for several ROCm: the newest of them, by its numbers."""
    found = planned("gfx1151", tmp_path, vendors, flags=Flags(torch=wanted))
    assert versions(route_of(found, chosen)).get("torch") == torch
    if wanted != "<2.12":  # two vendor's routes offer it: either is right
        assert found.chosen == chosen


def test_a_torch_that_nobody_has_is_said_to_be_missing(tmp_path: Path, vendors: Vendors) -> None:
    found = planned("gfx1151", tmp_path, vendors, flags=Flags(torch="==2.99.0"))
    assert found.chosen is None
    for name in ("amd-rocm10", "amd-rocm7.14", "pytorch-rocm7.2", "pytorch-rocm7.14"):
        assert kinds(route_of(found, name))[0] == "no-version"


def test_vision_comes_with_its_own_device_wheel(tmp_path: Path, vendors: Vendors) -> None:
    route = chosen_of(planned("gfx1151", tmp_path, vendors, flags=Flags(packages=("torchvision", "torchaudio"))))
    have = versions(route)
    assert have["torchvision"] == have["amd-torchvision-device-gfx1151"] == "0.29.0+rocm10.1.0"
    assert have["torchaudio"] == "2.11.0.3+rocm10.1.0"
    assert {name for name in have if "device" in name and "gfx1151" not in name} == {"amd-torch-device-gfx115x"}
    sources = {wheel.name: wheel.source for wheel in route.wheels}
    assert (sources["torchvision"], sources["numpy"], sources["pillow"]) == ("amd-rocm10", "pypi", "pypi")


def test_pytorchs_own_build_for_amds_libraries_takes_all_devices(tmp_path: Path, vendors: Vendors) -> None:
    """Its torch asks for `rocm[libraries,device-all]==7.14.*`, and that sdist was published anew."""
    found = planned("gfx1151", tmp_path, vendors, flags=Flags(route="pytorch-rocm7.14"))
    have = versions(chosen_of(found))
    assert found.chosen == "pytorch-rocm7.14"
    assert (have["rocm"], have["rocm-sdk-device-gfx1151"]) == ("7.14.0.post1", "7.14.0")
    assert len([name for name in have if name.startswith("rocm-sdk-device-")]) == 24


def test_a_mirror_can_be_named_by_a_variable(tmp_path: Path, vendors: Vendors) -> None:
    environ = {"FIRSTLIGHT_SOURCE_PYTORCH_ROCM7_2": vendors.url("pytorch-rocm7.1")}
    found = planned("gfx906", tmp_path, vendors, environ=environ)
    assert route_of(found, "pytorch-rocm7.2").versions.get("torch") == "2.13.0+rocm7.1"


@pytest.mark.skipif(not FIXTURES.is_dir(), reason="the shared fixtures are not beside the project")
@pytest.mark.parametrize(
    ("machine", "chosen", "device"),
    [
        ("phoenix-apu", "amd-rocm10", {"amd-torch-device-gfx1103", "amd-torch-device-gfx110x"}),
        ("navi31-desktop", "amd-rocm10", {"amd-torch-device-gfx1100", "amd-torch-device-gfx110x"}),
        ("mi300x-server", "amd-rocm10", {"amd-torch-device-gfx942"}),
        ("dgx-station", "pytorch-cu126", set()),
        ("laptop-without-gpu", "pytorch-cpu", set()),
    ],
)
def test_captured_machines_get_their_plan(
    machine: str, chosen: str, device: set[str], tmp_path: Path, vendors: Vendors
) -> None:
    """63 partitions of eight cards are one target; four cards are one, too."""
    host = CAPTURED[machine](tmp_path / "host")
    for path in ("/usr/bin/python3.12", "/lib/x86_64-linux-gnu/libc-2.31.so"):
        host.write(path, "\x7fELF")
    host.link("/lib/x86_64-linux-gnu/libc.so.6", "libc-2.31.so")
    facts = collect(open_host(str(host.save())))
    assert facts.os.libc == "glibc 2.31"
    found = plan(project_in(tmp_path, vendors), facts)
    assert found.chosen == chosen
    have = versions(chosen_of(found))
    assert {name for name in have if name.startswith("amd-torch-device-")} == device
