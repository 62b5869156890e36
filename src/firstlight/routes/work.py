"""One candidate, and all that it is judged against."""

from __future__ import annotations

import msgspec

from ..catalog import Catalog
from ..facts.model import Facts
from ..project.model import Backend, Project
from .candidates import Candidate
from .constraints import Limits
from .machine import Machine


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """What judging one route needs."""

    candidate: Candidate
    wanted: tuple[Backend, ...]
    project: Project
    facts: Facts
    machine: Machine
    catalog: Catalog
    limits: Limits = Limits()
    """What the user's constraints files say."""
