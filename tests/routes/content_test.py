"""A wheel on this disk is judged by what it holds, before what its version lets one expect."""

from __future__ import annotations

from pathlib import Path

import pytest

from firstlight.project.model import Goal, Project, Source, Sources
from firstlight.routes.model import Plan, Route
from firstlight.routes.plan import plan

from ..binaries.fat_torch import add_to
from .fake_facts import gpu, machine
from .tiny_wheels import make_wheel


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    wheel = make_wheel(tmp_path / "house", "torch", "2.13.0+cu130")
    add_to(
        wheel,
        {"libtorch_cuda.so": ["sm_70", "sm_75", "compute_90"], "libtorch_cuda_linalg.so": ["sm_80", "compute_90"]},
    )
    return wheel.parent


def planned(house: Path, target: str, driver: str = "580.105.08") -> tuple[Plan, Route]:
    source = Source(name="wheelhouse", url=str(house), kind="folder", origin="test")
    sources = Sources(default_indices=(), wheelhouses=(source,), torch_indices=(), no_index=True)
    found = plan(
        Project(root=str(house), goal=Goal(), sources=sources), machine(gpus=(gpu("nvidia", target),), nvidia=driver)
    )
    return found, next(one for one in found.routes if one.backend == "cuda")


def test_code_that_its_version_does_not_promise_is_there(house: Path) -> None:
    found, route = planned(house, "sm_70")
    assert (found.chosen, route.verdict) == ("wheelhouse-cuda", "works")


def test_code_that_its_version_promises_is_not_there(house: Path) -> None:
    found, route = planned(house, "sm_80")
    assert (found.chosen, route.verdict, route.because[0].kind) == (None, "blocked", "no-code-for-chip")
    assert "sm_70 75" in route.because[0].text.en
    assert "自身内容" in route.because[0].text.zh


def test_a_library_without_code_is_told_and_does_not_block(house: Path) -> None:
    _, route = planned(house, "sm_75")
    assert route.verdict == "works"
    assert [one.subject for one in route.because if one.kind == "library-lacks-code"] == [
        "torch/lib/libtorch_cuda_linalg.so"
    ]


def test_ptx_counts(house: Path) -> None:
    assert planned(house, "sm_120", driver="640.10")[1].verdict == "works"


def test_ptx_newer_than_the_driver_does_not(house: Path) -> None:
    _, route = planned(house, "sm_120", driver="580.65.06")
    assert (route.verdict, route.because[0].kind) == ("blocked", "no-code-for-chip")
    assert "driver" in route.because[0].text.en


def test_what_was_read_is_kept_until_the_file_changes(house: Path, tmp_path: Path) -> None:
    assert planned(house, "sm_80")[1].verdict == "blocked"
    kept = list((tmp_path / "cache" / "firstlight" / "content").iterdir())
    assert len(kept) == 1
    kept[0].write_bytes(b"damaged")
    assert planned(house, "sm_80")[1].verdict == "blocked"
    wheel = next(house.glob("*.whl"))
    wheel.unlink()
    add_to(make_wheel(house, "torch", "2.13.0+cu130"), {"libtorch_cuda.so": ["sm_80"]})
    assert planned(house, "sm_80")[1].verdict == "works"


def test_a_wheel_without_gpu_code_goes_by_its_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    make_wheel(tmp_path / "house", "torch", "2.13.0+cu130")
    assert planned(tmp_path / "house", "sm_90")[1].verdict == "works"
    assert planned(tmp_path / "house", "sm_70")[1].because[0].kind == "no-code-for-chip"
