"""Whether a container is in the way, and how it has to be started to see the GPU."""

from __future__ import annotations

from ..facts.model import Facts, Unknown
from ..words import Words

SESSIONS = ("lxc", "systemd-nspawn")
"""Containers that users log in to, like machines."""


def in_container(facts: Facts) -> bool:
    """Whether it is known that facts are seen from inside one."""
    kind = facts.container.kind
    return not isinstance(kind, Unknown) and kind != "none"


def kind(facts: Facts) -> str:
    """Its kind; empty if not known."""
    return facts.container.kind if isinstance(facts.container.kind, str) else ""


def amd_start(facts: Facts, gid: int | None = None) -> Words:
    """How to start this kind of container with AMD's nodes; `gid`: the owner's number, as seen on the nodes."""
    group = f"--group-add {gid}" if gid is not None else "--group-add $(stat -c %g /dev/kfd)"
    flags = {
        "podman": "--device /dev/kfd --device /dev/dri --group-add keep-groups",
        "kubernetes": "resources.limits: amd.com/gpu: 1",
        "lxc": "dev0: /dev/kfd,gid=N,mode=0660 / dev1: /dev/dri/renderD128,gid=N,mode=0660",
        "apptainer": "apptainer exec --rocm",
        "systemd-nspawn": "--bind=/dev/kfd --bind=/dev/dri --property=DeviceAllow='char-drm rw'",
    }.get(kind(facts), f"--device /dev/kfd --device /dev/dri {group}")
    return Words(
        f"On the host, start the container with: {flags}",
        f"在主机上用以下参数启动容器：{flags}",
    )


def nvidia_start(facts: Facts) -> Words:
    """How to start this kind of container with NVIDIA's nodes."""
    flags = {
        "podman": "--device nvidia.com/gpu=all",
        "kubernetes": "resources.limits: nvidia.com/gpu: 1",
        "lxc": "lxc config device add NAME gpu gpu; nvidia.runtime=true",
        "apptainer": "apptainer exec --nv",
        "systemd-nspawn": "--bind=/dev/nvidia0 --bind=/dev/nvidiactl --bind=/dev/nvidia-uvm",
    }.get(kind(facts), "--gpus all")
    return Words(
        f"On the host, start the container with: {flags} (docker and podman need nvidia-container-toolkit)",
        f"在主机上用以下参数启动容器：{flags}（docker 和 podman 需要 nvidia-container-toolkit）",
    )
