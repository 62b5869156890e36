"""A torch that no list describes: what its own library holds decides."""

from __future__ import annotations

from pathlib import Path

import pytest

from firstlight.causes.model import Clear, Found, NotKnown
from firstlight.facts import collect
from firstlight.facts.model import Distribution, Environment, Facts, Torch
from firstlight.facts.torch_build import torch_build
from firstlight.facts.torch_code import torch_libraries
from firstlight.facts.value import Unknown
from firstlight.host import open_host
from firstlight.host.model import Missing
from tests.binaries.fat_torch import fill
from tests.binaries.oracles.building import build
from tests.binaries.oracles.recipes import hip
from tests.binaries.oracles.tools import found as tool
from tests.binaries.oracles.tools import require
from tests.causes_b.judging import judged
from tests.facts.fake_host import FakeHost
from tests.machines_facts import change, gfx1151_apu, rtx4090_desktop

CUDA, ROCM = "cuda-arch-not-in-torch-build", "gpu-arch-not-in-rocm-build"
OWN_BUILD = "2.99.0a0+git1234567.cu130"


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where packages lie in the active environment."""
    site = tmp_path / "env" / "lib" / "python3.11" / "site-packages"
    site.mkdir(parents=True)
    (tmp_path / "env" / "pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.11.7\n")
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path / "env"))
    return site


def found(site: Path) -> Environment:
    facts = collect(open_host("live"))
    assert isinstance(facts.python.environments, list)
    return next(one for one in facts.python.environments if one.path == str(site))


def test_a_build_of_ones_own_is_known_by_its_library(environment: Path) -> None:
    fill(environment, {"libtorch_cuda.so": ["sm_80", "sm_90", "compute_90"]}, OWN_BUILD)
    (environment / "torch" / "version.py").write_text("__version__ = '2.99.0a0'\ncuda = '13.0'\nhip = None\n")
    torch = found(environment).torch
    assert torch is not None
    assert torch.targets == ["compute_90", "sm_80", "sm_90"]


def test_the_cause_is_found_by_what_the_library_lacks(environment: Path) -> None:
    fill(environment, {"libtorch_cuda.so": ["sm_90"]}, OWN_BUILD)
    (environment / "torch" / "version.py").write_text("__version__ = '2.99.0a0'\ncuda = '13.0'\nhip = None\n")
    answer = judged(CUDA, on_an_rtx_4090(found(environment)))
    assert isinstance(answer, Found)
    assert any(one.fact == "python.environments.torch.targets" and one.value == "sm_90" for one in answer.evidence)


def test_the_cause_is_ruled_out_by_what_the_library_holds(environment: Path) -> None:
    fill(environment, {"libtorch_cuda.so": ["sm_86"]}, OWN_BUILD)
    (environment / "torch" / "version.py").write_text("__version__ = '2.99.0a0'\ncuda = '13.0'\nhip = None\n")
    assert isinstance(judged(CUDA, on_an_rtx_4090(found(environment))), Clear)


@pytest.mark.parametrize("content", [None, b"\x7fELF\x02\x01\x01", b"no library"])
def test_what_cannot_be_read_stays_unknown(environment: Path, content: bytes | None) -> None:
    fill(environment, {"other.so": ["sm_90"]}, OWN_BUILD)
    (environment / "torch" / "version.py").write_text("__version__ = '2.99.0a0'\ncuda = '13.0'\nhip = None\n")
    if content is not None:
        (environment / "torch" / "lib" / "libtorch_cuda.so").write_bytes(content)
    torch = found(environment).torch
    assert torch is not None
    assert isinstance(torch.targets, Unknown)


def on_an_rtx_4090(environment: Environment) -> Facts:
    return change(rtx4090_desktop(), "python.environments", [environment])


ROCM_BUILD = "2.99.0a0+git1234567.rocm7.2"
HIP = "torch/lib/libtorch_hip.so"
SITE = "/env/lib/python3.11/site-packages"


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Libraries as clang makes them: `plain.so` for gfx90a and gfx1100, `packed.so` compressed for gfx1151."""
    require("clang")
    folder, clang = tmp_path_factory.mktemp("compiled"), tool("clang") or ""
    shared = ("-shared", "-nostdlib")
    for name, targets, flags in (
        ("plain.so", ["gfx90a", "gfx1100"], shared),
        ("packed.so", ["gfx1151"], (*shared, "--offload-compress")),
    ):
        assert build(hip(clang, name, targets, 5, *flags), folder) is None
    return folder


def rocm_site(site: Path, library: Path) -> None:
    """A torch of somebody's own for ROCm."""
    (site / HIP).parent.mkdir(parents=True)
    fill(site, {}, ROCM_BUILD)
    (site / "torch" / "version.py").write_text("__version__ = '2.99.0a0'\ncuda = None\nhip = '7.2.1'\n")
    (site / HIP).write_bytes(library.read_bytes())


