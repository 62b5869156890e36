"""What holds for all of these causes: clear on healthy machines, missing facts named, cost, harmful recordings."""

from __future__ import annotations

import time

import msgspec
import pytest

from firstlight.causes import diagnose
from firstlight.causes.model import Found, NotKnown
from tests.causes_a import planting
from tests.causes_a.judging import judged, verdict
from tests.machines_facts import (
    MACHINES,
    bare_tree,
    changes,
    cpu_only,
    gfx1151_apu,
    mi300x_server,
    without,
)


@pytest.mark.parametrize("plant", planting.PLANTS)
def test_each_cause_is_clear_on_a_healthy_machine(plant: str) -> None:
    spec = planting.PLANTS[plant]
    for name in spec.machines:
        assert verdict(spec.cause, MACHINES[name]()) in {"clear", "unknown"}


@pytest.mark.parametrize("plant", planting.PLANTS)
def test_each_cause_is_clear_without_a_gpu_and_unknown_on_a_bare_tree(plant: str) -> None:
    spec = planting.PLANTS[plant]
    assert verdict(spec.cause, cpu_only()) == "clear"
    assert verdict(spec.cause, bare_tree()) == "unknown"


@pytest.mark.parametrize(
    ("id", "plant", "fact"),
    [
        ("nomodeset-blocks-amdgpu", planting.nomodeset, "kernel.cmdline"),
        ("amdgpu-blacklisted", planting.blacklisted, "modules.blacklisted"),
        ("secure-boot-unsigned-module", planting.secure_boot, "modules.unsigned_dkms"),
        ("kernel-too-old-for-gpu", planting.old_kernel, "kernel.release"),
        ("group-not-effective-until-login", planting.not_logged_in, "access.group_database"),
        ("group-not-effective-until-login", planting.not_logged_in, "access.user"),
        ("container-missing-gpu-devices", planting.container, "container.kind"),
        ("kfd-vgpr-cwsr-mismatch", planting.kernel_without_fix, "kernel.release"),
    ],
)
def test_a_fact_that_is_missing_is_named(id: str, plant: object, fact: str) -> None:
    assert callable(plant)
    answer = judged(id, without(plant(gfx1151_apu()), fact, reason="denied"))
    assert isinstance(answer, NotKnown)
    assert any(fact.rsplit(".", maxsplit=1)[-1] in need and "denied" in need for need in answer.needs)


def test_a_recording_that_means_harm_gets_no_words_into_a_command() -> None:
    facts = changes(
        planting.old_kernel(gfx1151_apu()), os__version_id="24.04 -o Dpkg::Pre-Invoke::=x", kernel__release="5.15 evil",
        access__user="--help",
    )  # fmt: skip
    found = judged("kernel-too-old-for-gpu", facts)
    assert isinstance(found, Found)
    assert found.remedy[0].argv == ()
    refused = judged(
        "kfd-permission-render-group", changes(planting.no_permission(gfx1151_apu()), access__user="--help")
    )
    assert isinstance(refused, Found)
    assert refused.remedy[0].argv == ()


def test_a_thousand_gpus_cost_little() -> None:
    first = mi300x_server().gpus[0]
    many = [msgspec.structs.replace(first, pci=f"{at:04x}:00:00.0", physical=str(at), node=at) for at in range(1000)]
    idle = [msgspec.structs.replace(one, driver=None, kfd=False, usable=False, why="no-driver") for one in many]
    for gpus in (many, idle):
        facts = changes(mi300x_server(), gpus=gpus)
        diagnose(facts)
        before = time.process_time()
        diagnose(facts)
        assert time.process_time() - before < 0.3
