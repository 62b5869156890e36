"""Which versions of torch are wanted: by the goal, its further packages and the user's constraints files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..project.model import Goal

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet


def torch_limits(goal: Goal, constraints: Sequence[str]) -> SpecifierSet:
    """All that is said of torch, together. `constraints`: the requirements that constraints files hold."""
    from packaging.requirements import InvalidRequirement, Requirement
    from packaging.specifiers import SpecifierSet
    from packaging.utils import canonicalize_name

    found = SpecifierSet(goal.torch or "")
    for text in (*goal.packages, *constraints):
        try:
            requirement = Requirement(text)
        except InvalidRequirement:
            continue
        if canonicalize_name(requirement.name) == "torch" and (not requirement.marker or requirement.marker.evaluate()):
            found &= requirement.specifier
    return found
