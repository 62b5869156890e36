"""What a change would do, for whoever is asked to consent. Nothing is touched."""

from __future__ import annotations

from ...causes.changes import PackageChange, Packages
from .former import unavailable
from .ground import Ground
from .model import Planned, Preview, SystemChange
from .packages import is_older
from .planning import CONSEQUENCES, planned


def preview(change: SystemChange, ground: Ground | None = None) -> Preview:
    """The exact commands, what they remove and downgrade, and what could not be brought back. Raises FirstlightError
    as the change itself would."""
    ground = ground or Ground()
    steps = planned(change, ground)
    right = {id(one) for one in steps if one.kind not in CONSEQUENCES and one.check()}
    packages = [one for part in change.parts if isinstance(part, Packages) for one in part.changes]
    return Preview(
        steps=tuple(
            Planned(kind=one.kind, subject=one.subject, commands=one.commands(), right=id(one) in right)
            for one in steps
        ),
        removed=tuple(f"{one.name} {one.before}" for one in packages if one.after is None),
        downgraded=tuple(_arrow(one) for one in packages if _is_down(ground, one)),
        lost=tuple(f"{one.name} {one.before}" for one in unavailable(ground, packages)),
    )


def _arrow(change: PackageChange) -> str:
    return f"{change.name} {change.before} -> {change.after}"


def _is_down(ground: Ground, change: PackageChange) -> bool:
    return bool(change.before and change.after and is_older(ground, change.after, change.before))
