"""How the ELF of AMD device code names its target."""

from __future__ import annotations

from functools import cache

from .tables import raw


def target_of_mach(number: int) -> str | None:
    """Target of EF_AMDGPU_MACH (lowest byte of e_flags): 0x4a -> `gfx1151`. None: not known."""
    return _targets().get(number)


def is_target(name: str) -> bool:
    """Whether LLVM has a target of this name, without modes (`gfx90a`, `gfx11-generic`)."""
    return name in raw("amd/mach")["mach"]


def target_of_v2(major: int, minor: int, stepping: int) -> str | None:
    """Target, with its fixed modes, of the note of a code object of version 2: 9, 0, 1 -> `gfx900:xnack+`."""
    found: str | None = raw("amd/mach")["v2"].get(f"{major}.{minor}.{stepping}")
    return found


def modes(target: str) -> tuple[str, ...]:
    """Which of `sramecc` and `xnack` a target (`gfx90a`) has, in that order. Empty also for one that is not known."""
    return tuple(mode for mode, targets in raw("amd/mach")["features"].items() if target in targets)


@cache
def _targets() -> dict[int, str]:
    return {number: target for target, number in raw("amd/mach")["mach"].items()}
