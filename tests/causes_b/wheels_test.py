"""Causes of the wheel family: found, ruled out, not known, and near misses."""

from __future__ import annotations

import pytest

from tests.causes_b.judging import clear, found, holding, needs, setting, severity, told
from tests.machines_facts import (
    MACHINES,
    change,
    cpu_only,
    dgx_spark,
    gfx1100_desktop,
    gfx1151_apu,
    h100_server,
    mi300x_server,
    rtx4090_desktop,
)

ROCM_10 = ("torch==2.14.0+rocm10.1.0", "rocm==10.1.0", "rocm-sdk-core==10.1.0", "rocm-sdk-libraries==10.1.0")
DEVICE = ("rocm-sdk-device-gfx1151==10.1.0", "amd-torch-device-gfx1151==2.14.0+rocm10.1.0")
WRONG = "torch-wrong-backend-wheel"


@pytest.mark.parametrize("version", ["2.14.1+cpu", "2.14.1+cu130", "2.14.1+xpu", "2.14.1"])
@pytest.mark.parametrize("machine", ["gfx1151-apu", "gfx1100-desktop", "mi300x-server"])
def test_a_torch_that_is_not_for_rocm_is_wrong_on_amd(machine: str, version: str) -> None:
    result = found(WRONG, holding(MACHINES[machine](), f"torch=={version}"))
    assert result.severity is None
    assert version in {one.value for one in result.evidence}
    assert result.values["want"] == "ROCm"
    assert result.remedy[0].argv[:3] == ("uv", "pip", "uninstall")
    assert "/home/user1/env/bin/python" in result.remedy[1].argv


@pytest.mark.parametrize("version", ["2.14.1+cpu", "2.14.0+rocm7.2"])
def test_a_torch_that_is_not_for_cuda_is_wrong_on_nvidia(version: str) -> None:
    result = found(WRONG, holding(rtx4090_desktop(), f"torch=={version}"))
    assert "https://download.pytorch.org/whl/cu130" in result.remedy[1].argv


def test_the_right_torch_is_right() -> None:
    assert clear(WRONG, holding(gfx1151_apu(), "torch==2.14.0+rocm7.2"))
    assert clear(WRONG, holding(rtx4090_desktop(), "torch==2.14.0+cu130"))
    assert clear(WRONG, holding(cpu_only(), "torch==2.14.0+cpu"))
    assert clear(WRONG, gfx1151_apu())


def test_a_machine_with_both_vendors_may_hold_either_build() -> None:
    both = change(gfx1100_desktop(), "gpus", [*gfx1100_desktop().gpus, *rtx4090_desktop().gpus])
    assert clear(WRONG, holding(both, "torch==2.14.0+cu130"))
    assert clear(WRONG, holding(both, "torch==2.14.0+rocm7.2"))
    assert severity(WRONG, holding(both, "torch==2.14.0+cpu")) == "blocking"


def test_an_environment_that_is_not_active_is_advice() -> None:
    facts = holding(gfx1151_apu(), "torch==2.14.0+cpu", active=False)
    assert severity(WRONG, facts) == "advice"
    assert severity(WRONG, holding(facts, "torch==2.14.0+cpu")) == "blocking"


def test_the_display_part_of_a_desktop_processor_asks_for_no_rocm() -> None:
    only = change(gfx1100_desktop(), "gpus", gfx1100_desktop().gpus[1:])
    assert clear(WRONG, holding(only, "torch==2.14.0+cpu"))


def test_an_unknown_backend_is_not_known() -> None:
    facts = holding(gfx1151_apu(), "torch==2.14.0", backend=told("malformed"))
    assert "torch.backend (malformed" in needs(WRONG, facts)[0]


ARCH = "gpu-arch-not-in-rocm-build"


def test_a_build_without_the_target_is_found() -> None:
    facts = holding(gfx1151_apu(), "torch==2.6.0+rocm6.2.4", targets=["gfx90a", "gfx942", "gfx1100"])
    result = found(ARCH, facts)
    assert result.severity is None
    assert any("gfx1100" in one.value for one in result.evidence)
    assert "torch[device-gfx1151]" in result.remedy[1].argv


