"""The amdgpu kernel driver."""

from __future__ import annotations

from ..host.model import Host
from .model import AmdDriver, Modules
from .reading import names_in, parameters, present, string
from .value import Fact, Unknown

MODULE = "/sys/module/amdgpu"
KFD = "/sys/class/kfd/kfd"


def amd_driver(host: Host, modules: Modules, release: Fact[str]) -> AmdDriver:
    """Loaded or not, which one, its parameters."""
    kfd = present(host, KFD)
    loaded = _loaded(host, modules, kfd)
    version = string(host, f"{MODULE}/version")
    return AmdDriver(
        loaded=loaded,
        version=version,
        kind=_kind(host, version, release, loaded),
        kfd=kfd,
        parameters=parameters(host, "amdgpu"),
    )


def _loaded(host: Host, modules: Modules, kfd: Fact[bool]) -> Fact[bool]:
    """Only amdgpu makes the KFD class, so a KFD proves it where /sys/module was not captured."""
    folder = present(host, MODULE)
    if folder is True or kfd is True or (not isinstance(modules.loaded, Unknown) and "amdgpu" in modules.loaded):
        return True
    return folder


def _kind(host: Host, version: Fact[str], release: Fact[str], loaded: Fact[bool]) -> Fact[str]:
    """`dkms` if the module bears a version (the kernel's own has none) or DKMS put a file before the kernel's own."""
    if not isinstance(version, Unknown):
        return "dkms"
    if not isinstance(release, Unknown):
        files = names_in(host, f"/lib/modules/{release}/updates/dkms")
        if any(name.startswith("amdgpu.ko") for name in files):
            return "dkms"
    if loaded is True and version.unknown == "absent":
        return "in-tree"
    return version
