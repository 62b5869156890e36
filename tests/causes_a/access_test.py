"""Permissions, containers, WSL: what rules causes out, what leaves them unknown."""

from __future__ import annotations

import msgspec
import pytest

from firstlight.causes.model import Found
from firstlight.facts.model import Group, Unknown, Variable
from tests.causes_a import planting
from tests.causes_a.judging import judged, severity, verdict
from tests.machines_facts import (
    GIB,
    RENDER,
    changes,
    environment,
    gfx1100_desktop,
    gfx1151_apu,
    h100_server,
    mi300x_server,
    rtx4090_desktop,
    wsl,
)


def test_nodes_that_are_not_there_on_the_host_itself_are_no_containers_fault() -> None:
    facts = changes(planting.container(gfx1151_apu()), container__kind="none")
    assert verdict("container-missing-gpu-devices", facts) == "clear"


def test_a_container_made_for_the_other_vendor_is_advice() -> None:
    facts = changes(rtx4090_desktop(), container__kind="docker",
                    gpus=[*rtx4090_desktop().gpus, *gfx1100_desktop().gpus])  # fmt: skip
    assert severity("container-missing-gpu-devices", facts) == "advice"


def test_one_node_that_may_be_opened_is_enough() -> None:
    facts = mi300x_server()
    nodes = [
        msgspec.structs.replace(one, can_open=False) if one.path == "/dev/dri/renderD130" else one
        for one in facts.access.nodes
    ]
    assert verdict("kfd-permission-render-group", changes(facts, access__nodes=nodes)) == "clear"


def test_permission_that_is_not_known() -> None:
    facts = gfx1151_apu()
    nodes = planting.nodes_with(facts, can_open=Unknown("not-captured", "process"))
    assert verdict("kfd-permission-render-group", changes(facts, access__nodes=nodes)) == "unknown"


def test_the_remedy_names_the_user_and_the_groups_that_own_the_nodes() -> None:
    found = judged("kfd-permission-render-group", planting.no_permission(gfx1151_apu()))
    assert isinstance(found, Found)
    assert found.remedy[0].argv == ("usermod", "-aG", "render", "user1")


def test_nodes_of_root_alone_are_no_matter_of_groups() -> None:
    facts = gfx1151_apu()
    facts = changes(facts, access__nodes=planting.nodes_with(facts, gid=0, mode=0o600))
    found = judged("kfd-permission-render-group", facts)
    assert isinstance(found, Found)
    assert found.remedy[0].argv == ()
    assert verdict("group-not-effective-until-login", facts) == "clear"


def test_in_a_container_the_remedy_is_the_hosts_number() -> None:
    found = judged("container-render-gid-mismatch", planting.wrong_gid(gfx1151_apu()))
    assert isinstance(found, Found)
    assert f"--group-add {RENDER}" in found.remedy[0].why.en


def test_the_groups_of_an_image_wait_for_no_login() -> None:
    facts = changes(planting.not_logged_in(gfx1151_apu()), container__kind="docker")
    assert verdict("group-not-effective-until-login", facts) == "clear"
    assert verdict("kfd-permission-render-group", facts) == "found"


@pytest.mark.parametrize(
    ("kind", "size", "answer"),
    [("docker", 64 << 20, "found"), ("docker", 8 * GIB, "clear"), ("none", 64 << 20, "clear")],
)
def test_shared_memory(kind: str, size: int, answer: str) -> None:
    facts = changes(h100_server(), container__kind=kind, container__shm_bytes=size)
    assert verdict("container-shm-too-small", facts) == answer


def test_shared_memory_is_advice_for_one_gpu() -> None:
    facts = changes(rtx4090_desktop(), container__kind="docker", container__shm_bytes=64 << 20)
    assert severity("container-shm-too-small", facts) == "advice"


@pytest.mark.parametrize(
    ("changed", "answer"),
    [
        ({}, "clear"),
        ({"virtual__wsl_version": 1}, "found"),
        ({"environment": [Variable(name="HSA_ENABLE_DXG_DETECTION", value="0")]}, "found"),
        ({"os__id": "arch"}, "found"),
        ({"virtual__wsl": False}, "clear"),
        ({"python__environments": []}, "clear"),
        ({"python__environments": [environment("2.9.1+rocm6.4", "rocm", "6.4")]}, "found"),
        ({"virtual__wsl": Unknown("denied", "/proc/version")}, "unknown"),
    ],
)
def test_rocm_under_wsl(changed: dict[str, object], answer: str) -> None:
    held = [environment("2.14.0+rocm10.1.0", "rocm", "10.1.0")]
    facts = changes(changes(wsl(), python__environments=held), **changed)
    assert verdict("wsl-unsupported-combination", facts) == answer


def test_lxc_that_gives_its_own_render_group_is_no_foreign_number() -> None:
    facts = changes(
        planting.lxc(gfx1151_apu()),
        access__nodes=planting.nodes_with(gfx1151_apu()),
        access__groups=[1000],
        access__group_database=[Group(name="render", gid=RENDER, members=[])],
    )
    assert verdict("lxc-device-gid-wrong", facts) == "clear"
    assert verdict("kfd-permission-render-group", facts) == "found"