@pytest.mark.parametrize("targets", [["gfx1151"], ["gfx942", "gfx11-generic"]])
def test_a_native_or_generic_target_serves(targets: list[str]) -> None:
    assert clear(ARCH, holding(gfx1151_apu(), "torch==2.12.0+rocm7.2", targets=targets))


def test_an_override_that_the_build_has_code_for_is_no_missing_target() -> None:
    facts = holding(gfx1151_apu(), "torch==2.6.0+rocm6.2.4", targets=["gfx1100"])
    assert clear(ARCH, setting(facts, HSA_OVERRIDE_GFX_VERSION="11.0.0"))
    assert severity(ARCH, setting(facts, HSA_OVERRIDE_GFX_VERSION="9.0.0")) == "blocking"


def test_an_integrated_gpu_beside_one_that_works_is_another_cause() -> None:
    assert clear(ARCH, holding(gfx1100_desktop(), "torch==2.12.0+rocm7.2", targets=["gfx1100"]))
    assert severity(ARCH, holding(gfx1100_desktop(), "torch==2.12.0+rocm7.2", targets=["gfx942"])) == "blocking"


def test_unknown_targets_are_not_known() -> None:
    facts = holding(gfx1151_apu(), "torch==2.12.0+rocm7.2", targets=told("absent"))
    assert "torch.targets (absent" in needs(ARCH, facts)[0]
    blank = change(holding(gfx1151_apu(), "torch==2.12.0+rocm7.2", targets=["gfx942"]), "gpus.0.target", None)
    assert needs(ARCH, blank) == ("gpus[0].target (not-known)",)


CUDA = "cuda-arch-not-in-torch-build"


def test_a_gpu_newer_than_the_build_is_found() -> None:
    facts = holding(dgx_spark(), "torch==2.9.0+cu126", targets=["sm_80", "sm_90"])
    assert str(found(CUDA, facts).values["gpu"]).startswith("sm_121")
    assert clear(CUDA, holding(dgx_spark(), "torch==2.14.0+cu130", targets=["sm_80", "sm_120"]))


def test_sass_of_a_lower_minor_and_ptx_serve() -> None:
    assert clear(CUDA, holding(rtx4090_desktop(), "torch==2.14.0+cu130", targets=["sm_86"]))
    assert clear(CUDA, holding(dgx_spark(), "torch==2.14.0+cu130", targets=["sm_80", "compute_90"]))


def test_a_gpu_older_than_the_build_is_sent_to_cuda_12_6() -> None:
    old = change(h100_server(), "gpus", [change(h100_server(), "gpus.0.target", "sm_70").gpus[0]])
    result = found(CUDA, holding(old, "torch==2.14.0+cu130", targets=["sm_75", "sm_80", "sm_90"]))
    assert any("https://download.pytorch.org/whl/cu126" in one.argv for one in result.remedy)


DEVICES = "device-wheel-missing"


def test_rocm_10_without_the_device_packages_is_found() -> None:
    result = found(DEVICES, holding(gfx1151_apu(), *ROCM_10))
    assert result.values["package"] == "amd-torch-device-gfx1151"
    assert "torch[device-gfx1151]==2.14.0+rocm10.1.0" in result.remedy[0].argv
    assert "https://stable.repo.amd.com/rocm/whl-next/" in result.remedy[0].argv


def test_device_packages_of_another_gpu_do_not_serve() -> None:
    other = [name.replace("1151", "1100") for name in DEVICE]
    assert severity(DEVICES, holding(gfx1151_apu(), *ROCM_10, *other)) == "blocking"
    assert severity(DEVICES, holding(gfx1151_apu(), *ROCM_10, DEVICE[0])) == "blocking"


@pytest.mark.parametrize("suffix", ["gfx1151", "gfx115x", "all"])
def test_the_packages_of_this_gpu_or_family_serve(suffix: str) -> None:
    packages = [name.replace("gfx1151", suffix) for name in DEVICE]
    assert clear(DEVICES, holding(gfx1151_apu(), *ROCM_10, *packages))


