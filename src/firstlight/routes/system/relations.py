"""Relations between packages, as control files write them (Debian Policy 7.1, and multi-arch qualifiers)."""

from __future__ import annotations

import re
from functools import cache, lru_cache

import msgspec

MOST = 5_000
"""Relations of one field, and alternatives of one relation. Debian's longest field has some 1,300."""
OPERATORS = ("<<", "<=", "=", ">=", ">>")


class Relation(msgspec.Struct, frozen=True):
    """One alternative."""

    name: str
    architecture: str = ""
    """`any`, or the one that is named; empty: that of the package itself."""
    operator: str = ""
    """One of OPERATORS; empty: any version."""
    version: str = ""

    def __str__(self) -> str:
        qualified = f"{self.name}:{self.architecture}" if self.architecture else self.name
        return f"{qualified} ({self.operator} {self.version})" if self.operator else qualified


def relations(field: str) -> list[tuple[Relation, ...]]:
    """What must hold, each as its alternatives. Parts that are no relation are left out, as by apt."""
    found = []
    for part in field.split(",", MOST)[:MOST]:
        alternatives = _alternatives(part.strip())
        if alternatives:
            found.append(alternatives)
    return found


@lru_cache(maxsize=100_000)
def _alternatives(text: str) -> tuple[Relation, ...]:
    parsed = (_relation(one.strip()) for one in text.split("|", MOST)[:MOST])
    return tuple(one for one in parsed if one)


def _relation(text: str) -> Relation | None:
    found = _form().match(text)
    if not found:
        return None
    name, architecture, operator, version = found.groups(default="")
    return Relation(name, architecture, {"<": "<=", ">": ">="}.get(operator, operator), version)


@cache
def _form() -> re.Pattern[str]:
    """`name[:arch] [(op version)]`; `<` and `>` alone mean `<=` and `>=` (Policy 7.1)."""
    return re.compile(r"([A-Za-z0-9][^\s:(\[<|,]*)(?::([a-z0-9-]+))?\s*(?:\(\s*(<<|<=|=|>=|>>|<|>)\s*([^\s)]+)\s*\))?")