def test_the_finding_names_the_library_and_what_it_holds(environment: Path, compiled: Path) -> None:
    rocm_site(environment, compiled / "plain.so")
    answer = judged(ROCM, change(gfx1151_apu(), "python.environments", [found(environment)]))
    assert isinstance(answer, Found)
    told = next(one for one in answer.evidence if one.fact == "python.environments.torch.libraries")
    assert (told.value, told.source) == ("gfx1100 gfx90a", str(environment / HIP))


def test_compressed_code_is_read_as_well(environment: Path, compiled: Path) -> None:
    rocm_site(environment, compiled / "packed.so")
    here = found(environment)
    assert here.torch is not None
    assert here.torch.targets == ["gfx1151"]
    assert isinstance(judged(ROCM, change(gfx1151_apu(), "python.environments", [here])), Clear)


@pytest.mark.parametrize("kind", ["tree", "recorded", "overlay"])
def test_other_hosts_are_read_where_they_hold_the_file(kind: str, tmp_path: Path, compiled: Path) -> None:
    root = tmp_path / "machine" / "root" if kind == "recorded" else tmp_path / "machine"
    site = root / SITE.lstrip("/")
    site.mkdir(parents=True)
    rocm_site(site, compiled / "plain.so")
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/environ").write_bytes(b"VIRTUAL_ENV=/env\0")
    if kind == "recorded":
        (tmp_path / "machine/host.json").write_text(
            '{"schema": "firstlight.host/1", "environment": {"VIRTUAL_ENV": "/env"}}'
        )
    facts = collect(open_host(f"overlay:{root}" if kind == "overlay" else str(tmp_path / "machine")))
    (held,) = [one.torch for one in facts.python.environments if one.path == SITE]
    assert held is not None
    assert held.targets == ["gfx1100", "gfx90a"]


def test_a_recording_without_the_file_says_that_it_was_not_captured() -> None:
    host = FakeHost({f"{SITE}/torch/lib/libtorch_hip.so": Missing.NOT_CAPTURED})
    (library,) = torch_libraries(host, SITE, "rocm")
    assert library.targets == Unknown("not-captured", f"{SITE}/torch/lib/libtorch_hip.so")


def built(host: FakeHost, version: str, *chips: str) -> Torch:
    """torch of that version in SITE, on a machine with these GPUs."""
    made = torch_build(host, SITE, (), [Distribution(name="torch", version=version)], "x86_64", chips=chips)
    assert made is not None
    return made


def test_files_are_read_only_where_the_list_does_not_answer(compiled: Path) -> None:
    host = FakeHost({f"{SITE}/{HIP}": (compiled / "packed.so").read_bytes()})
    assert built(host, "2.9.0+rocm6.4", "gfx942").libraries == ()
    asked = built(host, "2.9.0+rocm6.4", "gfx942", "gfx1151", "sm_90")
    assert [one.targets for one in asked.libraries] == [["gfx1151"]]
    assert asked.targets == ["gfx1151"]


def test_a_list_stands_where_the_file_is_not_at_hand() -> None:
    host = FakeHost({})
    asked = built(host, "2.9.0+rocm6.4", "gfx1151")
    assert [type(one.targets) for one in asked.libraries] == [Unknown]
    assert asked.targets == built(host, "2.9.0+rocm6.4").targets


def test_the_main_libraries_decide_and_each_is_told(environment: Path) -> None:
    libraries = {"libtorch_cuda.so": [], "libtorch_cuda_cu.so": ["sm_86"], "libtorch_cuda_linalg.so": ["sm_90"]}
    fill(environment, libraries, OWN_BUILD)
    (environment / "torch" / "version.py").write_text("__version__ = '2.99.0a0'\ncuda = '13.0'\nhip = None\n")
    torch = found(environment).torch
    assert torch is not None
    assert torch.targets == ["sm_86"]
    assert {one.path.rpartition("/")[2]: one.targets for one in torch.libraries} == libraries


def test_the_time_is_bounded(monkeypatch: pytest.MonkeyPatch, compiled: Path) -> None:
    moments = iter([0.0, 1.0, *[9.0] * 99])
    monkeypatch.setattr("firstlight.facts.torch_code.time.monotonic", lambda: next(moments))
    host = FakeHost({f"{SITE}/{HIP}": (compiled / "plain.so").read_bytes()})
    (library,) = torch_libraries(host, SITE, "rocm")
    assert isinstance(library.targets, Unknown)
    assert library.targets.unknown == "too-large"
    own = built(FakeHost({f"{SITE}/torch/version.py": "hip = '7.2.1'\ncuda = None\n"}), "2.99.0")
    environment = Environment(path=SITE, python="3.11", active=True, torch=own, distributions=[], libraries=[])
    assert isinstance(judged(ROCM, change(gfx1151_apu(), "python.environments", [environment])), NotKnown)