def test_whole_wheels_need_no_device_package() -> None:
    assert clear(DEVICES, holding(gfx1151_apu(), "torch==2.14.0+rocm7.14"))
    assert clear(DEVICES, holding(gfx1151_apu(), "torch==2.12.0+rocm7.2", "pytorch-triton-rocm==3.5.0"))
    assert severity(DEVICES, holding(gfx1151_apu(), "torch==2.12.0+rocm7.14.0")) == "blocking"


def test_the_wheels_of_7_14_come_from_their_own_index() -> None:
    result = found(DEVICES, holding(mi300x_server(), "torch==2.12.0+rocm7.14.1", "rocm-sdk-core==7.14.1"))
    assert "https://repo.amd.com/rocm/whl-multi-arch/" in result.remedy[0].argv


MIXED = "mixed-rocm-index-versions"


@pytest.mark.parametrize(
    "other",
    [
        "torchvision==0.29.0+rocm10.0.0",
        "torchvision==0.29.0",
        "torchvision==0.29.0+cu130",
        "torchaudio==2.11.0+cpu",
        "rocm-sdk-core==7.14.0",
        "rocm==10.0.0",
        "amd-torch-device-gfx1151==2.13.0+rocm10.0.0",
    ],
)
def test_a_part_of_another_rocm_is_found(other: str) -> None:
    result = found(MIXED, holding(gfx1151_apu(), "torch==2.14.0+rocm10.1.0", other))
    assert result.values["other"] == other.replace("==", " ")


@pytest.mark.parametrize(
    ("torch", "others"),
    [
        ("torch==2.14.0+rocm10.1.0", (*ROCM_10[1:], *DEVICE, "torchvision==0.29.0+rocm10.1.0", "torchaudio==2.11.0")),
        ("torch==2.9.1+rocm7.2.0.lw.git7e1940d4", ("torchvision==0.24.0+rocm7.2.0.gitb919bd0c",)),
        ("torch==2.14.0+rocm7.14", ("rocm-sdk-core==7.14.1",)),
        ("torch==2.15.0a0+rocm10.2.0a20260924", ("rocm-sdk-core==10.2.0a20260924",)),
        ("torch==2.14.0+cu130", ("torchvision==0.29.0+rocm7.2",)),
    ],
)
def test_parts_of_one_rocm_go_together(torch: str, others: tuple[str, ...]) -> None:
    assert clear(MIXED, holding(gfx1151_apu(), torch, *others))


def test_nightlies_of_two_days_are_mixed() -> None:
    facts = holding(gfx1151_apu(), "torch==2.15.0a0+rocm10.2.0a20260924", "rocm-sdk-core==10.2.0a20260916")
    assert severity(MIXED, facts) == "blocking"


TRITON = "torch-rocm-triton-mismatch"
VERSION = "triton-version-mismatch"


@pytest.mark.parametrize("tritons", [("triton==3.5.0",), ("triton==3.5.0", "pytorch-triton-rocm==3.5.0")])
def test_plain_triton_under_a_rocm_torch_is_found_once(tritons: tuple[str, ...]) -> None:
    facts = holding(gfx1151_apu(), "torch==2.9.1+rocm6.4", *tritons)
    assert severity(TRITON, facts) == "degrading"
    assert clear(VERSION, facts)


@pytest.mark.parametrize(
    "triton", ["pytorch-triton-rocm==3.5.0", "triton==3.5.1+rocm7.2.0.gita272dfa8", "triton-rocm==3.6.0"]
)
def test_a_triton_for_rocm_fits_a_rocm_torch(triton: str) -> None:
    facts = holding(gfx1151_apu(), "torch==2.9.1+rocm7.2", triton)
    assert clear(TRITON, facts)
    assert clear(VERSION, facts)


