"""Rules about kernels, firmware and operating systems that bring-up depends on."""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec

from .amd_chips import amd
from .tables import records
from .versions import at_least, version_key, within

Pair = Literal["ok", "warning", "fails"]


class FixedKernel(msgspec.Struct, frozen=True, kw_only=True):
    """First release of one flavour of kernel that has the fixes."""

    flavour: str
    """`ubuntu-hwe-24.04`, `ubuntu-oem`, `other`."""
    release: str


class KernelPair(msgspec.Struct, frozen=True, kw_only=True):
    """What ranges of ROCm do on a kernel with the fixes and on an older one."""

    rocm: tuple[tuple[str, str], ...]
    """(first, last) of each range."""
    fixed: Pair
    older: Pair


class KernelRule(msgspec.Struct, frozen=True, kw_only=True):
    """What a target needs of the kernel."""

    target: str
    rule: str
    """In the source's sense, in English."""
    first_seen: str | None = None
    """A kernel that is known to have it; older ones may, too."""
    absent_in: str | None = None
    """A kernel that is known not to have it in tree; older ones have it even less."""
    fixed: tuple[FixedKernel, ...] = ()
    distros_with_fix: tuple[str, ...] = ()
    pairs: tuple[KernelPair, ...] = ()
    consequence: str | None = None
    community: str | None = None
    sources: tuple[str, ...] = ()
    as_of: str | None = None


class LackingKernel(msgspec.Struct, frozen=True, kw_only=True):
    """The newest mainline kernel whose own driver lacks some targets."""

    targets: tuple[str, ...]
    in_kernel: str
    sources: tuple[str, ...] = ()
    as_of: str | None = None


class FirmwareRule(msgspec.Struct, frozen=True, kw_only=True):
    """Firmware builds that are known to be good or bad for a target or product."""

    subject: str
    target: str | None = None
    package: str | None = None
    bad_versions: tuple[str, ...] = ()
    good_versions: tuple[str, ...] = ()
    good_from: str | None = None
    bad_mes: int | None = None
    """Version of the MES firmware in amdgpu_firmware_info."""
    good_mes: int | None = None
    bad: str | None = None
    good: str | None = None
    trap: str | None = None
    check: str | None = None
    workaround: str | None = None
    sources: tuple[str, ...] = ()
    as_of: str | None = None


class OfficialRelease(msgspec.Struct, frozen=True, kw_only=True):
    """Targets that a ROCm release names as supported; None: the list was not read."""

    rocm: str
    targets: tuple[str, ...] | None = None
    partial: tuple[str, ...] = ()
    note: str | None = None
    sources: tuple[str, ...] = ()
    as_of: str | None = None


@cache
def _lacking() -> tuple[LackingKernel, ...]:
    return records("kernels", "lacking", LackingKernel)


@cache
def _kernels() -> tuple[KernelRule, ...]:
    return records("kernels", "kernel", KernelRule)


@cache
def _firmware() -> tuple[FirmwareRule, ...]:
    return records("firmware", "firmware", FirmwareRule)


@cache
def _official() -> tuple[OfficialRelease, ...]:
    return records("rocm_official", "release", OfficialRelease)


def kernel_minimum(target: str) -> KernelRule | None:
    """What is known of the kernel that a target needs."""
    return next((rule for rule in _kernels() if rule.target == target), None)


def kernel_knows(target: str, release: str) -> bool | None:
    """Whether the in-tree KFD of this kernel release (`uname -r`) has the target, by its version alone; None: not
    known. A DKMS driver or a distribution's backport may know more."""
    rule, key = kernel_minimum(target), version_key(release)
    if not key:
        return None
    if rule and rule.absent_in and key[:2] <= version_key(rule.absent_in):
        return False
    seen = rule.first_seen if rule and rule.first_seen else None
    chip = amd(target)
    if seen is None and chip and chip.in_kernel_6_12:
        seen = "6.12"
    return True if seen and key >= version_key(seen) else None


def kernel_lacks(target: str, release: str) -> bool:
    """Whether this release (`uname -r`) is of a mainline kernel that lacks the target's graphics block. Less sure than
    `kernel_knows`, which rests on KFD tables that were read: it counts beside other signs."""
    key = version_key(release)
    return bool(key) and any(key[:2] <= version_key(one.in_kernel) for one in _lacking() if target in one.targets)


def kernel_fixed(target: str, release: str, *, os_id: str | None = None, version_id: str | None = None) -> bool | None:
    """Whether the running kernel has the fixes that the target needs. None: no rule, or the rule does not say for
    this kernel (an Ubuntu 6.17 on another release than 24.04)."""
    rule, key = kernel_minimum(target), version_key(release)
    if rule is None or not rule.fixed or not key:
        return None
    first = {one.flavour: version_key(one.release) for one in rule.fixed}
    if key >= first["other"] or (".fc43." in release and "Fedora 43" in rule.distros_with_fix):
        return True
    if "-oem" in release:
        return key >= first["ubuntu-oem"]
    hwe = first["ubuntu-hwe-24.04"]
    if release.endswith("-generic") and os_id in {None, "ubuntu"} and key[:3] == hwe[:3] and key >= hwe:
        return True if version_id == "24.04" else None
    return False


def kernel_pair(target: str, rocm: str, *, fixed: bool) -> Pair | None:
    """What a ROCm version does with a kernel that has the target's fixes, or has not; None: not known."""
    rule = kernel_minimum(target)
    for pair in rule.pairs if rule else ():
        if any(within(rocm, first, last) for first, last in pair.rocm):
            return pair.fixed if fixed else pair.older
    return None


def firmware(target: str) -> FirmwareRule | None:
    """What is known of firmware for a target."""
    return next((rule for rule in _firmware() if rule.target == target), None)


def firmware_verdict(target: str, version: str) -> Literal["bad", "good"] | None:
    """Verdict on a linux-firmware version (`20251125`, also a Debian or Ubuntu one: the first eight digits count).
    None: nothing is known of this build."""
    rule = firmware(target)
    date = next((part for part in version.replace("~", ".").replace("-", ".").split(".") if len(part) == 8), "")
    if rule is None or not date.isdigit():
        return None
    if date in rule.bad_versions:
        return "bad"
    later = rule.good_from is not None and date >= rule.good_from
    return "good" if later or date in rule.good_versions else None


def official(target: str, rocm: str) -> bool | None:
    """Whether AMD's list of a ROCm release names the target; None: the list was not read."""
    release = _release(rocm)
    if release is None or release.targets is None:
        return True if release and target in release.partial else None
    return target in release.targets


def rocm_dropped(target: str, rocm: str) -> bool | None:
    """Whether AMD named the target for an older release and no longer does for this one; None: lists not read."""
    now = official(target, rocm)
    if now is None:
        return None
    older = (one for one in _official() if one.targets and at_least(rocm, one.rocm.replace("x", "0")))
    return not now and any(target in (one.targets or ()) for one in older)


def torch_dropped(target: str) -> str | None:
    """Last of PyTorch's own ROCm indices that carried the target, if later ones do not (`rocm7.2`); else None."""
    chip = amd(target)
    last = chip.torch.last if chip else None
    return last if last and "current" not in last else None


def _release(rocm: str) -> OfficialRelease | None:
    key = version_key(rocm)
    exact = next((one for one in _official() if version_key(one.rocm) == key and "x" not in one.rocm), None)
    line = next((one for one in _official() if one.rocm == f"{key[0]}.x"), None) if key else None
    return exact if exact and exact.targets else line or exact
