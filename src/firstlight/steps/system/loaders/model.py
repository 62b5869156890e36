"""Where one boot loader keeps the command line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

Edit = Callable[[str, Sequence[str], Sequence[str]], str]
"""Text, words to add, names to remove -> text."""


class Place(NamedTuple):
    """One configuration file."""

    path: str
    edit: Edit
    fresh: bool = False
    """It need not be there yet."""


class Loader(NamedTuple):
    """One boot loader's configuration on this machine."""

    name: str
    places: tuple[Place, ...]
    """What is added goes into the first; what is removed goes from all."""
    then: tuple[tuple[str, ...], ...]
    """Commands that carry the configuration into what is booted."""
