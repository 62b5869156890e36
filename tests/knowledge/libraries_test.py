"""What is known of libraries, drivers for PTX, and indices with code for a target."""

from __future__ import annotations

import pytest

from firstlight.knowledge.builds import generic_loads, runs_on
from firstlight.knowledge.carriers import carriers
from firstlight.knowledge.drivers import cuda_minimum, cuda_of_ptx, ptx_driver, version_key
from firstlight.knowledge.libraries import known_folder, known_library
from firstlight.knowledge.sources import builtin_indices
from firstlight.knowledge.tables import raw


@pytest.mark.parametrize(
    ("cuda", "driver", "exact"),
    [
        ("13.0", "580.65.06", True),
        ("13.0.3", "580.65.06", True),
        ("12.6", "560.28.03", True),
        ("12.7", "560.28.03", False),
        ("13", "580.65.06", False),
        ("13.9", "595.45.04", False),
        ("99.1", "595.45.04", False),
    ],
)
def test_which_driver_compiles_ptx(cuda: str, driver: str, exact: bool) -> None:  # noqa: FBT001
    found = ptx_driver(cuda)
    assert found is not None
    assert (found.linux, found.exact) == (driver, exact)


@pytest.mark.parametrize("cuda", ["", "x", "1.0", "7.5"])
def test_which_is_not_known(cuda: str) -> None:
    assert ptx_driver(cuda) is None


def test_drivers_of_toolkits_are_in_order_and_no_older_than_their_line_needs() -> None:
    rows = sorted(raw("nvidia/drivers")["toolkit"], key=lambda row: version_key(row["cuda"]))
    drivers = [version_key(row["linux"]) for row in rows]
    assert drivers == sorted(set(drivers))
    for row in rows:
        least = cuda_minimum(row["cuda"])
        assert least is None or version_key(row["linux"]) >= version_key(least)


def test_isa_versions() -> None:
    assert cuda_of_ptx("8.7") == "12.8"
    assert cuda_of_ptx("9.0") == "13.0"
    assert cuda_of_ptx("1.9") is cuda_of_ptx("") is cuda_of_ptx("x") is None
    rows = raw("nvidia/drivers")["ptx"]
    order = sorted(rows, key=lambda row: version_key(row["isa"]))
    assert [row["cuda"] for row in order] == sorted((row["cuda"] for row in rows), key=version_key)


def test_generic_versions() -> None:
    assert generic_loads("gfx11-generic", 1)
    assert generic_loads("gfx11-generic", None)
    assert not generic_loads("gfx11-generic", 0)
    assert generic_loads("gfx1151", None)


@pytest.mark.parametrize("target", ["gfx1151", "gfx1103", "gfx90a:xnack+", "sm_121", "sm_70", "sm_90a"])
def test_carriers_are_indices_that_run_on_it(target: str) -> None:
    names = {one.name: one for one in builtin_indices()}
    found = carriers(target)
    assert found
    assert {names[one].backend for one in found} == {"rocm" if target.startswith("gfx") else "cuda"}


def test_where_nothing_is_known() -> None:
    assert carriers("gfx9999") == ()
    assert carriers("gfx1151", "aarch64") == ()
    assert carriers("rubbish") == ()
    assert runs_on((), "gfx1151") == "no"


def test_every_library_has_one_place_and_says_what_goes_on_without_it() -> None:
    rows = raw("libraries")["library"]
    stems = [stem for row in rows for stem in row.get("stems", ())]
    folders = [folder for row in rows for folder in row.get("folders", ())]
    assert len(stems) == len(set(stems))
    assert len(folders) == len(set(folders))
    assert [row["title"] for row in rows if row.get("optional") and not row.get("without_zh")] == []
    assert [row["title"] for row in rows if not set(row["sources"]) <= set(raw("libraries")["legend"])] == []


def test_folders() -> None:
    inner = known_folder("torch/lib/hipblaslt/library/gfx942/x.co")
    assert inner is not None
    assert inner.title == "hipBLASLt"
    assert known_folder("rocblas") is None
    assert known_library("rocblas") is None
