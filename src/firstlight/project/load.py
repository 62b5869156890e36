"""Flag > FIRSTLIGHT_* > project file > user file > pip's and uv's settings > built in."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from .model import Goal, Project
from .pip_config import read_pip_config
from .routes import Origin, declared
from .settings import Flags, GoalSettings, Settings, from_environment, from_flags, from_project, from_user
from .sources import weigh
from .uv_config import read_uv_config

NO_FLAGS = Flags()


def load(root: str, flags: Flags = NO_FLAGS, environ: Mapping[str, str] | None = None, etc: str = "/etc") -> Project:
    """What is wanted in the project folder `root`. Raises UnreadableInput with the file and the path of the bad
    value. Reads a few small files; `etc` stands in for /etc in tests."""
    known = os.environ if environ is None else environ
    settings = (from_flags(flags), from_environment(known), from_project(root), from_user(known))
    sources = weigh(settings, read_pip_config(known, etc), read_uv_config(known, etc))
    files = [Origin(origin=one.origin, routes=one.route) for one in settings]
    taken = [one.name for one in (*sources.default_indices, *sources.wheelhouses, *sources.torch_indices)]
    return Project(root=os.path.abspath(root), goal=_goal(settings), sources=sources, routes=declared(files, taken))


def _goal(settings: Sequence[Settings]) -> Goal:
    """Each field from the first of `settings` that says it."""
    found: dict[str, Any] = {}
    for field in GoalSettings.__struct_fields__:
        values = (getattr(one.goal, field) for one in settings)
        said = next((value for value in values if value is not None), None)
        if said is not None:
            found[field] = said
    return Goal(**found)
