"""Kernel modules: loaded, configured, built."""

from __future__ import annotations

from ..host.model import Host
from .dkms import dkms_modules, unsigned
from .model import Kernel, Modules
from .modprobe import modprobe_rules
from .reading import names_in, string
from .value import Fact, Unknown

DRIVERS = frozenset(
    {"amdgpu", "radeon", "nouveau", "nova_core", "nvidia", "nvidia_uvm", "nvidia_drm", "nvidia_modeset", "i915", "xe",
     "vfio_pci", "ttm", "amdttm", "amdxdna"}
)  # fmt: skip
"""Those that matter here even when they are built into the kernel and so not in /proc/modules."""


def modules(host: Host, kernel: Kernel) -> Modules:
    """What is loaded, what modprobe.d and the command line say, what DKMS built."""
    rules = modprobe_rules(host, kernel.cmdline)
    built = dkms_modules(host)
    return Modules(
        loaded=_loaded(host),
        options=rules.options,
        blacklisted=rules.blacklisted,
        dkms=built,
        unsigned_dkms=unsigned(host, kernel.release, built),
    )


def _loaded(host: Host) -> Fact[list[str]]:
    """Names in /proc/modules (a kernel without loadable modules has no such file), and drivers that are built in."""
    found = string(host, "/proc/modules", 4 << 20)
    if isinstance(found, Unknown) and found.unknown != "absent":
        return found
    lines = [] if isinstance(found, Unknown) else found.splitlines()
    loaded = {line.split(maxsplit=1)[0] for line in lines if line.strip()}
    return sorted(loaded | DRIVERS.intersection(names_in(host, "/sys/module")))
