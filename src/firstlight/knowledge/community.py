"""Builds of torch that come from no index: made by oneself, or by somebody who answers for them with a name."""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec

from .amd_chips import amd
from .tables import records


class CommunityBuild(msgspec.Struct, frozen=True, kw_only=True):
    """One of them. All are for ROCm on x86-64. None: not known."""

    name: str
    """As a route is called."""
    title: str
    kind: Literal["source", "image", "wheels"]
    """What there is: a recipe, an image, files."""
    targets: tuple[str, ...] = ()
    """That the source names."""
    every_therock_target: bool = False
    """Besides, all that AMD's table for TheRock names."""
    torch: str | None = None
    rocm: str | None = None
    pythons: tuple[str, ...] = ()
    """Of its wheels."""
    maintainer: str
    """Who answers for it."""
    licence: str | None = None
    """SPDX expression, of the recipe."""
    recipe: str
    """Commands, with `{target}` where the target is meant; or their address."""
    homepage: str
    image: str | None = None
    disk_gb: float | None = None
    """Of free disk, all in all."""
    checkout_gb: float | None = None
    """Of which the sources alone."""
    memory_gb: float | None = None
    """For `jobs` jobs at a time."""
    jobs: int | None = None
    process_gb: float | None = None
    """Memory of the largest single process."""
    minutes: float | None = None
    """On `machine`; without one, the source does not name it."""
    machine: str | None = None
    processor_minutes: float | None = None
    """Sum over all processors: on N of them it takes no less than the Nth part."""
    archived: str | None = None
    """Date since when its maker does not keep it any more."""
    note_en: str | None = None
    note_zh: str | None = None
    seen: str
    """Date of the newest of what was read of it."""
    sources: tuple[str, ...]
    as_of: str


@cache
def community_builds() -> tuple[CommunityBuild, ...]:
    """All that are known."""
    return records("community", "build", CommunityBuild)


def builds_for(target: str) -> tuple[CommunityBuild, ...]:
    """Those that name an AMD target (`gfx906`, `gfx906:sramecc+:xnack-`)."""
    name = target.partition(":")[0]
    return tuple(
        one for one in community_builds() if name in one.targets or (one.every_therock_target and _therock(name))
    )


def _therock(target: str) -> bool:
    """Whether AMD's table of TheRock's targets has it (cmake/therock_amdgpu_targets.cmake)."""
    chip = amd(target) if target.startswith("gfx") else None
    return bool(chip and chip.therock and chip.therock.families)
