"""Faults planted in the facts of a healthy machine, by name: what changes, and which cause must then come first."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from firstlight.facts.model import Blacklist, DkmsModule, Facts, Gpu, Group, Library, Node, Unknown
from tests.machines_facts import ABSENT, AMD, NVIDIA, RENDER, VIDEO, changes, environment, node, parameters

NODES = ["/dev/kfd", "/dev/dri", "/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/dxg"]


class Plant(NamedTuple):
    """One fault."""

    cause: str
    machines: tuple[str, ...]
    do: Callable[[Facts], Facts]
    layer: str
    """Faults of one layer exclude each other when two are planted."""
    also: tuple[str, ...] = ()
    """Consequences that must be found, too, under that root."""


def unbound(facts: Facts) -> Facts:
    """No driver serves any GPU, and none is loaded."""
    idle = [msgspec.structs.replace(gpu, driver=None, kfd=None, usable=False, why="no-driver", node=None,
                                    render_node=None, card_node=None) for gpu in facts.gpus]  # fmt: skip
    return changes(
        facts,
        gpus=idle,
        driver__amd=msgspec.structs.replace(facts.driver.amd, loaded=False, kfd=False, kind=ABSENT, version=ABSENT),
        driver__nvidia=msgspec.structs.replace(facts.driver.nvidia, loaded=False, version=ABSENT, uvm=False),
        access__nodes=[],
        access__absent=NODES,
        modules__loaded=[],
    )


def loaded_for_nothing(facts: Facts) -> Facts:
    """The driver is loaded, and no GPU is bound to it."""
    bare = unbound(facts)
    vendor = facts.gpus[0].vendor
    return changes(bare, **{f"driver__{vendor}": getattr(facts.driver, vendor)})


def bound_to(driver: str) -> Callable[[Facts], Facts]:
    """All GPUs are held by that driver."""

    def do(facts: Facts) -> Facts:
        bare = unbound(facts)
        held = [msgspec.structs.replace(gpu, driver=driver, why=f"bound-to-{driver}") for gpu in bare.gpus]
        return changes(bare, gpus=held)

    return do


def nodes_with(facts: Facts, *, can_open: bool | Unknown = False, **values: int) -> list[Node]:
    """The machine's device nodes, with another owner or mode."""
    return [msgspec.structs.replace(one, can_open=can_open, **values) for one in facts.access.nodes]


def nomodeset(facts: Facts) -> Facts:
    return changes(unbound(facts), kernel__cmdline=parameters("ro", "quiet", "nomodeset"))


def blacklisted(facts: Facts) -> Facts:
    return changes(unbound(facts), modules__blacklisted=[Blacklist(module="amdgpu", file="/etc/modprobe.d/no.conf")])


def secure_boot(facts: Facts) -> Facts:
    name = "amdgpu" if facts.gpus[0].vendor == "amd" else "nvidia"
    release = str(facts.kernel.release)
    return changes(
        unbound(facts), kernel__secure_boot=True, modules__unsigned_dkms=[name],
        modules__dkms=[DkmsModule(name=name, version="590.48.01", kernels=[release])],
    )  # fmt: skip


def headers(facts: Facts) -> Facts:
    name = "amdgpu" if facts.gpus[0].vendor == "amd" else "nvidia"
    dkms = [DkmsModule(name=name, version="590.48.01", kernels=["6.1.0-1"])]
    return changes(unbound(facts), kernel__headers=False, modules__dkms=dkms)


def not_built(facts: Facts) -> Facts:
    return changes(headers(facts), kernel__headers=True)


def old_kernel(facts: Facts) -> Facts:
    return changes(loaded_for_nothing(facts), kernel__release="5.15.0-91-generic", driver__amd__kind="in-tree",
                   driver__amd__version=ABSENT, modules__dkms=[])  # fmt: skip


def no_permission(facts: Facts) -> Facts:
    return changes(
        facts,
        access__nodes=nodes_with(facts),
        access__groups=[1000],
        access__group_database=[
            Group(name="render", gid=RENDER, members=[]),
            Group(name="video", gid=VIDEO, members=[]),
        ],
    )


