"""AMD targets: what is known of each, and how device ids and KFD numbers lead to one."""

from __future__ import annotations

import os
import re
from functools import cache

import msgspec

from . import pci
from .tables import FOLDER, raw, sourced


class Override(msgspec.Struct, frozen=True, kw_only=True):
    """What HSA_OVERRIDE_GFX_VERSION=value does on a target, by reports."""

    value: str
    verdict: str
    """`works`, `works (reported)`, `risky`, `wrong`, `avoid`, ... as the source puts it."""
    effect: str | None = None
    source: str | None = None


class TorchWheels(msgspec.Struct, frozen=True, kw_only=True):
    """Which of PyTorch's own ROCm indices carry the target; None: none seen."""

    first: str | None = None
    last: str | None = None
    note: str | None = None


class TheRock(msgspec.Struct, frozen=True, kw_only=True):
    """The target in AMD's TheRock builds."""

    families: tuple[str, ...] = ()
    legacy_index: str | None = None
    device_extra: bool | None = None
    """Whether there is a `device-<target>` extra."""
    excluded: tuple[str, ...] = ()
    """Projects that are not built for it."""
    linux: str | None = None


class AmdChip(msgspec.Struct, frozen=True, kw_only=True):
    """One AMD target."""

    target: str
    arch: str
    products: tuple[str, ...] = ()
    apu: bool | None = None
    generic: str | None = None
    """LLVM's generic target that covers it."""
    kfd_version: int | None = None
    """`gfx_target_version` of the KFD topology."""
    kfd: bool | None = None
    """Whether the kernel's compute driver takes such chips at all."""
    gc: tuple[str, ...] = ()
    """IP versions of the graphics block, as firmware files bear them (`11.5.1`); not the target."""
    wave: int | None = None
    in_kernel_6_12: bool | None = None
    """Whether the KFD table of Linux 6.12 has it."""
    rocm: dict[str, str] = {}
    """What AMD's lists say, for each line of releases."""
    torch: TorchWheels = TorchWheels()
    therock: TheRock | None = None
    override: tuple[Override, ...] = ()
    note: str | None = None
    sources: tuple[str, ...] = ()
    as_of: str | None = None

    @property
    def device_extra(self) -> str | None:
        """Name of TheRock's device extra (`device-gfx1151`), if it has one."""
        return f"device-{self.target}" if self.therock and self.therock.device_extra else None


_MODEL = re.compile(
    r"\b(?:MI\d{2,3}[APX]?|\d{3,4}[MS]|(?:RX|PRO|R9|W|V) ?\d{3,4}(?:M|S)?(?: ?(?:XTX|XT|GRE))?|VII)\b", re.IGNORECASE
)


@cache
def amd(target: str) -> AmdChip | None:
    """What is known of a target (`gfx1151`, also `gfx90a:xnack-`); None: not in our tables."""
    base = target.partition(":")[0]
    if not (base.startswith("gfx") and base.isascii() and base.isalnum()) or not os.path.exists(
        f"{FOLDER}/amd/{base}.toml"
    ):
        return None
    table = f"amd/{base}"
    return msgspec.convert(sourced(table, raw(table)), AmdChip)


def amd_by_device(device: int, revision: int | None = None) -> AmdChip | None:  # noqa: ARG001  boards, not targets
    """The chip with this PCI device id (vendor 1002): by AMD's own table, else by the die that pci.ids names.
    None: not known. `revision` tells boards apart (0x7550: RX 9070 or 9070 XT); no id known to us needs it for the
    target."""
    target = target_by_device(device)
    chip = amd(target) if target else None
    if chip and f"{device:04x}" in raw("amd/devices")["apu"]["ids"]:
        chip = msgspec.structs.replace(chip, apu=True)
    return chip


def target_by_device(device: int) -> str | None:
    """Target of a PCI device id (vendor 1002), or None."""
    return _targets_by_id().get(f"{device:04x}") or _by_die(device)


