"""Entry: run by path in the target Python as `python -s __main__.py JOB EVENTS OUTPUT [RUNG]`.

JOB is a JSON object (`outcome.Job`), EVENTS the number of an open file descriptor that gets JSON lines, OUTPUT one
that gets what the user's own command prints. With RUNG, that rung alone runs in this process.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from types import ModuleType

NAME = "firstlight_worker"


def package() -> ModuleType:
    """This folder as a package of its own name, so that none of its files can shadow a module of torch or the user."""
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != here]
    spec = importlib.util.spec_from_file_location(
        NAME, os.path.join(here, "__init__.py"), submodule_search_locations=[here]
    )
    if spec is None or spec.loader is None:
        raise ImportError(here)
    module = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = module
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    package()
    sys.exit(importlib.import_module(f"{NAME}.supervisor").main(sys.argv[1:]))