def not_logged_in(facts: Facts) -> Facts:
    return changes(facts, access__nodes=nodes_with(facts), access__groups=[1000])


def container(facts: Facts) -> Facts:
    return changes(facts, container__kind="docker", access__nodes=[], access__absent=NODES)


def wrong_gid(facts: Facts) -> Facts:
    image = [Group(name="render", gid=109, members=["user1"])]
    return changes(
        facts, container__kind="docker", access__nodes=nodes_with(facts), access__groups=[1000, 109],
        access__group_database=image,
    )  # fmt: skip


def rootless(facts: Facts) -> Facts:
    return changes(
        facts, container__kind="podman", container__rootless=True, access__groups=[0], access__uid=0,
        access__nodes=nodes_with(facts, gid=65534, uid=65534),
    )  # fmt: skip


def lxc(facts: Facts) -> Facts:
    return changes(
        facts, container__kind="lxc", access__nodes=nodes_with(facts, gid=VIDEO), access__groups=[1000, RENDER],
        access__group_database=[Group(name="render", gid=RENDER, members=["user1"])],
    )  # fmt: skip


def mismatch(facts: Facts) -> Facts:
    return changes(facts, driver__nvidia__libraries=[
        Library(path=f"/usr/lib/x86_64-linux-gnu/{name}.595.71.05", version="595.71.05")
        for name in ("libcuda.so", "libnvidia-ml.so")
    ])  # fmt: skip


def old_driver(facts: Facts) -> Facts:
    libraries = [Library(path="/usr/lib/x86_64-linux-gnu/libcuda.so.535.161.07", version="535.161.07")]
    return changes(
        facts, driver__nvidia__version="535.161.07", driver__nvidia__libraries=libraries,
        python__environments=[environment("2.14.1+cu130", "cuda", "13.0", targets=["sm_89", "sm_90", "sm_120"])],
    )  # fmt: skip


def no_uvm(facts: Facts) -> Facts:
    left = [one for one in facts.access.nodes if one.path != "/dev/nvidia-uvm"]
    return changes(facts, access__nodes=left, access__absent=[*facts.access.absent, "/dev/nvidia-uvm"],
                   driver__nvidia__uvm=False)  # fmt: skip


def translated(facts: Facts) -> Facts:
    return changes(facts, kernel__cmdline=parameters("ro", "quiet"))


def rocm_of_last_year(facts: Facts) -> Facts:
    return changes(facts, python__environments=[environment("2.10.0+rocm7.1", "rocm", "7.1", targets=["gfx1151"])])


def kernel_without_fix(facts: Facts) -> Facts:
    return changes(facts, kernel__release="6.14.0-29-generic")


def dkms_on_apu(facts: Facts) -> Facts:
    return changes(facts, driver__amd__kind="dkms", driver__amd__version="6.12.12",
                   firmware__dkms_package="1:6.12.12.60403")  # fmt: skip


def not_in_kfd(facts: Facts) -> Facts:
    left_out: list[Gpu] = [
        msgspec.structs.replace(gpu, kfd=False, usable=False, why="not-in-kfd", node=None) for gpu in facts.gpus
    ]
    return changes(facts, gpus=left_out)


def no_kfd(facts: Facts) -> Facts:
    left = [one for one in facts.access.nodes if one.path != "/dev/kfd"]
    return changes(not_in_kfd(facts), driver__amd__kfd=False, access__nodes=left,
                   access__absent=[*facts.access.absent, "/dev/kfd"])  # fmt: skip


def nvidia_group(facts: Facts) -> Facts:
    shut = [node(one.path, VIDEO, 0o660, can_open=False) for one in facts.access.nodes]
    database = [Group(name="video", gid=VIDEO, members=[])]
    return changes(facts, access__nodes=shut, access__groups=[1000], access__group_database=database)


def proprietary(facts: Facts) -> Facts:
    return changes(loaded_for_nothing(facts), driver__nvidia__open=False)


