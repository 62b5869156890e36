"""WSL and virtual machines."""

from __future__ import annotations

from ..host.model import Host
from .model import Virtual
from .processor import Processor
from .reading import present, string
from .value import Fact, Unknown

INTEROP = ("/proc/sys/fs/binfmt_misc/WSLInterop", "/proc/sys/fs/binfmt_misc/WSLInterop-late")
MAKERS = (
    ("qemu", "kvm"), ("kvm", "kvm"), ("amazon ec2", "kvm"), ("google compute engine", "kvm"), ("openstack", "kvm"),
    ("firecracker", "kvm"), ("alibaba cloud ecs", "kvm"), ("vmware", "vmware"), ("virtual machine", "hyperv"),
    ("xen", "xen"), ("hvm domu", "xen"), ("virtualbox", "other"), ("parallels", "other"), ("bhyve", "other"),
)  # fmt: skip
"""Words in DMI's vendor and product, lower case, for what runs the machine."""


def virtual(host: Host, processor: Processor) -> Virtual:
    """WSL by its kernel, a hypervisor by DMI, Xen's own files or the processor's flag."""
    banner = string(host, "/proc/version")
    wsl = _wsl(host, banner)
    return Virtual(
        wsl=wsl,
        wsl_version=_wsl_version(wsl, banner),
        hypervisor="hyperv" if wsl is True else _hypervisor(host, processor),
    )


def _wsl(host: Host, banner: Fact[str]) -> Fact[bool]:
    """Microsoft's kernels name it; under a kernel of one's own the interop handler tells."""
    if not isinstance(banner, Unknown) and "microsoft" in banner.lower():
        return True
    handlers = [present(host, path) for path in INTEROP]
    if True in handlers:
        return True
    return banner if isinstance(banner, Unknown) else False


def _wsl_version(wsl: Fact[bool], banner: Fact[str]) -> Fact[int]:
    """WSL 1 has no Linux kernel and says `4.4.0-NNNNN-Microsoft`; WSL 2's ends in `microsoft-standard-WSL2`."""
    if isinstance(wsl, Unknown):
        return wsl
    if not wsl:
        return Unknown("absent", "/proc/version", "not WSL")
    return 1 if isinstance(banner, str) and "-Microsoft " in banner + " " else 2


def _hypervisor(host: Host, processor: Processor) -> Fact[str]:
    words = [string(host, f"/sys/class/dmi/id/{name}") for name in ("sys_vendor", "product_name")]
    known = " ".join(word for word in words if not isinstance(word, Unknown)).lower()
    if ".metal" in known:  # a whole machine of a cloud
        return "none"
    for word, kind in MAKERS:
        if word in known:
            return kind
    if string(host, "/sys/hypervisor/type") == "xen":
        return "xen"
    if processor.hypervisor is not None:
        return "other" if processor.hypervisor else "none"
    return "none" if known else next((word for word in words if isinstance(word, Unknown)), "none")
