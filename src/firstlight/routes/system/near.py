"""Names of packages that are like one that no source has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

MOST = 3
SHORTEST = 4
"""Signs of a name from which on a part of it tells something."""


def near(name: str, names: Iterable[str]) -> Sequence[str]:
    """The nearest few of `names`. Only those that begin alike are compared sign by sign: there are 60,000 of them."""
    from difflib import get_close_matches

    every = {one for one in names if one.isascii() and one[:1].isalnum()}
    alike = [one for one in every if one[:2] == name[:2]]
    close = get_close_matches(name, alike, MOST, 0.75)
    longer = [one for one in alike if one.startswith(name)] if len(name) >= SHORTEST else []
    return list(dict.fromkeys([*close, *sorted(longer, key=len)]))[:MOST]