PLANTS: dict[str, Plant] = {
    "nomodeset": Plant("nomodeset-blocks-amdgpu", AMD, nomodeset, "driver", ("amdgpu-driver-not-loaded",)),
    "blacklisted": Plant("amdgpu-blacklisted", AMD, blacklisted, "driver", ("amdgpu-driver-not-loaded",)),
    "amdgpu-not-loaded": Plant("amdgpu-driver-not-loaded", AMD[:2], unbound, "driver"),
    "amdgpu-in-vain": Plant("amdgpu-probe-failed", AMD[1:], loaded_for_nothing, "driver"),
    "nvidia-not-loaded": Plant("nvidia-driver-not-loaded", NVIDIA, unbound, "driver"),
    "nvidia-in-vain": Plant("nvidia-probe-failed", NVIDIA, loaded_for_nothing, "driver"),
    "secure-boot": Plant("secure-boot-unsigned-module", NVIDIA, secure_boot, "driver", ("nvidia-driver-not-loaded",)),
    "secure-boot-amd": Plant("secure-boot-unsigned-module", AMD, secure_boot, "driver", ("amdgpu-driver-not-loaded",)),
    "headers": Plant("kernel-headers-missing", NVIDIA, headers, "driver", ("nvidia-driver-not-loaded",)),
    "not-built": Plant("dkms-build-fails-new-kernel", NVIDIA, not_built, "driver", ("nvidia-driver-not-loaded",)),
    "nouveau": Plant("gpu-bound-to-other-driver", NVIDIA, bound_to("nouveau"), "driver", ("nvidia-driver-not-loaded",)),
    "vfio": Plant("gpu-bound-to-other-driver", (*AMD, *NVIDIA), bound_to("vfio-pci"), "driver"),
    "old-kernel": Plant("kernel-too-old-for-gpu", AMD, old_kernel, "driver", ("amdgpu-probe-failed",)),
    "not-in-kfd": Plant("gpu-unsupported-by-kfd", AMD, not_in_kfd, "driver"),
    "no-kfd": Plant("kernel-without-kfd", AMD, no_kfd, "driver"),
    "proprietary": Plant("nvidia-module-flavour-mismatch", ("dgx-spark",), proprietary, "driver",
                         ("nvidia-probe-failed",)),
    "mismatch": Plant("nvidia-driver-library-mismatch", NVIDIA, mismatch, "library"),
    "old-driver": Plant("nvidia-driver-too-old", NVIDIA[:2], old_driver, "library"),
    "no-uvm": Plant("nvidia-uvm-missing", NVIDIA, no_uvm, "access"),
    "permission": Plant("kfd-permission-render-group", AMD, no_permission, "access"),
    "login": Plant("group-not-effective-until-login", AMD, not_logged_in, "access", ("kfd-permission-render-group",)),
    "nvidia-group": Plant("nvidia-device-permission", NVIDIA, nvidia_group, "access"),
    "container": Plant("container-missing-gpu-devices", (*AMD, *NVIDIA), container, "access"),
    "wrong-gid": Plant("container-render-gid-mismatch", AMD, wrong_gid, "access", ("kfd-permission-render-group",)),
    "rootless": Plant("rootless-container-groups-dropped", AMD, rootless, "access", ("kfd-permission-render-group",)),
    "lxc": Plant("lxc-device-gid-wrong", AMD, lxc, "access", ("kfd-permission-render-group",)),
    "translated": Plant("iommu-breaks-gpu-p2p", ("mi300x-server",), translated, "iommu"),
    "old-rocm": Plant("kfd-vgpr-cwsr-mismatch", ("gfx1151-apu",), rocm_of_last_year, "kernel"),
    "no-fix": Plant("kfd-vgpr-cwsr-mismatch", ("gfx1151-apu",), kernel_without_fix, "kernel"),
    "dkms": Plant("amdgpu-dkms-over-intree", ("gfx1151-apu",), dkms_on_apu, "kernel"),
}  # fmt: skip
