"""GPU drivers that DKMS should have built for the running kernel."""

from __future__ import annotations

from ..facts.model import DkmsModule, Facts, Unknown
from ..host.model import HostKind
from .model import Evidence

NOT_DRIVERS = ("nvidia-fs", "nvidia-peermem", "nvidia_peermem", "nvidia-gds")
"""Modules of NVIDIA that no GPU needs to compute."""


def vendor_of(name: str) -> str:
    """`nvidia` for nvidia, nvidia-open, nvidia-current, nvidia-srv; `amd` for amdgpu; else empty."""
    if name.startswith("amdgpu"):
        return "amd"
    return "nvidia" if name.startswith("nvidia") and not name.startswith(NOT_DRIVERS) else ""


def modules(facts: Facts, vendor: str) -> list[DkmsModule]:
    """DKMS's entries for the vendor's driver; empty also where they are not known."""
    known = [] if isinstance(facts.modules.dkms, Unknown) else facts.modules.dkms
    return [one for one in known if vendor_of(one.name) == vendor]


def not_built(facts: Facts, vendor: str) -> DkmsModule | None:
    """The newest entry if none is built for the running kernel. A bare tree need not hold every build."""
    entries = modules(facts, vendor)
    if not entries or isinstance(facts.kernel.release, Unknown) or facts.origin.kind is HostKind.TREE:
        return None
    if any(facts.kernel.release in one.kernels for one in entries):
        return None
    return entries[-1]


def built(facts: Facts, vendor: str) -> DkmsModule | None:
    """The entry that is built for the running kernel."""
    release = facts.kernel.release
    return next(
        (one for one in modules(facts, vendor) if not isinstance(release, Unknown) and release in one.kernels), None
    )


def dkms_evidence(module: DkmsModule) -> Evidence:
    """What DKMS knows of it."""
    kernels = ", ".join(module.kernels[:4]) or "no kernel"
    return Evidence("modules.dkms", f"{module.name}/{module.version}: {kernels}"[:200], f"/var/lib/dkms/{module.name}")
