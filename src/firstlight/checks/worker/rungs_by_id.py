"""From a rung's id to its code."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import cast

from .outcome import Finding, Job

Check = Callable[[Job], Finding]


def check_of(rung: str) -> Check:
    """The check of one rung: `check` in the file of its name. Raises ImportError if there is none."""
    module = importlib.import_module(f".rungs.{rung.replace('-', '_')}", __package__)
    return cast("Check", module.check)
