"""Whether facts are seen from inside a container, and what it allows."""

from __future__ import annotations

from ..host.model import Host, Unread
from .cgroups import memory_limit
from .model import Container
from .mounts import container_by_mounts, mounts, starts_from_a_disk
from .reading import present, string
from .value import Fact, Unknown, unknown

DOCKER = "/.dockerenv"
MARKERS = (
    ("/run/secrets/kubernetes.io", "kubernetes"),
    ("/var/run/secrets/kubernetes.io", "kubernetes"),
    ("/.singularity.d", "apptainer"),
    ("/run/.containerenv", "podman"),
    (DOCKER, "docker"),
    ("/dev/lxd/sock", "lxc"),
    ("/dev/incus/sock", "lxc"),
)
"""Files that engines leave inside, surest first: a pod of Docker's or CRI-O's has the others' as well."""
USUAL = ("/run/.containerenv", DOCKER)
"""Those that must be known not to be there before it may be said that this is no container."""

GROUP_WORDS = (
    ("kubepods", "kubernetes"), ("libpod", "podman"), ("docker", "docker"), ("lxc.payload", "lxc"), ("/lxc/", "lxc"),
    ("machine.slice/machine-", "systemd-nspawn"), ("containerd", "other"), ("garden", "other"),
)  # fmt: skip
"""Parts of a path in /proc/1/cgroup."""

SELF_NAMES = {
    "docker": "docker", "podman": "podman", "oci": "other", "lxc": "lxc", "lxc-libvirt": "lxc",
    "systemd-nspawn": "systemd-nspawn", "wsl": "none",
}  # fmt: skip
"""What /run/systemd/container and the variable `container` hold (systemd's container interface)."""


def container(host: Host) -> Container:
    """Kind of container, user namespace, shared memory, memory limit."""
    return Container(
        kind=_kind(host),
        rootless=_rootless(host),
        shm_bytes=_shared_memory(host),
        memory_limit_bytes=memory_limit(host),
    )


def _kind(host: Host) -> Fact[str]:
    """`none` only where the usual marks are known not to be there. Docker's mark does not count on a machine whose
    whole disk was made from an image."""
    mounted = mounts(host)
    failed: Unknown | None = None
    for path, kind in MARKERS:
        there = present(host, path)
        if there is True and not (path == DOCKER and starts_from_a_disk(mounted)):
            return kind
        if isinstance(there, Unknown) and path in USUAL:
            failed = failed or there
    groups = string(host, "/proc/1/cgroup")
    return _named(host) or container_by_mounts(mounted) or _by_groups(groups) or failed or _none(groups)


def _by_groups(groups: Fact[str]) -> str | None:
    if isinstance(groups, Unknown):
        return None
    return next((kind for word, kind in GROUP_WORDS if word in groups), None)


def _none(groups: Fact[str]) -> Fact[str]:
    return groups if isinstance(groups, Unknown) and groups.unknown != "absent" else "none"


def _named(host: Host) -> str | None:
    environment = host.environment()
    if not isinstance(environment, Unread):
        if "KUBERNETES_SERVICE_HOST" in environment:
            return "kubernetes"
        if "APPTAINER_CONTAINER" in environment or "SINGULARITY_CONTAINER" in environment:
            return "apptainer"
        if environment.get("container"):
            return SELF_NAMES.get(environment["container"], "other")
    word = string(host, "/run/systemd/container")
    return None if isinstance(word, Unknown) or not word else SELF_NAMES.get(word, "other")


def _rootless(host: Host) -> Fact[bool]:
    """The machine's own user namespace maps every id to itself (user_namespaces(7))."""
    found = string(host, "/proc/self/uid_map")
    return found if isinstance(found, Unknown) else found.split() != ["0", "0", "4294967295"]


def _shared_memory(host: Host) -> Fact[int]:
    info = host.info("/dev/shm")  # noqa: S108 - asked about, never written to
    if isinstance(info, Unread):
        return unknown(info)
    room = host.space("/dev/shm")  # noqa: S108
    return unknown(room) if isinstance(room, Unread) else room.total
