"""What an sdist is built with: the exact files, and the variables; neither the machine nor uv's cache has a say."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from ..lockfile.model import BackendLock
from ..routes.model import Wheel


def constraints(build: Sequence[Wheel], paths: Mapping[str, str]) -> str:
    """Build constraints for uv: each file by where it lies and its hash, so that no index is asked for a name.
    `paths`: file name -> path of those that have no URL."""
    lines = (f"{one.name} @ {_place(one, paths)} --hash=sha256:{one.sha256}\n" for one in build)
    return "".join(lines)


def _place(wheel: Wheel, paths: Mapping[str, str]) -> str:
    return wheel.url or f"file://{quote(paths[wheel.filename])}"


def settings(backend: BackendLock, sdists: Sequence[str]) -> str:
    """A configuration file for uv that sets variables for the building of `sdists`. Variables of uv's own process would
    not do: its cache knows a built wheel by its sdist and these settings, and would give the one that was built for
    another GPU. For the same reason what it is built with is named too."""
    import tomli_w

    variables = {**backend.build_variables, "FIRSTLIGHT_BUILD": digest(backend)}
    return tomli_w.dumps({"extra-build-variables": dict.fromkeys(sdists, variables)})


def digest(backend: BackendLock) -> str:
    """Of all that the building of the lock's sdists depends on, but for themselves."""
    pins = [f"{one.filename} {one.sha256}" for one in backend.build]
    said = [f"{name}={value}" for name, value in backend.build_variables.items()]
    return hashlib.sha256("\n".join(sorted(pins) + sorted(said)).encode()).hexdigest()[:16]
