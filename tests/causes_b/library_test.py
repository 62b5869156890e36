"""Causes in variables and loaded libraries."""

from __future__ import annotations

import msgspec
import pytest

from firstlight.facts.model import Facts, SystemRocm
from tests.causes_b.judging import clear, first_gpu, found, holding, needs, setting, severity, told
from tests.machines_facts import (
    MACHINES,
    change,
    cpu_only,
    gfx1100_desktop,
    gfx1151_apu,
    h100_server,
    mi300x_server,
    rtx4090_desktop,
)

OVERRIDE = "hsa-override-wrong"


@pytest.mark.parametrize(
    ("target", "value", "expected"),
    [
        ("gfx1151", "8.0.3", "blocking"),
        ("gfx1151", "11.0.0", "blocking"),
        ("gfx1150", "11.5.1", "blocking"),
        ("gfx1103", "11.0.0", "blocking"),
        ("gfx1102", "11.0.0", "degrading"),
        ("gfx90a", "10.3.0", "blocking"),
        ("gfx1151", "11.5.1", "advice"),
        ("gfx90a", "9.0.10", "advice"),
        ("gfx1031", "10.3.0", "advice"),
        ("gfx1152", "11.5.0", "advice"),
        ("gfx1151", "gfx1151", "blocking"),
        ("gfx1151", "11.5", "blocking"),
        ("gfx1151", "", "blocking"),
        ("gfx1151", "99.0.0", "blocking"),
        ("gfx1151", "11.0.0.0", "blocking"),
    ],
)
def test_an_override_is_judged_by_family_and_reports(target: str, value: str, expected: str) -> None:
    facts = first_gpu(gfx1151_apu(), target=target)
    assert severity(OVERRIDE, setting(facts, HSA_OVERRIDE_GFX_VERSION=value)) == expected


def test_a_stopgap_that_the_build_needs_is_let_be() -> None:
    facts = setting(first_gpu(gfx1151_apu(), target="gfx1031"), HSA_OVERRIDE_GFX_VERSION="10.3.0")
    assert clear(OVERRIDE, holding(facts, "torch==2.9.1+rocm6.4", targets=["gfx1030", "gfx1100"]))
    assert severity(OVERRIDE, holding(facts, "torch==2.9.1+rocm6.4", targets=["gfx1030", "gfx1031"])) == "degrading"
    assert severity(OVERRIDE, holding(facts, "torch==2.9.1+rocm6.4", targets=["gfx1031"])) == "blocking"


def test_the_form_for_one_node_counts_before_the_plain_one() -> None:
    facts = gfx1151_apu()
    assert severity(OVERRIDE, setting(facts, HSA_OVERRIDE_GFX_VERSION_1="9.0.0")) == "blocking"
    assert clear(OVERRIDE, setting(facts, HSA_OVERRIDE_GFX_VERSION_0="9.0.0"))
    both = setting(facts, HSA_OVERRIDE_GFX_VERSION="9.0.0", HSA_OVERRIDE_GFX_VERSION_1="11.5.1")
    assert severity(OVERRIDE, both) == "advice"


def test_the_plain_form_hits_the_gpu_that_it_does_not_fit() -> None:
    result = found(OVERRIDE, setting(gfx1100_desktop(), HSA_OVERRIDE_GFX_VERSION="11.0.0"))
    assert result.severity == "blocking"
    assert str(result.values["gpu"]).startswith("gfx1036")


def test_an_override_without_amd_gpus_or_facts() -> None:
    assert clear(OVERRIDE, setting(rtx4090_desktop(), HSA_OVERRIDE_GFX_VERSION="9.0.0"))
    assert clear(OVERRIDE, gfx1151_apu())
    assert needs(OVERRIDE, change(gfx1151_apu(), "environment", told()))
    blank = first_gpu(gfx1151_apu(), target=None)
    assert needs(OVERRIDE, setting(blank, HSA_OVERRIDE_GFX_VERSION="11.0.0"))


HIP = "hip-visible-devices-hides-gpu"


@pytest.mark.parametrize("name", ["HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"])
@pytest.mark.parametrize(
    "value", ["", " ", "-1", "8", "7,9", "all", "gfx942", "0x1", "none", "1;2", "0,0", "99999999999999"]
)
def test_a_list_that_hides_gpus_is_found(name: str, value: str) -> None:
    expected = "degrading" if value in {"7,9", "0,0"} else "blocking"
    assert severity(HIP, setting(mi300x_server(), **{name: value})) == expected


@pytest.mark.parametrize("value", ["0", "7", "0,1,2", "3, 1", "GPU-0123456789abcdef", "2,GPU-XX"])
def test_a_valid_list_is_a_choice(value: str) -> None:
    assert clear(HIP, setting(mi300x_server(), HIP_VISIBLE_DEVICES=value))


