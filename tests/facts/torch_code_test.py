"""A torch that no list describes: what its own library holds decides."""

from __future__ import annotations

from pathlib import Path

import pytest

from firstlight.causes.model import Found
from firstlight.facts import collect
from firstlight.facts.model import Environment, Facts
from firstlight.facts.value import Unknown
from firstlight.host import open_host
from tests.binaries.fat_torch import fill
from tests.causes_b.judging import clear, judged
from tests.machines_facts import change, rtx4090_desktop

CAUSE = "cuda-arch-not-in-torch-build"
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
    answer = judged(CAUSE, on_an_rtx_4090(found(environment)))
    assert isinstance(answer, Found)
    assert any(one.fact == "python.environments.torch.targets" and one.value == "sm_90" for one in answer.evidence)


def test_the_cause_is_ruled_out_by_what_the_library_holds(environment: Path) -> None:
    fill(environment, {"libtorch_cuda.so": ["sm_86"]}, OWN_BUILD)
    (environment / "torch" / "version.py").write_text("__version__ = '2.99.0a0'\ncuda = '13.0'\nhip = None\n")
    assert clear(CAUSE, on_an_rtx_4090(found(environment)))


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
