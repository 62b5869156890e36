"""Random requests, weighted towards what this program is about."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

FAMILIES = (
    r"^(roc|hip|libamd|libroc|libhip|librccl|libmiopen|comgr|libhsa|rccl)",
    r"^(llvm|clang|libc\+\+|libclang|lld|libllvm|libomp|gcc|g\+\+|libstdc)",
    r"^(nvidia|cuda|libcu|libnv)",
    r"^python3",
)
SHARE = 0.75
"""Of the requests that come from a family."""


def requests(names: Sequence[str], count: int, random_: random.Random) -> list[tuple[str, ...]]:
    """Of one to five packages each; some with a sign to remove, some of names that are not there."""
    families = [[name for name in names if re.match(family, name)] for family in FAMILIES]
    families = [family for family in families if family]
    return [_one(names, families, random_) for _ in range(count)]


def _one(names: Sequence[str], families: Sequence[Sequence[str]], random_: random.Random) -> tuple[str, ...]:
    chosen = []
    for _ in range(random_.choice((1, 1, 1, 2, 2, 3, 4, 5))):
        pool = random_.choice(families) if families and random_.random() < SHARE else names
        name = random_.choice(pool)
        odd = random_.random()
        chosen.append(f"{name}-" if odd < 0.03 else f"{name}-nosuch" if odd < 0.04 else name)
    return tuple(dict.fromkeys(chosen))
