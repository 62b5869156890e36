"""Bare trees: the smallest change that plants a fault is enough, and what was not captured proves nothing."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from firstlight.causes import diagnose
from firstlight.causes.model import Finding
from firstlight.facts import collect
from firstlight.host import open_host
from tests.planted.builder import FIXTURES
from tests.planted.tree import BANNER, Tree

pytestmark = pytest.mark.skipif(not FIXTURES.is_dir(), reason="the shared fixtures are not beside the project")
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root may make device nodes")

APU, NAVI, SERVER, LAPTOP = (
    "kfd/phoenix-gfx1103",
    "drm/rx7900xtx",
    "kfd/mi300x-x8-cpx",
    "udev/hp-elitebook-835-13-inch-g10",
)
AMD = (APU, NAVI, SERVER, LAPTOP)
ADA, VOLTA, AMPERE, BUS = (
    "drm/nvidia-rtx4080",
    "udev/nvidia-dgx-station",
    "nvidia-proc/rtx3090-590",
    "machines/system76-addw4",
)
NVIDIA = (ADA, VOLTA, AMPERE, BUS)
Plant = tuple[str, str, tuple[str, ...], Callable[[Tree], object]]
"""Name, cause, captures it goes into, the change."""

PLANTS: list[Plant] = [
    ("nomodeset", "nomodeset-blocks-amdgpu", AMD, lambda t: t.cmdline("quiet nomodeset")),
    ("modeset-0", "nomodeset-blocks-amdgpu", AMD, lambda t: t.cmdline("amdgpu.modeset=0")),
    ("nomodeset-unbound", "nomodeset-blocks-amdgpu", (APU, NAVI, LAPTOP),
     lambda t: t.bound(None).remove("/sys/class/kfd").modules("ext4").cmdline("nomodeset")),
    ("blacklist", "amdgpu-blacklisted", AMD, lambda t: t.write("/etc/modprobe.d/no.conf", "blacklist amdgpu\n")),
    ("blacklist-boot", "amdgpu-blacklisted", AMD, lambda t: t.cmdline("module_blacklist=amdgpu")),
    ("not-loaded", "amdgpu-driver-not-loaded", (APU, NAVI, LAPTOP),
     lambda t: t.bound(None).remove("/sys/class/kfd").modules("ext4")),
    ("vfio", "gpu-bound-to-other-driver", (APU, NAVI, LAPTOP, ADA, VOLTA), lambda t: t.bound("vfio-pci")),
    ("nouveau", "gpu-bound-to-other-driver", (ADA, VOLTA), lambda t: t.bound("nouveau")),
    ("nouveau-loaded", "gpu-bound-to-other-driver", (ADA, VOLTA, BUS), lambda t: t.modules("nouveau", "drm")),
    ("unsigned", "secure-boot-unsigned-module", NVIDIA, lambda t: t.secure_boot().built("nvidia")),
    ("unsigned-amd", "secure-boot-unsigned-module", (NAVI, SERVER), lambda t: t.secure_boot().built("amdgpu")),
    ("old-kernel", "kernel-too-old-for-gpu", (APU, NAVI, LAPTOP), lambda t: t.kernel("5.15.0-100-generic")),
    ("dkms", "amdgpu-dkms-over-intree", (APU,), lambda t: t.built("amdgpu")),
    ("dkms-loaded", "amdgpu-dkms-over-intree", (APU,), lambda t: t.write("/sys/module/amdgpu/version", "6.12.12\n")),
    ("library", "nvidia-driver-library-mismatch", NVIDIA,
     lambda t: t.write("/proc/driver/nvidia/version", BANNER.format("580.95.05"))
     .write("/usr/lib/x86_64-linux-gnu/libcuda.so.570.133.07")),
    ("old-driver", "nvidia-driver-too-old", (ADA, AMPERE, BUS),
     lambda t: t.write("/proc/driver/nvidia/version", BANNER.format("535.183.01")).packages("torch==2.9.1+cu130")),
    ("cpu-torch", "torch-wrong-backend-wheel", (*AMD, *NVIDIA), lambda t: t.packages("torch==2.9.1+cpu")),
    ("cuda-torch", "torch-wrong-backend-wheel", AMD, lambda t: t.packages("torch==2.9.1+cu128")),
    ("rocm-torch", "torch-wrong-backend-wheel", NVIDIA, lambda t: t.packages("torch==2.9.1+rocm6.4")),
    ("old-rocm", "gpu-arch-not-in-rocm-build", (APU, LAPTOP), lambda t: t.packages("torch==2.5.1+rocm6.2")),
    ("volta", "cuda-arch-not-in-torch-build", (VOLTA,), lambda t: t.packages("torch==2.9.1+cu130")),
    ("no-device-code", "device-wheel-missing", AMD,
     lambda t: t.packages("torch==2.10.0+rocm10.1.0", "rocm==10.1.0", "rocm-sdk-core==10.1.0")),
    ("mixed", "mixed-rocm-index-versions", AMD,
     lambda t: t.packages("torch==2.9.1+rocm6.4", "torchvision==0.24.1+rocm7.0")),
    ("shadowed", "system-rocm-shadows-wheel-libs", (NAVI, SERVER),
     lambda t: t.packages("torch==2.10.0+rocm7.1").set(LD_LIBRARY_PATH="/opt/rocm-6.2.0/lib")),
    ("override", "hsa-override-wrong", AMD, lambda t: t.set(HSA_OVERRIDE_GFX_VERSION="10.3.0")),
    ("override-text", "hsa-override-wrong", AMD, lambda t: t.set(HSA_OVERRIDE_GFX_VERSION="gfx1100")),
    ("hip", "hip-visible-devices-hides-gpu", AMD, lambda t: t.set(HIP_VISIBLE_DEVICES="-1")),
    ("rocr", "hip-visible-devices-hides-gpu", AMD, lambda t: t.set(ROCR_VISIBLE_DEVICES="")),
    ("cuda", "cuda-visible-devices-hides-gpu", NVIDIA, lambda t: t.set(CUDA_VISIBLE_DEVICES="-1")),
    ("cuda-amd", "cuda-visible-devices-hides-gpu", AMD, lambda t: t.set(CUDA_VISIBLE_DEVICES="")),
    ("gtt", "apu-gtt-limit-too-low", (APU,), lambda t: t.write("/proc/meminfo", "MemTotal: 131072000 kB\n")),
    ("carve-out", "uma-carveout-too-small", (APU,),
     lambda t: t.kernel("6.8.0-60-generic").write("/proc/meminfo", "MemTotal: 64000000 kB\n")
     .write("/sys/class/drm/card1/device/mem_info_vram_total", f"{512 << 20}\n")),
]  # fmt: skip

NODES: list[Plant] = [
    ("no-group", "kfd-permission-render-group", AMD, lambda t: t.nodes(gid=992).user(1000, 44).groups("")),
    ("kfd-alone", "kfd-permission-render-group", AMD, lambda t: t.node("/dev/kfd", gid=992).user(1000, 27)),
    ("root-only", "kfd-permission-render-group", AMD, lambda t: t.nodes(gid=0, mode=0o600).user(1000, 44, 992)),
    ("login", "group-not-effective-until-login", AMD, lambda t: t.nodes(gid=992).user(1000).groups()),
    ("image-group", "container-render-gid-mismatch", AMD,
     lambda t: t.nodes(gid=992).user(1000, 44, 109).groups(number=109).write("/.dockerenv")),
    ("rootless", "rootless-container-groups-dropped", AMD,
     lambda t: t.nodes(gid=65534, uid=65534).user(0, uid=0).write("/run/.containerenv")
     .write("/proc/self/uid_map", "0 1000 1\n1 100000 65536\n")),
    ("lxc", "lxc-device-gid-wrong", AMD,
     lambda t: t.nodes(gid=104).user(1000, 44, 992).groups().set(container="lxc")),
    ("nvidia", "nvidia-device-permission", NVIDIA,
     lambda t: t.node("/dev/nvidiactl", gid=0, mode=0o600).node("/dev/nvidia0", gid=0, mode=0o600).user(1000)),
]  # fmt: skip

GROUPS = {"ubuntu": (992, 44), "debian": (105, 44), "fedora": (105, 39), "arch": (989, 985)}
"""Numbers of render and video."""


def found(tree: Tree) -> list[Finding]:
    """What is found on it, best first."""
    return [one for one in diagnose(collect(open_host(str(tree.root)))) if one.verdict == "found"]


def cases(plants: list[Plant]) -> list[object]:
    """(capture, cause, change) of every plant, named."""
    return [
        pytest.param(capture, cause, change, id=f"{name}-{capture.partition('/')[2]}")
        for name, cause, captures, change in plants
        for capture in captures
    ]


def healthy(root: Path, capture: str, distribution: str = "ubuntu") -> Tree:
    """The capture with all that a healthy machine of the distribution has in files."""
    render, video = GROUPS[distribution]
    tree = Tree(root, capture).kernel("6.18.9-generic").cmdline("quiet splash iommu=pt")
    tree.write("/etc/os-release", f"ID={distribution}\n").user(1000, video, render).set(HOME="/home/user1")
    tree.write("/etc/group", f"root:x:0:\nvideo:x:{video}:user1\nrender:x:{render}:user1\nuser1:x:1000:\n")
    tree.write("/proc/self/uid_map", "0 0 4294967295\n").write("/proc/1/cgroup", "0::/init.scope\n")
    tree.write("/proc/meminfo", "MemTotal: 65000000 kB\n").modules("amdgpu", "ttm", "nvidia", "nvidia_uvm")
    for minor in range(128, 131):
        tree.node(f"/dev/dri/renderD{minor}", gid=render)
    if capture in AMD:
        return tree.node("/dev/kfd", gid=render).node("/dev/dri/card1", gid=video)
    for name in ("nvidia0", "nvidiactl", "nvidia-uvm"):
        tree.node(f"/dev/{name}", gid=0, mode=0o666)
    version = "590.48.01"
    tree.write("/usr/lib/x86_64-linux-gnu/libcuda.so.590.48.01")
    return tree.write("/proc/driver/nvidia/version", BANNER.format(version))


@pytest.mark.parametrize(("capture", "cause", "change"), cases(PLANTS))
def test_the_smallest_change_is_enough(
    capture: str, cause: str, change: Callable[[Tree], object], tmp_path: Path
) -> None:
    tree = Tree(tmp_path / "root", capture)
    change(tree)
    assert [one.id for one in found(tree)][:1] == [cause]


@AS_ROOT
@pytest.mark.parametrize(("capture", "cause", "change"), cases(NODES))
def test_owner_and_mode_of_true_nodes(
    capture: str, cause: str, change: Callable[[Tree], object], tmp_path: Path
) -> None:
    tree = Tree(tmp_path / "root", capture)
    change(tree)
    assert [one.id for one in found(tree)][:1] == [cause]


@pytest.mark.parametrize(
    "capture", sorted(str(path.parent.relative_to(FIXTURES)) for path in FIXTURES.glob("*/*/root"))
)
def test_a_capture_as_it_is_blocks_nothing(capture: str, tmp_path: Path) -> None:
    assert [one.id for one in found(Tree(tmp_path / "root", capture)) if one.severity == "blocking"] == []


@AS_ROOT
@pytest.mark.parametrize("distribution", GROUPS)
@pytest.mark.parametrize("capture", [*AMD, *NVIDIA])
def test_a_healthy_machine_of_every_distribution(capture: str, distribution: str, tmp_path: Path) -> None:
    tree = healthy(tmp_path / "root", capture, distribution)
    assert [one.id for one in found(tree) if one.severity != "advice"] == []


@AS_ROOT
@pytest.mark.parametrize("capture", [APU, NAVI, SERVER, VOLTA, AMPERE])
def test_what_is_left_out_of_a_healthy_tree_proves_nothing(capture: str, tmp_path: Path) -> None:
    tree = healthy(tmp_path / "root", capture)
    parts = [path for path in tree.root.rglob("*") if not path.is_relative_to(tree.root / "sys")]
    for part in [*parts, *(path for path in (tree.root / "sys", tree.root / "sys/class/kfd") if path.exists())]:
        part.rename(tmp_path / "aside")
        assert [(str(part), one.id) for one in found(tree) if one.severity != "advice"] == []
        (tmp_path / "aside").rename(part)


def test_a_gpu_whose_kfd_node_was_not_captured_is_not_left_out(tmp_path: Path) -> None:
    tree = Tree(tmp_path / "root", APU, NAVI).set(HOME="/home/user1")
    assert found(tree) == []
    both = Tree(tmp_path / "both", APU, "kfd/rx9070xt-gfx1201").set(HOME="/home/user1")
    assert [one.id for one in found(both)] == ["igpu-visible-to-hip"]


@AS_ROOT
def test_a_container_that_was_started_rightly(tmp_path: Path) -> None:
    passed = healthy(tmp_path / "docker", APU).write("/.dockerenv").groups(number=109)
    assert [one.id for one in found(passed) if one.severity == "blocking"] == []
    kept = healthy(tmp_path / "podman", APU).user(0, 65534, uid=0).write("/run/.containerenv", "rootless=1\n")
    kept.write("/proc/self/uid_map", "0 1000 1\n1 100000 65536\n").nodes(gid=65534, uid=65534)
    assert [one.id for one in found(kept) if one.severity == "blocking"] == []
