"""Cases of single causes that the planted faults do not show: what rules them out, what leaves them unknown."""

from __future__ import annotations

import msgspec
import pytest

from firstlight.causes.catalogue import cause
from firstlight.causes.model import Clear, Found, Judgement, NotKnown
from firstlight.facts.model import Blacklist, DkmsModule, Facts, Group, Library, ModuleOption, Unknown, Variable
from tests.causes_a import planting
from tests.machines_facts import (
    GIB,
    MACHINES,
    RENDER,
    bare_tree,
    change,
    changes,
    cpu_only,
    dgx_spark,
    environment,
    gfx1100_desktop,
    gfx1151_apu,
    gpu,
    h100_server,
    mi300x_server,
    parameters,
    rtx4090_desktop,
    without,
    wsl,
)


def judged(id: str, facts: Facts) -> Judgement:
    one = cause(id)
    assert one
    return one.judge(facts)


def verdict(id: str, facts: Facts) -> str:
    return {Found: "found", Clear: "clear", NotKnown: "unknown"}[type(judged(id, facts))]


def severity(id: str, facts: Facts) -> str | None:
    found = judged(id, facts)
    assert isinstance(found, Found)
    one = cause(id)
    return found.severity or (one.severity if one else None)


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


def test_a_parameter_does_not_count_while_the_gpu_is_served() -> None:
    words = parameters("ro", "nomodeset", "modprobe.blacklist=amdgpu")
    facts = changes(gfx1151_apu(), kernel__cmdline=words,
                    modules__blacklisted=[Blacklist(module="amdgpu", file="/proc/cmdline")])  # fmt: skip
    assert verdict("nomodeset-blocks-amdgpu", facts) == "clear"
    assert verdict("amdgpu-blacklisted", facts) == "clear"


def test_nomodeset_is_taken_off_with_the_tool_of_the_distribution() -> None:
    facts = planting.nomodeset(gfx1151_apu())
    ubuntu = judged("nomodeset-blocks-amdgpu", facts)
    fedora = judged("nomodeset-blocks-amdgpu", changes(facts, os__id="fedora", os__like=[]))
    assert isinstance(ubuntu, Found)
    assert isinstance(fedora, Found)
    assert ubuntu.remedy[0].argv[-1] == "/etc/default/grub"
    assert ubuntu.remedy[1].argv == ("update-grub",)
    assert fedora.remedy[0].argv == ("grubby", "--update-kernel=ALL", "--remove-args=nomodeset")


def test_a_module_that_is_signed_may_be_refused_all_the_same() -> None:
    facts = changes(planting.secure_boot(rtx4090_desktop()), modules__unsigned_dkms=[])
    assert verdict("secure-boot-unsigned-module", facts) == "unknown"


def test_secure_boot_that_is_off_refuses_nothing() -> None:
    facts = changes(planting.secure_boot(rtx4090_desktop()), kernel__secure_boot=False)
    assert verdict("secure-boot-unsigned-module", facts) == "clear"
    strict = changes(facts, kernel__cmdline=parameters("module.sig_enforce=1"))
    assert verdict("secure-boot-unsigned-module", strict) == "found"


def test_a_build_for_another_kernel_is_advice_while_the_own_driver_serves() -> None:
    dkms = [DkmsModule(name="amdgpu", version="6.12.12", kernels=["6.8.0-60-generic"])]
    facts = changes(gfx1100_desktop(), modules__dkms=dkms)
    assert severity("dkms-build-fails-new-kernel", facts) == "advice"


def test_a_module_of_nvidia_that_no_gpu_needs_is_passed_over() -> None:
    dkms = [DkmsModule(name="nvidia-fs", version="2.25.7", kernels=["6.8.0-60-generic"])]
    facts = changes(planting.unbound(h100_server()), modules__dkms=dkms)
    assert verdict("dkms-build-fails-new-kernel", facts) == "clear"


def test_a_new_kernel_is_not_too_old_for_a_gpu_that_failed() -> None:
    assert verdict("kernel-too-old-for-gpu", planting.loaded_for_nothing(gfx1100_desktop())) == "clear"


def test_dkms_brings_its_own_table_of_chips() -> None:
    facts = changes(planting.old_kernel(gfx1100_desktop()), driver__amd__kind="dkms")
    assert verdict("kernel-too-old-for-gpu", facts) == "clear"


def test_dkms_is_right_on_an_instinct_server_and_wrong_where_it_serves_nothing() -> None:
    assert verdict("amdgpu-dkms-over-intree", mi300x_server()) == "clear"
    facts = changes(planting.loaded_for_nothing(gfx1151_apu()), driver__amd__kind="dkms", driver__amd__version="6.8.5")
    assert severity("amdgpu-dkms-over-intree", facts) == "blocking"


