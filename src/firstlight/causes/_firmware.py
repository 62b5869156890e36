"""The remedy that brings AMD's firmware."""

from __future__ import annotations

from ..facts.model import Facts
from ..words import Words
from ._packages import install, is_ubuntu
from .model import Remedy


def amd_firmware(facts: Facts, why: Words) -> Remedy:
    """Install the newest AMD firmware of the distribution."""
    debian = "linux-firmware" if is_ubuntu(facts) else "firmware-amd-graphics"
    return install(
        facts,
        why,
        debian=debian,
        fedora="linux-firmware amd-gpu-firmware",
        suse="kernel-firmware-amdgpu",
        arch="linux-firmware-amdgpu",
    )
