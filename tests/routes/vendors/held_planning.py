"""Plans for the further machines, each made once a call."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from firstlight.facts import collect
from firstlight.host import open_host
from firstlight.project.settings import Flags
from firstlight.routes.model import Plan
from firstlight.routes.plan import plan
from tests.planted.builder import Machine

from .planning import NO_FLAGS, project_in
from .server import Vendors


def planned_for(
    make: Callable[[Path], Machine], folder: Path, vendors: Vendors, *, flags: Flags = NO_FLAGS, settings: str = ""
) -> Plan:
    """The plan of a machine."""
    place = folder / "machine"
    host = place if place.is_dir() else make(place).save()
    project = project_in(folder, vendors, flags=flags, settings=settings)
    return plan(project, collect(open_host(str(host))))