def test_the_required_version_counts_where_it_is_known() -> None:
    asked = 'triton==3.5.1 ; platform_system == "Linux"'
    assert severity(VERSION, holding(rtx4090_desktop(), "torch==2.9.1+cu128", "triton==3.4.0", requires_triton=asked))
    assert clear(VERSION, holding(rtx4090_desktop(), "torch==2.9.1+cu128", "triton==3.5.1", requires_triton=asked))
    assert clear(
        VERSION, holding(rtx4090_desktop(), "torch==2.9.1+cu128", "triton==3.4.0", requires_triton="triton>=3")
    )
    rocm = holding(gfx1151_apu(), "torch==2.9.1+rocm6.4", "pytorch-triton-rocm==3.4.0",
                   requires_triton="pytorch_triton_rocm (==3.5.1)")  # fmt: skip
    result = found(TRITON, rocm)
    assert result.remedy[1].argv[-1] == "pytorch-triton-rocm==3.5.1"


def test_two_tritons_over_one_another_are_found() -> None:
    two = ("triton==3.5.1", "triton-nightly==3.6.0")
    assert severity(VERSION, holding(rtx4090_desktop(), "torch==2.9.1+cu128", *two)) == "degrading"
    assert severity(VERSION, holding(rtx4090_desktop(), "torch==2.9.1+cu128", "pytorch-triton-rocm==3.5.0"))


XNACK = "xnack-kpack-mismatch"


def test_code_for_the_other_xnack_mode_is_found() -> None:
    minus = holding(mi300x_server(), "torch==2.12.0+rocm7.2", targets=["gfx942:xnack-", "gfx90a"])
    plus = holding(mi300x_server(), "torch==2.12.0+rocm7.2", targets=["gfx942:sramecc+:xnack+"])
    assert found(XNACK, setting(minus, HSA_XNACK="1")).values["mode"] == "xnack+"
    assert found(XNACK, plus).values["mode"] == "xnack-"
    assert clear(XNACK, minus)
    assert clear(XNACK, setting(plus, HSA_XNACK="1"))


def test_code_for_both_modes_or_neither_serves() -> None:
    for targets in (["gfx942"], ["gfx942:xnack-", "gfx942:xnack+"]):
        facts = holding(mi300x_server(), "torch==2.12.0+rocm7.2", targets=targets)
        assert clear(XNACK, setting(facts, HSA_XNACK="1"))


def test_vision_of_another_release_is_found() -> None:
    id = "torchvision-torch-mismatch"
    result = found(id, holding(rtx4090_desktop(), "torch==2.9.1+cu128", "torchvision==0.23.0+cu128"))
    assert result.values["wanted"] == "0.24"
    assert "torchvision==0.24.*" in result.remedy[0].argv
    assert clear(id, holding(rtx4090_desktop(), "torch==2.9.1+cu128", "torchvision==0.24.1+cu128"))
    assert clear(id, holding(rtx4090_desktop(), "torch==1.13.1", "torchvision==0.14.1"))
    assert clear(id, holding(rtx4090_desktop(), "torch==2.9.1+cu128"))


def test_cudnn_of_the_right_major_must_be_there() -> None:
    id = "cudnn-library-not-found"
    base = ("torch==2.14.0+cu130", "nvidia-cublas==13.0.0.19")
    assert found(id, holding(rtx4090_desktop(), *base)).values["package"] == "nvidia-cudnn-cu13"
    assert found(id, holding(rtx4090_desktop(), *base, "nvidia-cudnn-cu12==9.10.2.21"))
    assert clear(id, holding(rtx4090_desktop(), *base, "nvidia-cudnn-cu13==9.15.0.20"))
    assert clear(id, holding(rtx4090_desktop(), "torch==2.14.0+cu130"))
    assert needs(id, holding(rtx4090_desktop(), *base, backend_version=told()))


def test_no_wheels_on_musl_and_rare_processors() -> None:
    id = "no-wheel-for-platform"
    assert severity(id, change(cpu_only(), "os.libc", "musl")) == "blocking"
    assert found(id, change(cpu_only(), "arch", "riscv64")).values["what"] == "riscv64"
    assert clear(id, dgx_spark())
    assert needs(id, change(cpu_only(), "arch", told()))