def target_by_model(model: str) -> str | None:
    """Target of a product by the model number in its name (`AMD Instinct MI355X`, `Radeon RX 7900 XTX`): that of the
    chip whose products alone bear that number, or None."""
    found = _MODEL.search(model)
    return _targets_by_model().get(found[0].upper().replace(" ", "")) if found else None


def is_management_display(device: int) -> bool:
    """Whether the id is that of a server management controller's display chip (no GPU)."""
    return f"{device:04x}" in raw("amd/devices")["management"]["ids"]


def is_before_gcn(device: int) -> bool:
    """Whether pci.ids names a die of TeraScale or older (back to Mach64), for which no compute stack was ever made."""
    named = die(device)
    table = raw("amd/devices")["before_gcn"]
    if not named:
        return False
    first = named.partition(" ")[0].partition("/")[0].removesuffix("+")
    return first in table["dies"] or any(
        first.startswith(code) and first[len(code) :].isalnum() for code in table["codes"]
    )


def die(device: int) -> str | None:
    """Name of the die in pci.ids (`Navi 31`), or None."""
    full = pci.name(0x1002, device)
    return full.partition(" [")[0] if full else None


@cache
def _targets_by_model() -> dict[str, str]:
    """Model numbers that one target alone bears, without spaces."""
    bearers: dict[str, set[str]] = {}
    for name in sorted(os.listdir(f"{FOLDER}/amd")):
        chip = amd(name.removesuffix(".toml")) if name.startswith("gfx") else None
        for product in chip.products if chip else ():
            for found in _MODEL.finditer(product):
                bearers.setdefault(found[0].upper().replace(" ", ""), set()).add(name.removesuffix(".toml"))
    return {model: bearing.pop() for model, bearing in bearers.items() if len(bearing) == 1}


@cache
def _targets_by_id() -> dict[str, str]:
    table = raw("amd/devices")
    groups = ((target, ids) for target, ids in table.items() if target.startswith("gfx"))
    return {one: target for target, ids in groups for source in ids.values() for one in source}


def _by_die(device: int) -> str | None:
    """Every part of the name must lead to the same target."""
    named = die(device)
    if not named or "Audio" in named or "USB" in named:
        return None
    dies: dict[str, str] = raw("amd/devices")["dies"]
    found = {_longest(part.strip(), dies) for part in named.split("/")}
    targets = found - {None}
    return targets.pop() if len(targets) == 1 else None


def _longest(part: str, dies: dict[str, str]) -> str | None:
    words = part.replace("-", " ").split()
    for count in range(min(len(words), 3), 0, -1):
        target = dies.get(" ".join(words[:count]))
        if target:
            return target
    return None


def target_of_kfd(gfx_target_version: int) -> str | None:
    """Target of KFD's `gfx_target_version`: major * 10000 + minor * 100 + stepping, minor and stepping written as one
    hexadecimal digit (drivers/gpu/drm/amd/amdkfd/kfd_device.c; rocm-bootstrap). 90010 -> gfx90a, 110501 -> gfx1151.
    None for a number that is no such version (CPU nodes have 0)."""
    major, rest = divmod(gfx_target_version, 10000)
    minor, stepping = divmod(rest, 100)
    if not 6 <= major <= 99 or minor > 15 or stepping > 15:
        return None
    return f"gfx{major}{minor:x}{stepping:x}"


def kfd_of_target(target: str) -> int | None:
    """The other way round; None for a name of another form (`gfx11-generic`)."""
    digits = target.partition(":")[0].removeprefix("gfx")
    if not 3 <= len(digits) <= 4 or not digits.isascii() or not digits[:-2].isdigit():
        return None
    try:
        return int(digits[:-2]) * 10000 + int(digits[-2], 16) * 100 + int(digits[-1], 16)
    except ValueError:
        return None


def kfd_supported(target: str) -> bool | None:
    """Whether the kernel's compute driver takes such chips at all (GCN 1: no). None: not known."""
    chip = amd(target)
    return chip.kfd if chip else None
