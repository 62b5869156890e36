"""A Python environment: torch, what it loads, and nothing else. Its Python is never run."""

from __future__ import annotations

from pathlib import Path

import pytest

from firstlight.binaries.environment import is_environment, read_environment, site_of
from firstlight.binaries.report import inspect
from firstlight.errors import UnreadableInput

from . import layers
from .layers import Section, host

FATBIN = layers.fat_binary([layers.entry(2, 90, b"\x7fELF")])
LIBRARY = host([Section(".nv_fatbin", 1, FATBIN)]).data


@pytest.fixture
def env(tmp_path: Path) -> Path:
    root = tmp_path / "env"
    site = root / "lib/python3.11/site-packages"
    for path in (
        "torch/lib/libtorch_cuda.so", "torch/_C.cpython-311-x86_64-linux-gnu.so", "torch/test/libother.so",
        "nvidia/cu13/lib/libcublas.so.13", "_rocm_sdk_core/lib/libamdhip64.so.7",
        "_rocm_sdk_libraries_gfx1151/lib/librocblas.so.5",
        "rocm_sdk_core-7.2.dist-info/libnot.so", "numpy/core/_multiarray.so",
    ):  # fmt: skip
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_bytes(LIBRARY)
    (site / "torch-2.14.1+cu130.dist-info").mkdir()
    (site / "torch-2.14.1+cu130.dist-info/METADATA").write_text("Name: torch\nVersion: 2.14.1+cu130\n\nText\n")
    (root / "bin").mkdir()
    (root / "pyvenv.cfg").write_text("home = /usr/bin\n")
    (root / "bin/python").write_text("#!/bin/sh\ntouch '" + str(tmp_path / "was-run") + "'\n")
    (root / "bin/python").chmod(0o755)
    return root


def test_torch_and_what_it_loads(env: Path) -> None:
    report = read_environment(str(env))
    assert report.kind == "environment"
    assert report.distribution == "torch 2.14.1+cu130"
    assert [piece.path for piece in report.pieces] == [
        "torch/_C.cpython-311-x86_64-linux-gnu.so",
        "torch/lib/libtorch_cuda.so",
        "_rocm_sdk_core/lib/libamdhip64.so.7",
        "_rocm_sdk_libraries_gfx1151/lib/librocblas.so.5",
        "nvidia/cu13/lib/libcublas.so.13",
    ]


@pytest.mark.parametrize("place", ["", "bin/python", "lib/python3.11/site-packages"])
def test_it_may_be_named_in_three_ways(env: Path, place: str) -> None:
    report = inspect(str(env / place))
    assert (report.kind, len(report.pieces)) == ("environment", 5)
    assert not (env.parent / "was-run").exists()


def test_the_python_of_an_environment_may_be_a_link(env: Path, tmp_path: Path) -> None:
    (env / "bin/python").unlink()
    (tmp_path / "usr/bin").mkdir(parents=True)
    (tmp_path / "usr/bin/python3.11").write_text("#!/bin/false\n")
    (tmp_path / "usr/bin/python3.11").chmod(0o755)
    (env / "bin/python").symlink_to(tmp_path / "usr/bin/python3.11")
    assert site_of(str(env / "bin/python")) == str(env / "lib/python3.11/site-packages")


def test_one_without_torch_says_so(tmp_path: Path) -> None:
    (tmp_path / "pyvenv.cfg").write_text("")
    assert is_environment(str(tmp_path))
    with pytest.raises(UnreadableInput) as caught:
        inspect(str(tmp_path))
    assert "torch" in caught.value.what.zh
    assert read_environment(str(tmp_path)).pieces == ()


def test_metadata_that_is_missing_leaves_the_name(env: Path) -> None:
    (env / "lib/python3.11/site-packages/torch-2.14.1+cu130.dist-info/METADATA").unlink()
    assert read_environment(str(env)).distribution == "torch 2.14.1+cu130"


def test_a_script_called_python_is_no_environment(tmp_path: Path) -> None:
    (tmp_path / "python").write_text("text")
    assert not is_environment(str(tmp_path / "python"))
