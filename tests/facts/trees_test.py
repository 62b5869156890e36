"""Captured machines of the shared fixtures: all are read without an exception, and nothing is made up."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from firstlight.facts import collect
from firstlight.facts.nvidia_driver import module_version
from firstlight.facts.value import Unknown
from firstlight.host import open_host

FIXTURES = Path(__file__).resolve().parents[2].parent / "shared" / "fixtures"
ROOTS = sorted(FIXTURES.glob("*/*/root"))

pytestmark = pytest.mark.skipif(not ROOTS, reason="the shared fixtures are not beside the project")


@pytest.mark.parametrize("root", ROOTS, ids=lambda root: f"{root.parent.parent.name}-{root.parent.name}")
def test_a_bare_tree_claims_nothing_that_it_does_not_hold(root: Path) -> None:
    facts = collect(open_host(str(root)))
    assert msgspec.json.decode(msgspec.json.encode(facts), type=type(facts)) == facts
    assert facts.access.absent == []
    assert facts.access.nodes == []
    assert facts.rocm == []
    assert facts.disks == []
    assert facts.python.environments == []
    for value in (facts.access.uid, facts.container.kind, facts.modules.loaded, facts.clock.now, facts.environment):
        assert isinstance(value, Unknown)
        assert value.unknown == "not-captured"


@pytest.mark.parametrize("root", ROOTS, ids=lambda root: f"{root.parent.parent.name}-{root.parent.name}")
def test_what_is_known_comes_from_a_file_that_is_there(root: Path) -> None:
    facts = collect(open_host(str(root)))
    sources = {
        "proc/meminfo": facts.memory.total_bytes,
        "proc/cmdline": facts.kernel.cmdline,
        "proc/version": facts.kernel.built,
        "proc/cpuinfo": facts.cpu,
        "proc/driver/nvidia/version": facts.driver.nvidia.version,
        "sys/class/dmi/id/product_name": facts.product,
    }
    for path, value in sources.items():
        if not isinstance(value, Unknown):
            assert (root / path).exists(), (path, value)


def test_the_five_shapes_of_the_nvidia_version_file() -> None:
    content = (FIXTURES / "nvidia-proc/version-lines/versions.txt").read_text()
    banners = [line for line in content.splitlines() if line.startswith("NVRM")]
    expected = ["540.4.0", "555.42.06", "515.65.01", "384.81", "96.43.09"]
    assert [module_version(banner) for banner in banners] == expected
    assert ["Open Kernel Module" in banner for banner in banners] == [True, True, False, False, False]


def test_dgx_spark() -> None:
    facts = collect(open_host(str(FIXTURES / "hwloc/gb10-dgx-spark/root")))
    assert facts.arch == "aarch64"
    assert facts.product == "NVIDIA_DGX_Spark"
    assert facts.kernel.release == "6.17.0-1014-nvidia"
