"""Firmware files and versions."""

from __future__ import annotations

from ..host.model import Host, Missing, Unread
from .model import Firmware
from .packages import Packages
from .reading import string
from .value import Fact, Unknown, unknown

DEBUG = "/sys/kernel/debug/dri"
FOLDER = "/lib/firmware/amdgpu"
MES_MASK = 0xFFF
"""AMDGPU_MES_VERSION_MASK, drivers/gpu/drm/amd/amdgpu/amdgpu_mes.h. amdgpu_kms.c (amdgpu_firmware_info) prints the
version so masked; its first form printed the whole word, with API and feature version in the upper bits."""


def firmware(host: Host, packages: Packages) -> Firmware:
    """Package versions, the scheduler's firmware version, and which chips have files."""
    return Firmware(
        package=packages.version("linux-firmware", "firmware-amd-graphics", "linux-firmware-amdgpu"),
        dkms_package=packages.version("amdgpu-dkms-firmware"),
        mes_version=_mes_version(host),
        amdgpu_files=_chips_with_files(host),
    )


def _mes_version(host: Host) -> Fact[int]:
    """Of the first GPU that has one. Debugfs is root's."""
    minors = host.names(DEBUG)
    if isinstance(minors, Unread):
        return unknown(minors)
    verdict = Unknown("absent", f"{DEBUG}/*/amdgpu_firmware_info")
    for minor in minors[:256]:
        content = string(host, f"{DEBUG}/{minor}/amdgpu_firmware_info")
        if not isinstance(content, Unknown):
            version = mes_version(content)
            if version is not None:
                return version
        elif content.unknown != "absent":
            verdict = content
    return verdict


def mes_version(content: str) -> int | None:
    """From the line `MES feature version: 1, firmware version: 0x00000083` (amdgpu_kms.c)."""
    for line in content.splitlines():
        if line.startswith("MES feature version:"):
            try:
                return int(line.rpartition(":")[2].strip()[:20], 16) & MES_MASK
            except ValueError:
                return None
    return None


def _chips_with_files(host: Host) -> Fact[list[str]]:
    """Every chip's graphics block has a `CHIP_rlc.bin` (perhaps packed), so these name the chips that are served."""
    names = host.names(FOLDER)
    if isinstance(names, Unread) and names.reason is Missing.ABSENT:
        names = host.names("/usr" + FOLDER)
    if isinstance(names, Unread):
        return unknown(names)
    return sorted({name.partition("_rlc.bin")[0] for name in names if "_rlc.bin" in name})
