"""Targets in the names of files."""

from __future__ import annotations

import re
from functools import cache


def target_named(text: str) -> str | None:
    """The last target that a name bears, as LLVM writes it: `Kernels.so-000-gfx90a-xnack-.hsaco` -> `gfx90a:xnack-`.
    `gfx1250v0` keeps its revision: hipBLASLt loads that folder on chips of revision 0 only
    (rocblaslt_arch_revision.hpp), and its own folder on all others."""
    found = _pattern().findall(text)
    return spelled(found[-1]) if found else None


def spelled(target: str) -> str:
    """With the signs that LLVM has: Tensile writes `gfx90a-xnack+`, the offload bundler a triple before the target."""
    name = target.removeprefix("amdgcn-amd-amdhsa--")
    return name.replace("-xnack", ":xnack").replace("-sramecc", ":sramecc")


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(
        r"(?<![0-9A-Za-z])gfx[0-9]{1,5}[a-f]?(?:v[0-9])?(?:(?:-[0-9])?-generic|-strict)?(?:[:-](?:sramecc|xnack)[+-]){0,2}(?![0-9A-Za-z])"
    )
