"""Healthy machines in which one GPU is not like the other, or not like a desktop's: nothing stands in the way."""

from __future__ import annotations

import msgspec
import pytest

from firstlight.causes import diagnose
from firstlight.facts.model import Distribution, Facts, Gpu, Node, Variable
from tests.machines_facts import change, gfx1100_desktop, h100_server, rtx4090_desktop


def blocking(facts: Facts) -> list[str]:
    return [one.id for one in diagnose(facts) if one.verdict == "found" and one.severity == "blocking"]


def with_gpus(facts: Facts, *more: Gpu) -> Facts:
    return change(facts, "gpus", [*facts.gpus, *more])


def graphics_of_processor() -> Gpu:
    card = gfx1100_desktop().gpus[0]
    fields = {"target": "gfx1036", "apu": True, "compute_units": 2, "pci": "0000:1b:00.0", "physical": "0000:1b:00"}
    return msgspec.structs.replace(card, **fields)


def shut(path: str) -> Node:
    return Node(path=path, kind="char", mode=0o660, uid=0, gid=992, rdev=None, can_open=False, acl=False)


def test_graphics_of_the_processor_need_no_group_beside_a_card() -> None:
    facts = with_gpus(rtx4090_desktop(), graphics_of_processor())
    facts = change(facts, "access.nodes", [*facts.access.nodes, shut("/dev/kfd"), shut("/dev/dri/renderD129")])
    assert blocking(facts) == []


@pytest.mark.parametrize("kind", ["docker", "podman"])
def test_cdi_says_void_and_gives_the_nodes(kind: str) -> None:
    facts = change(h100_server(), "container.kind", kind)
    assert blocking(change(facts, "environment", [Variable(name="NVIDIA_VISIBLE_DEVICES", value="void")])) == []


def test_the_memory_device_is_made_when_cuda_first_starts() -> None:
    facts = rtx4090_desktop()
    kept = [node for node in facts.access.nodes if not node.path.startswith("/dev/nvidia-uvm")]
    facts = change(facts, "access.nodes", kept)
    assert blocking(change(facts, "access.absent", [*facts.access.absent, "/dev/nvidia-uvm"])) == []


def test_a_jetsons_driver_is_not_held_against_cards_versions() -> None:
    facts = rtx4090_desktop()
    orin = msgspec.structs.replace(facts.gpus[0], target="sm_87", driver="gk20a", apu=True)
    facts = change(change(facts, "gpus", [orin]), "driver.nvidia.version", "35.4.1")
    assert "nvidia-driver-too-old" not in [one.id for one in diagnose(facts) if one.verdict == "found"]


def test_a_card_for_the_screen_that_no_torch_serves_is_no_fault() -> None:
    old = msgspec.structs.replace(
        rtx4090_desktop().gpus[0], target="sm_35", driver="nouveau", usable=False, why="bound-to-nouveau",
        pci="0000:09:00.0", physical="0000:09:00",
    )  # fmt: skip
    assert blocking(with_gpus(gfx1100_desktop(), old)) == []


def test_jax_beside_torch_says_its_rocm_in_its_own_way() -> None:
    facts = gfx1100_desktop()
    environments = [
        msgspec.structs.replace(
            one, distributions=[*one.distributions, Distribution(name="jaxlib", version="0.8.0+rocm700")]
        )
        for one in facts.python.environments
    ]
    assert blocking(change(facts, "python.environments", environments)) == []
