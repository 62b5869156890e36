"""Causes of the drivers: what rules them out, what leaves them unknown."""

from __future__ import annotations

import msgspec
import pytest

from firstlight.facts.model import Library, Unknown
from tests.causes_a import planting
from tests.causes_a.judging import severity, verdict
from tests.machines_facts import (
    bare_tree,
    change,
    changes,
    dgx_spark,
    environment,
    gpu,
    h100_server,
    rtx4090_desktop,
)


def test_vfio_on_one_of_two_cards_is_advice() -> None:
    facts = h100_server()
    held = msgspec.structs.replace(facts.gpus[0], driver="vfio-pci", usable=False, why="bound-to-vfio-pci")
    facts = changes(facts, gpus=[held, *facts.gpus[1:]])
    assert severity("gpu-bound-to-other-driver", facts) == "advice"


def test_a_driver_of_jetson_is_no_foreign_driver() -> None:
    facts = dgx_spark()
    jetson = msgspec.structs.replace(facts.gpus[0], driver="gk20a", pci=None)
    assert verdict("gpu-bound-to-other-driver", changes(facts, gpus=[jetson])) == "clear"


def test_forward_compatibility_libraries_are_meant_to_differ() -> None:
    compat = Library(path="/usr/local/cuda/compat/libcuda.so.590.44.01", version="590.44.01")
    facts = rtx4090_desktop()
    libraries = facts.driver.nvidia.libraries
    assert not isinstance(libraries, Unknown)
    facts = change(facts, "driver.nvidia.libraries", [*libraries, compat])
    assert verdict("nvidia-driver-library-mismatch", facts) == "clear"
    old = change(planting.old_driver(rtx4090_desktop()), "driver.nvidia.libraries", [compat])
    assert verdict("nvidia-driver-too-old", old) == "clear"


@pytest.mark.parametrize(
    ("driver", "cuda", "answer"),
    [
        ("580.65.06", "13.0", "clear"),
        ("575.57.08", "13.0", "found"),
        ("525.60.13", "12.8", "clear"),
        ("520.61.05", "12.8", "found"),
        ("450.80.02", "11.8", "clear"),
        ("580.65.06", "99.0", "clear"),
    ],
)
def test_driver_and_cuda(driver: str, cuda: str, answer: str) -> None:
    facts = changes(rtx4090_desktop(), driver__nvidia__version=driver, driver__nvidia__libraries=[],
                    python__environments=[environment("2.9.0", "cuda", cuda)])  # fmt: skip
    assert verdict("nvidia-driver-too-old", facts) == answer


def test_an_old_driver_under_an_environment_that_is_not_active_is_advice() -> None:
    facts = changes(rtx4090_desktop(), driver__nvidia__version="535.1", driver__nvidia__libraries=[],
                    python__environments=[environment("2.9.0", "cuda", "13.0", active=False)])  # fmt: skip
    assert severity("nvidia-driver-too-old", facts) == "advice"


def test_a_branch_that_dropped_the_chip() -> None:
    volta = gpu("nvidia", "sm_70", device_id="10de:1db1", driver=None, usable=False, why="no-driver")
    facts = changes(planting.loaded_for_nothing(rtx4090_desktop()), gpus=[volta], driver__nvidia__version="590.48.01")
    assert verdict("nvidia-driver-dropped-gpu", facts) == "found"
    assert verdict("nvidia-driver-dropped-gpu", changes(facts, driver__nvidia__version="580.105.08")) == "clear"
    assert verdict("nvidia-driver-dropped-gpu", rtx4090_desktop()) == "clear"
    assert verdict("nvidia-driver-dropped-gpu", bare_tree()) == "unknown"


def test_no_uvm_in_a_container_without_any_node_is_the_containers_fault() -> None:
    facts = planting.container(rtx4090_desktop())
    assert verdict("nvidia-uvm-missing", facts) == "clear"
    assert verdict("container-missing-gpu-devices", facts) == "found"