def test_an_old_card_beside_a_good_one_is_advice() -> None:
    oland = gpu("amd", "gfx601", pci="0000:07:00.0", kfd=False, usable=False, why="gcn1", node=None)
    beside = changes(gfx1100_desktop(), gpus=[*gfx1100_desktop().gpus, oland])
    assert severity("gpu-unsupported-by-kfd", beside) == "advice"
    alone = changes(gfx1100_desktop(), gpus=[oland])
    assert severity("gpu-unsupported-by-kfd", alone) == "degrading"


@pytest.mark.parametrize(
    ("words", "groups", "answer"),
    [
        (["iommu=pt"], 60, "clear"),
        (["iommu=pt,soft"], 60, "clear"),
        (["amd_iommu=off"], 60, "clear"),
        (["amd_iommu=on"], 60, "found"),
        ([], 0, "clear"),
        ([], Unknown("absent", "/sys/kernel/iommu_groups"), "found"),
        ([], Unknown("not-captured", "/sys/kernel/iommu_groups"), "unknown"),
    ],
)
def test_iommu(words: list[str], groups: int | Unknown, answer: str) -> None:
    facts = changes(mi300x_server(), kernel__cmdline=parameters(*words), kernel__iommu_groups=groups)
    assert verdict("iommu-breaks-gpu-p2p", facts) == answer


def test_iommu_does_not_matter_for_one_card_or_in_a_guest() -> None:
    assert verdict("iommu-breaks-gpu-p2p", gfx1100_desktop()) == "clear"
    guest = changes(planting.translated(mi300x_server()), virtual__hypervisor="kvm")
    assert verdict("iommu-breaks-gpu-p2p", guest) == "clear"


@pytest.mark.parametrize(
    ("kernel", "rocm", "answer", "weight"),
    [
        ("6.18.9-generic", None, "clear", None),
        ("6.18.9-generic", "7.2", "clear", None),
        ("6.18.9-generic", "7.2.0", "clear", None),
        ("6.18.9-generic", "7.1", "found", "blocking"),
        ("6.18.9-generic", "6.4.4", "found", "blocking"),
        ("6.18.9-generic", "10.1.0", "clear", None),
        ("6.17.0-19-generic", "7.2.1", "clear", None),
        ("6.17.0-14-generic", "7.2.1", "found", "degrading"),
        ("6.14.0-1018-oem", "7.2", "clear", None),
        ("6.14.0-1010-oem", "7.2", "found", "degrading"),
        ("6.14.0-29-generic", "7.2.0", "found", "blocking"),
        ("6.14.0-29-generic", "7.1", "found", "degrading"),
        ("6.14.0-29-generic", None, "found", "degrading"),
    ],
)
def test_kernel_and_rocm_on_gfx1151(kernel: str, rocm: str | None, answer: str, weight: str | None) -> None:
    held = [environment(f"2.10.0+rocm{rocm}", "rocm", rocm)] if rocm else []
    facts = changes(gfx1151_apu(), kernel__release=kernel, python__environments=held)
    assert verdict("kfd-vgpr-cwsr-mismatch", facts) == answer
    if weight:
        assert severity("kfd-vgpr-cwsr-mismatch", facts) == weight


def test_wave_saving_that_is_off_does_not_hang() -> None:
    facts = changes(planting.kernel_without_fix(gfx1151_apu()), driver__amd__parameters={"cwsr_enable": "0"})
    assert verdict("kfd-vgpr-cwsr-mismatch", facts) == "clear"


def test_a_rocm_that_is_not_active_is_advice() -> None:
    held = [environment("2.10.0+rocm7.1", "rocm", "7.1", active=False)]
    assert severity("kfd-vgpr-cwsr-mismatch", changes(gfx1151_apu(), python__environments=held)) == "advice"


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


def test_an_option_of_modprobe_is_no_blacklist() -> None:
    option = ModuleOption(module="amdgpu", option="dc", value="0", file="/etc/modprobe.d/a.conf")
    facts = changes(planting.unbound(gfx1151_apu()), modules__options=[option])
    assert verdict("amdgpu-blacklisted", facts) == "clear"


def test_lxc_that_gives_its_own_render_group_is_no_foreign_number() -> None:
    facts = changes(
        planting.lxc(gfx1151_apu()),
        access__nodes=planting.nodes_with(gfx1151_apu()),
        access__groups=[1000],
        access__group_database=[Group(name="render", gid=RENDER, members=[])],
    )
    assert verdict("lxc-device-gid-wrong", facts) == "clear"
    assert verdict("kfd-permission-render-group", facts) == "found"


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
