"""The host against a lock's conditions, and what each difference means."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from firstlight.facts.model import Facts, Unknown
from firstlight.host.model import HostKind
from firstlight.lockfile.build import build_of, runs
from firstlight.lockfile.difference import Difference
from firstlight.lockfile.drift_host import host_differences
from firstlight.lockfile.model import HostConditions
from firstlight.project.model import Backend
from firstlight.routes.model import Wheel
from tests.routes.fake_facts import blank, gpu, machine

BOOT = 1_790_000_000.0


def wheels(torch: str, *others: str, tag: str = "manylinux_2_28_x86_64") -> tuple[Wheel, ...]:
    pairs = [("torch", torch), *(tuple(one.split("==")) for one in others)]
    return tuple(
        Wheel(name=name, version=version, filename=f"{name}-{version}-cp312-cp312-{tag}.whl", sha256="a" * 64,
              source="x", url="https://x/y.whl")
        for name, version in pairs
    )  # fmt: skip


def box(kernel: str = "6.8.0-45-generic", amd: str | None = None, os_id: str = "ubuntu", **said: Any) -> Facts:
    facts = machine(**said)
    driver = replace(facts.driver, amd=replace(facts.driver.amd, version=amd or Unknown("absent", "test")))
    running = replace(facts.kernel, release=kernel)
    system = replace(facts.os, id=os_id, version_id="24.04")
    return replace(facts, driver=driver, kernel=running, os=system)


def said(**others: Any) -> HostConditions:
    default: dict[str, Any] = {"arch": "x86_64", "libc": "glibc 2.36", "targets": (), "kernel": "6.8.0-45-generic"}
    return HostConditions(**{**default, **others})


def found(
    conditions: HostConditions, facts: Facts, backend: Backend = "cpu", locked: tuple[Wheel, ...] = ()
) -> list[Difference]:
    return host_differences(conditions, build_of(backend, locked), locked, facts, BOOT)[0]


def one(
    conditions: HostConditions, facts: Facts, backend: Backend = "cpu", locked: tuple[Wheel, ...] = ()
) -> Difference:
    (only,) = found(conditions, facts, backend, locked)
    assert only.effect.en
    assert only.effect.zh
    assert "{" not in only.effect.en + only.effect.zh
    return only


def test_the_machine_that_it_was_locked_on_does_not_differ() -> None:
    assert found(said(driver="580.105.08"), box()) == []
    assert found(said(), box(nvidia=None)) == []
    nameless = box(nvidia=None, gpus=(gpu("amd", None), gpu("intel", None)))
    assert found(said(), nameless) == []


def test_another_architecture() -> None:
    only = one(said(), box(arch="aarch64"))
    assert (only.kind, only.lock, only.host, only.severity) == ("arch", "x86_64", "aarch64", "blocking")


@pytest.mark.parametrize(
    ("here", "severity"),
    [("glibc 2.39", "advice"), ("glibc 2.28", "advice"), ("glibc 2.17", "blocking"), ("musl 1.2.5", "blocking")],
)
def test_another_c_library_is_judged_by_the_tags_of_the_wheels(here: str, severity: str) -> None:
    only = one(said(), box(libc=here), "cpu", wheels("2.14.0+cpu"))
    assert (only.kind, only.severity) == ("libc", severity)
    if severity == "blocking":
        assert "torch-2.14.0+cpu" in only.effect.en


def test_a_newer_kernel_is_told_with_the_time_of_boot() -> None:
    only = one(said(), box("6.14.0-33-generic"))
    assert (only.kind, only.severity, only.since) == ("kernel", "advice", BOOT)


def test_a_kernel_that_a_rocm_is_known_to_break_on() -> None:
    """knowledge/kernels.toml: Strix Halo with the fixes of 6.18.4 and ROCm before 7.2.1."""
    halo: dict[str, Any] = {"nvidia": None, "gpus": (gpu("amd", "gfx1151"),)}
    conditions = said(targets=("gfx1151",), kernel="6.14.0-1018-oem")
    old, new = wheels("2.9.1+rocm7.1.1"), wheels("2.14.0+rocm7.2.2")
    assert one(conditions, box("6.18.4", **halo), "rocm", old).severity == "blocking"
    assert one(conditions, box("6.18.4", **halo), "rocm", new).severity == "advice"
    assert one(conditions, box("6.14.0-33-generic", **halo), "rocm", new).severity in ("degrading", "blocking")


def test_a_kernel_that_does_not_know_the_chip() -> None:
    """knowledge/kernels.toml: gfx950 is absent from the KFD table of 6.12; mainline 6.8 lacks gfx1201."""
    for target, severity in (("gfx950", "blocking"), ("gfx1201", "degrading"), ("gfx1100", "advice")):
        facts = box("6.2.0-30-amd64", nvidia=None, gpus=(gpu("amd", target),))
        only = one(said(targets=(target,)), facts, "rocm", wheels("2.14.0+rocm7.2"))
        assert (only.kind, only.severity) == ("kernel", severity)
        served = replace(facts, gpus=[replace(facts.gpus[0], kfd=True)])
        assert one(said(targets=(target,)), served, "rocm", wheels("2.14.0+rocm7.2")).severity == "advice"
        dkms = replace(facts, driver=replace(facts.driver, amd=replace(facts.driver.amd, version="6.16.6")))
        with_dkms = found(said(targets=(target,), driver="6.16.6"), dkms, "rocm", wheels("2.14.0+rocm7.2"))
        assert [(one.kind, one.severity) for one in with_dkms] == [("kernel", "advice")]


@pytest.mark.parametrize(
    ("here", "severity", "text"),
    [("570.86", "blocking", "580"), ("590.1", "advice", "enough"), (None, "blocking", "no NVIDIA driver")],
)
def test_a_driver_is_judged_by_the_cuda_of_the_lock(here: str | None, severity: str, text: str) -> None:
    facts = box(nvidia=here, gpus=(gpu("nvidia", "sm_90"),))
    conditions = said(driver="580.105.08", targets=("sm_90",))
    only = one(conditions, facts, "cuda", wheels("2.14.0+cu130"))
    assert (only.kind, only.host, only.severity) == ("driver", here, severity)
    assert text in only.effect.en
    default = wheels("2.14.0", "nvidia-cuda-runtime==13.0.88")
    assert one(conditions, facts, "cuda", default).severity == severity
    assert one(conditions, facts, "cpu", wheels("2.14.0+cpu")).severity == "advice"


def test_amds_own_driver() -> None:
    halo: dict[str, Any] = {"nvidia": None, "gpus": (gpu("amd", "gfx942"),)}
    locked = wheels("2.14.0+rocm7.2")
    in_tree, dkms = said(targets=("gfx942",)), said(targets=("gfx942",), driver="6.16.6")
    assert one(in_tree, box(amd="6.16.6", **halo), "rocm", locked).lock is None
    assert one(dkms, box(**halo), "rocm", locked).severity == "degrading"
    assert one(dkms, box(amd="6.16.13", **halo), "rocm", locked).severity == "advice"


@pytest.mark.parametrize(
    ("here", "severity"),
    [
        (("gfx1100",), "advice"),
        (("gfx803",), "blocking"),
        (("gfx1100", "gfx803"), "degrading"),
        ((), "blocking"),
        (("sm_90",), "blocking"),
    ],
)
def test_other_gpus_are_judged_by_the_code_in_the_wheels(here: tuple[str, ...], severity: str) -> None:
    gpus = tuple(gpu("nvidia" if one.startswith("sm") else "amd", one) for one in here)
    only = one(said(targets=("gfx1201",)), box(nvidia=None, gpus=gpus), "rocm", wheels("2.14.0+rocm7.2"))
    assert (only.kind, only.lock, only.host) == ("gpus", "gfx1201", ", ".join(here) or None)
    assert only.severity == severity
    assert one(said(targets=("gfx1201",)), box(nvidia=None, gpus=gpus)).severity == "advice"


def test_device_wheels_say_for_which_chips_a_lock_is() -> None:
    locked = wheels("2.14.0+rocm10.1.0", "amd-torch-device-gfx1151==1", "rocm-sdk-device-gfx1151==1")
    build = build_of("rocm", locked)
    assert build.devices == ("gfx1151",)
    assert [runs(build, one, "x86_64") for one in ("gfx1151", "gfx1151:xnack-", "gfx1100")] == ["yes", "yes", "no"]
    family = build_of("rocm", wheels("2.14.0+rocm10.1.0", "amd-torch-device-gfx115x==1"))
    assert [runs(family, one, "x86_64") for one in ("gfx1150", "gfx1103")] == ["yes", "no"]
    assert runs(build_of("rocm", wheels("2.14.0+rocm10.1.0")), "gfx1151", "x86_64") == "unknown"
    assert runs(build_of("rocm", ()), "gfx1151", "x86_64") == "unknown"


def test_a_build_of_unknown_targets_is_no_verdict() -> None:
    facts = box(nvidia=None, gpus=(gpu("amd", "gfx1100"),))
    only = one(said(targets=("gfx1151",)), facts, "rocm", wheels("2.14.0+rocm10.1.0"))
    assert only.severity == "degrading"
    assert "not known" in only.effect.en


def test_some_gpus_are_gone() -> None:
    facts = box(nvidia=None, gpus=(gpu("amd", "gfx1100"),))
    only = one(said(targets=("gfx1100", "gfx1201")), facts, "rocm", wheels("2.14.0+rocm7.2"))
    assert (only.severity, only.host) == ("degrading", "gfx1100")


def test_what_is_unknown_here_is_a_difference_of_its_own() -> None:
    nothing = blank(Facts)
    blind = replace(
        nothing,
        arch=Unknown("not-captured", "uname"),
        gpus=[],
        origin=replace(nothing.origin, kind=HostKind.TREE, label="x"),
        os=replace(nothing.os, libc=Unknown("not-captured", "/lib")),
        kernel=replace(nothing.kernel, release=Unknown("denied", "/proc/version")),
        driver=replace(nothing.driver, nvidia=replace(nothing.driver.nvidia, version=Unknown("not-captured", "/proc"))),
    )
    several = found(said(driver="580.1", targets=("sm_90",)), blind, "cuda", wheels("2.14.0+cu130"))
    assert {one.kind for one in several} == {"arch", "libc", "kernel", "driver", "gpus"}
    assert all(one.unknown and one.host is None and one.severity == "advice" for one in several)
    assert next(one.unknown for one in several if one.kind == "kernel") == "denied: /proc/version"


def test_a_gpu_without_a_name_may_be_the_one_that_is_missed() -> None:
    facts = box(nvidia=None, gpus=(gpu("amd", None),))
    only = one(said(targets=("gfx1100",)), facts, "rocm", wheels("2.14.0+rocm7.2"))
    assert only.unknown is not None


def test_what_the_lock_does_not_say_is_no_condition() -> None:
    bare = HostConditions(arch="unknown", targets=())
    assert host_differences(bare, build_of("cpu", ()), (), box("9.9", arch="riscv64"), None) == ([], 1)
    assert host_differences(said(driver="1"), build_of("cpu", ()), (), box(), None)[1] == 5