def test_rocr_renumbers_before_hip() -> None:
    assert severity(HIP, setting(mi300x_server(), ROCR_VISIBLE_DEVICES="3", HIP_VISIBLE_DEVICES="3")) == "blocking"
    assert clear(HIP, setting(mi300x_server(), ROCR_VISIBLE_DEVICES="3", HIP_VISIBLE_DEVICES="0"))
    assert clear(HIP, setting(mi300x_server(), ROCR_VISIBLE_DEVICES="4,5", HIP_VISIBLE_DEVICES="1"))
    assert (
        severity(HIP, setting(mi300x_server(), ROCR_VISIBLE_DEVICES="4,5", HIP_VISIBLE_DEVICES="0,1,2")) == "degrading"
    )


def test_a_list_that_leaves_only_the_integrated_gpu_is_found() -> None:
    assert severity(HIP, setting(gfx1100_desktop(), HIP_VISIBLE_DEVICES="1")) == "degrading"
    assert clear(HIP, setting(gfx1100_desktop(), HIP_VISIBLE_DEVICES="0"))


def test_without_a_served_gpu_only_what_is_wrong_in_itself_is_found() -> None:
    off = first_gpu(gfx1151_apu(), kfd=False, usable=False, why="no-driver", driver=None)
    assert clear(HIP, setting(off, HIP_VISIBLE_DEVICES="5"))
    assert severity(HIP, setting(off, HIP_VISIBLE_DEVICES="-1")) == "blocking"
    assert needs(HIP, change(gfx1151_apu(), "environment", told()))
    assert clear(HIP, setting(cpu_only(), HIP_VISIBLE_DEVICES="-1"))


CUDA = "cuda-visible-devices-hides-gpu"


@pytest.mark.parametrize("value", ["", "-1", "8", "0,8", "void", "NoDevFiles"])
def test_a_cuda_list_that_hides_gpus_is_found(value: str) -> None:
    expected = "degrading" if value == "0,8" else "blocking"
    assert severity(CUDA, setting(h100_server(), CUDA_VISIBLE_DEVICES=value)) == expected


@pytest.mark.parametrize("value", ["0", "7", "0,1", "0:1", "1 ,2x", "GPU-8932f937", "MIG-GPU-1/2/3"])
def test_a_valid_cuda_list_is_a_choice(value: str) -> None:
    assert clear(CUDA, setting(h100_server(), CUDA_VISIBLE_DEVICES=value))


@pytest.mark.parametrize("value", ["void", "none", ""])
def test_the_container_runtimes_list_counts_inside_a_container(value: str) -> None:
    facts = setting(h100_server(), NVIDIA_VISIBLE_DEVICES=value)
    assert clear(CUDA, facts)
    inside = change(facts, "container.kind", "docker")
    assert clear(CUDA, inside), "CDI says void, and the nodes are there"
    bare = [node for node in facts.access.nodes if not node.path.startswith("/dev/nvidia")]
    assert severity(CUDA, change(inside, "access.nodes", bare)) == "blocking"
    assert clear(CUDA, change(setting(h100_server(), NVIDIA_VISIBLE_DEVICES="all"), "container.kind", "docker"))


def test_on_amd_the_cuda_list_counts_only_alone() -> None:
    assert severity(CUDA, setting(gfx1151_apu(), CUDA_VISIBLE_DEVICES="")) == "blocking"
    assert clear(CUDA, setting(gfx1151_apu(), CUDA_VISIBLE_DEVICES="", HIP_VISIBLE_DEVICES="0"))
    assert clear(CUDA, setting(gfx1151_apu(), CUDA_VISIBLE_DEVICES="5", ROCR_VISIBLE_DEVICES="0"))
    assert clear(CUDA, setting(cpu_only(), CUDA_VISIBLE_DEVICES=""))
    assert needs(CUDA, change(rtx4090_desktop(), "environment", told()))


IGPU = "igpu-visible-to-hip"


def test_both_kinds_of_gpu_in_sight_are_found() -> None:
    result = found(IGPU, gfx1100_desktop())
    assert result.values["keep"] == "0"
    assert str(result.values["gpu"]).startswith("gfx1036")
    swapped = first_gpu(gfx1100_desktop(), node=3)
    assert found(IGPU, swapped).values["keep"] == "1"


@pytest.mark.parametrize("name", ["HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES"])
def test_one_that_is_hidden_is_no_trouble(name: str) -> None:
    assert clear(IGPU, setting(gfx1100_desktop(), **{name: "0"}))
    assert severity(IGPU, setting(gfx1100_desktop(), **{name: "0,1"})) == "degrading"


def test_one_kind_alone_is_no_trouble() -> None:
    assert clear(IGPU, gfx1151_apu())
    assert clear(IGPU, mi300x_server())
    facts = gfx1100_desktop()
    hidden = change(facts, "gpus", [facts.gpus[0], msgspec.structs.replace(facts.gpus[1], kfd=False)])
    assert clear(IGPU, hidden)
    assert needs(IGPU, setting(facts, HIP_VISIBLE_DEVICES="GPU-0123456789abcdef"))


SHADOW = "system-rocm-shadows-wheel-libs"


