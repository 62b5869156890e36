"""An environment of AMD's split build: device wheels, and `rocm`, which is published as an sdist only."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from firstlight.facts.model import Gpu
from firstlight.host.model import HostKind
from firstlight.routes.pylock import wheels_of
from tests.routes.fake_facts import gpu, machine
from tests.steps.sdist_test import make_sdist

from .hand_made import TAG, HandMade, lost

BUILD = "2.14.0+rocm10.1.0"
DEVICE = ("rocm-sdk-device-gfx1151", "amd-torch-device-gfx1151")
GFX1151: Gpu = gpu("amd", "gfx1151")


@pytest.fixture
def amd(made: HandMade) -> Path:
    """AMD's index on disk; the hand-made environment holds its build instead of the CPU one."""
    files = made.folder / "amd"
    made.wheel("torch", BUILD, TAG, at=files, requires=("filelock",))
    made.wheel(DEVICE[0], "10.1.0", at=files)
    made.wheel(DEVICE[1], BUILD, at=files)
    made.wheel("rocm", "10.1.0", at=made.folder / "built")  # as setuptools builds it there
    made.wheel("setuptools", "82.0.0")
    made.wheel("setuptools", "81.0.0")
    for name in ("torch", "rocm", *DEVICE):
        made.install(
            f"{name}=={BUILD if 'torch' in name else '10.1.0'}", at=made.folder / "built" if name == "rocm" else files
        )
    make_sdist(files)
    simple = made.folder / "simple"
    for path in files.iterdir():
        page = simple / path.name.split("-")[0].replace("_", "-") / "index.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f'<a href="{path.as_uri()}">{path.name}</a>')
    return simple


def test_the_index_of_the_build_is_asked_and_the_sdist_is_pinned_with_what_builds_it(made: HandMade, amd: Path) -> None:
    facts = machine(kind=HostKind.LIVE, gpus=(GFX1151,))
    found = made.adopted(facts=facts, FIRSTLIGHT_SOURCE_AMD_ROCM10=str(amd))
    frozen = found.lock.backends[0]
    assert (frozen.backend, lost(frozen), frozen.source) == ("rocm", {}, "amd-rocm10")
    wheels = {one.name: one for one in wheels_of(found.pylock, (), {})}
    assert wheels["rocm"].filename == "rocm-10.1.0.tar.gz"
    assert wheels["torch"].version == BUILD
    assert set(DEVICE) <= set(wheels)
    assert [one.filename for one in frozen.build] == ["setuptools-82.0.0-py3-none-any.whl"]
    assert frozen.build_variables == {"ROCM_SDK_TARGET_FAMILY": "gfx1151"}
    assert frozen.targets == ("gfx1151",)


def test_without_that_index_each_part_of_the_build_is_named(made: HandMade, amd: Path) -> None:
    shutil.rmtree(amd)
    amd.mkdir()
    found = made.adopted(FIRSTLIGHT_SOURCE_AMD_ROCM10=str(amd))
    assert set(lost(found.lock.backends[0])) == {"torch", "rocm", *DEVICE}


def test_no_other_index_of_the_family_is_asked(made: HandMade, amd: Path) -> None:
    made.adopted(
        FIRSTLIGHT_SOURCE_AMD_ROCM10=str(amd), FIRSTLIGHT_SOURCE_PYTORCH_CPU=made.index.url("json"),
        FIRSTLIGHT_SOURCE_PYTORCH_ROCM7_2=made.index.url("lies"),
    )  # fmt: skip
    assert not [path for path in made.index.asked if path.startswith(("/json/", "/lies/"))]
    assert not [path for path in made.index.asked if "torch" in path or "rocm" in path]
