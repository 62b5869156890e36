"""Causes of the kernel: what rules them out, what leaves them unknown."""

from __future__ import annotations

import msgspec
import pytest

from firstlight.causes.model import Found
from firstlight.facts.model import Blacklist, DkmsModule, Facts, ModuleOption, Unknown
from tests.causes_a import planting
from tests.causes_a.judging import judged, severity, verdict
from tests.machines_facts import (
    ABSENT,
    changes,
    environment,
    gfx1100_desktop,
    gfx1151_apu,
    gpu,
    h100_server,
    mi300x_server,
    parameters,
    rtx4090_desktop,
)


def forbidden(facts: Facts) -> Facts:
    """amdgpu is forbidden in two ways, and served all the same."""
    words = parameters("ro", "nomodeset", "modprobe.blacklist=amdgpu")
    return changes(facts, kernel__cmdline=words,
                   modules__blacklisted=[Blacklist(module="amdgpu", file="/proc/cmdline")])  # fmt: skip


@pytest.mark.parametrize("id", ["nomodeset-blocks-amdgpu", "amdgpu-blacklisted"])
def test_what_forbids_amdgpu_does_not_block_while_its_device_node_is_there(id: str) -> None:
    assert severity(id, forbidden(gfx1151_apu())) == "degrading"
    assert severity(id, forbidden(mi300x_server())) == "advice"  # loaded by hand there as a rule
    assert verdict(id, forbidden(rtx4090_desktop())) == "clear"
    stopped = changes(forbidden(gfx1151_apu()), access__nodes=[], modules__loaded=ABSENT)
    assert severity(id, stopped) == "blocking"


def test_amdgpu_that_is_told_to_set_modes_overrules_nomodeset() -> None:
    told = changes(gfx1151_apu(), kernel__cmdline=parameters("nomodeset", "amdgpu.modeset=1"))
    assert verdict("nomodeset-blocks-amdgpu", told) == "clear"


def test_a_kernel_that_is_old_by_its_number_does_not_block_what_it_serves() -> None:
    old = changes(gfx1151_apu(), kernel__release="6.1.0-35-amd64")
    assert severity("kernel-too-old-for-gpu", old) == "degrading"
    for release in ("5.14.0-570.12.1.el9_6.x86_64", "5.14.21-150500.55-default", "6.5.0-1023-oem"):
        assert verdict("kernel-too-old-for-gpu", changes(old, kernel__release=release)) == "clear"
    unseen = changes(mi300x_server(), kernel__release="5.15.0-91-generic", modules__dkms=[],
                     driver__amd__kind=Unknown("not-captured", ""))  # fmt: skip
    assert severity("kernel-too-old-for-gpu", unseen) == "advice"


def test_dkms_on_a_radeon_is_advice_if_it_is_older_than_the_kernel() -> None:
    built = DkmsModule(name="amdgpu", version="6.12.12-2194681.24.04", kernels=["6.18.9-generic"])
    facts = changes(gfx1100_desktop(), modules__dkms=[built])
    alone = changes(facts, gpus=facts.gpus[:1])
    assert severity("amdgpu-dkms-over-intree", alone) == "advice"
    newer = changes(alone, modules__dkms=[msgspec.structs.replace(built, version="6.18.4-1.24.04")])
    assert verdict("amdgpu-dkms-over-intree", newer) == "clear"
    assert severity("amdgpu-dkms-over-intree", changes(gfx1151_apu(), modules__dkms=[built])) == "degrading"


def test_an_unsigned_module_beside_a_running_driver_does_not_block_yet() -> None:
    facts = changes(rtx4090_desktop(), kernel__secure_boot=True, kernel__lockdown="integrity",
                    modules__unsigned_dkms=["nvidia"])  # fmt: skip
    assert severity("secure-boot-unsigned-module", facts) == "degrading"
    unenforced = changes(facts, kernel__lockdown="none")
    assert verdict("secure-boot-unsigned-module", unenforced) == "clear"


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
        ([], Unknown("absent", "/sys/kernel/iommu_groups"), "clear"),
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


def test_an_option_of_modprobe_is_no_blacklist() -> None:
    option = ModuleOption(module="amdgpu", option="dc", value="0", file="/etc/modprobe.d/a.conf")
    facts = changes(planting.unbound(gfx1151_apu()), modules__options=[option])
    assert verdict("amdgpu-blacklisted", facts) == "clear"
