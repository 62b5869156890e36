"""Environment variables that change what GPU software runs, by the table of what is known of them."""

from __future__ import annotations

from functools import cache

from .tables import raw

OF_INSTALLERS = ("UV_", "ROCM_BOOTSTRAP_")
"""Beginnings of those that say what to install: a lock already says it."""


@cache
def steering() -> frozenset[str]:
    """Names; an ending `*` stands for a device index."""
    entries = (entry["name"] for entry in raw("variables")["variable"])
    names = (name for entry in entries for name in _names(entry))
    return frozenset(name for name in names if not name.startswith(OF_INSTALLERS))


def _names(entry: str) -> list[str]:
    """`A_X / _Y` is A_X and A_Y; `A_<n>` is A_0, A_1 ..."""
    first, *rest = entry.replace("<n>", "*").split(" / ")
    found = [first]
    for part in rest:
        words = first.split("_")
        # a suffix takes the place of one word, or of as many as it has itself
        found += [part] if part[0] != "_" else ["_".join(words[:-count]) + part for count in {1, part.count("_")}]
    return found


def steers(name: str) -> bool:
    """Whether the variable changes what runs on a GPU, or how."""
    stem = name.rstrip("0123456789")
    return name in steering() or (stem != name and f"{stem}*" in steering())