def wheel(facts: Facts, *, active: bool = True) -> Facts:
    """A ROCm 7.2 torch with its own libraries beside ROCm 6.3 in /opt."""
    held = holding(facts, "torch==2.14.0+rocm7.2", active=active, libraries=["libamdhip64.so"])
    return change(held, "rocm", [SystemRocm(path="/opt/rocm-6.3.0", version="6.3.0")])


@pytest.mark.parametrize("folder", ["/opt/rocm/lib", "/opt/rocm-6.3.0/lib", "/usr/lib:/opt/rocm/core-10.1/lib"])
def test_a_rocm_of_another_version_before_the_wheel_is_found(folder: str) -> None:
    assert severity(SHADOW, setting(wheel(gfx1151_apu()), LD_LIBRARY_PATH=folder)) == "blocking"
    assert severity(SHADOW, setting(wheel(gfx1151_apu(), active=False), LD_LIBRARY_PATH=folder)) == "advice"


def test_the_same_version_or_another_folder_shadows_nothing() -> None:
    assert clear(SHADOW, setting(wheel(gfx1151_apu()), LD_LIBRARY_PATH="/opt/rocm-7.2.1/lib"))
    assert clear(SHADOW, setting(wheel(gfx1151_apu()), LD_LIBRARY_PATH="/usr/local/lib"))
    assert clear(SHADOW, wheel(gfx1151_apu()))
    unknown = change(wheel(gfx1151_apu()), "rocm", [])
    assert severity(SHADOW, setting(unknown, LD_LIBRARY_PATH="/opt/rocm/lib")) == "degrading"
    of_the_distribution = holding(gfx1151_apu(), "torch==2.14.0", backend="rocm")
    assert clear(SHADOW, setting(of_the_distribution, LD_LIBRARY_PATH="/opt/rocm/lib"))
    not_listed = change(holding(gfx1151_apu(), "torch==2.14.0+rocm7.2"), "rocm", wheel(gfx1151_apu()).rocm)
    assert severity(SHADOW, setting(not_listed, LD_LIBRARY_PATH="/opt/rocm/lib")) == "blocking"
    assert needs(SHADOW, change(wheel(gfx1151_apu()), "environment", told()))


def test_the_loaders_own_list_comes_last_and_is_advice() -> None:
    assert severity(SHADOW, change(wheel(gfx1151_apu()), "ld_so_rocm", ["/opt/rocm-6.3.0/lib"])) == "advice"
    assert clear(SHADOW, change(wheel(gfx1151_apu()), "ld_so_rocm", ["/opt/rocm-7.2.0/lib"]))


def test_an_older_cuda_of_the_same_major_shadows() -> None:
    id = "system-cuda-shadows-wheel-libs"
    facts = holding(rtx4090_desktop(), "torch==2.9.1+cu128", "nvidia-cublas-cu12==12.8.4.1")
    assert severity(id, setting(facts, LD_LIBRARY_PATH="/usr/local/cuda-12.1/lib64")) == "degrading"
    for folder in ("/usr/local/cuda-13.0/lib64", "/usr/local/cuda-12.8/lib64", "/usr/local/cuda/lib64", ""):
        assert clear(id, setting(facts, LD_LIBRARY_PATH=folder))
    assert needs(id, change(facts, "environment", told()))


def test_tuning_that_a_variable_forces_is_found() -> None:
    id = "miopen-exhaustive-tuning"
    assert severity(id, setting(gfx1151_apu(), MIOPEN_FIND_ENFORCE="SEARCH_DB_UPDATE")) == "degrading"
    assert severity(id, setting(gfx1151_apu(), MIOPEN_FIND_ENFORCE="3")) == "degrading"
    assert severity(id, setting(gfx1151_apu(), MIOPEN_FIND_MODE="NORMAL")) == "advice"
    assert clear(id, setting(gfx1151_apu(), MIOPEN_FIND_ENFORCE="1", MIOPEN_FIND_MODE="FAST"))
    assert clear(id, setting(rtx4090_desktop(), MIOPEN_FIND_ENFORCE="3"))
    assert needs(id, change(gfx1151_apu(), "environment", told()))


def test_a_debugging_variable_is_found_where_it_counts() -> None:
    id = "debug-variable-left-on"
    assert found(id, setting(gfx1151_apu(), AMD_SERIALIZE_KERNEL="3")).values["names"] == "AMD_SERIALIZE_KERNEL"
    assert severity(id, setting(rtx4090_desktop(), CUDA_LAUNCH_BLOCKING="1")) == "degrading"
    assert clear(id, setting(rtx4090_desktop(), CUDA_LAUNCH_BLOCKING="0", AMD_SERIALIZE_KERNEL="3"))
    assert clear(id, cpu_only())
    assert needs(id, change(gfx1151_apu(), "environment", told()))


def test_no_variable_troubles_a_healthy_machine() -> None:
    for machine in MACHINES.values():
        for id in (OVERRIDE, HIP, CUDA, "miopen-exhaustive-tuning", "debug-variable-left-on"):
            assert clear(id, machine())
