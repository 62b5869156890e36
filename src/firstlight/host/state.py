"""Where our own files lie. Paths only, but for `private`."""

from __future__ import annotations

import os
from collections.abc import Mapping

_NAME = "firstlight"


def project_state(root: str) -> str:
    """Of one project: environment, journal, runs, results. Never committed."""
    return os.path.join(root, ".firstlight")


def machine_state() -> str:
    """Of the machine: the journal of system steps."""
    return f"/var/lib/{_NAME}"


def user_state(environment: Mapping[str, str]) -> str:
    """Of the user: what should outlive caches."""
    return _xdg(environment, "XDG_STATE_HOME", ".local/state")


def user_cache(environment: Mapping[str, str]) -> str:
    """Of the user: what can be made again."""
    return _xdg(environment, "XDG_CACHE_HOME", ".cache")


def user_config(environment: Mapping[str, str]) -> str:
    """Of the user: settings."""
    return _xdg(environment, "XDG_CONFIG_HOME", ".config")


def _xdg(environment: Mapping[str, str], name: str, default: str) -> str:
    """XDG Base Directory Specification 0.8: a relative value must be passed over."""
    base = environment.get(name, "")
    if not os.path.isabs(base):
        home = environment.get("HOME", "")
        base = os.path.join(home if os.path.isabs(home) else os.path.expanduser("~"), default)
    return os.path.join(base, _NAME)


def private(path: str) -> str:
    """Make the folder `path` for its owner alone; returns it. Raises OSError."""
    os.makedirs(path, mode=0o700, exist_ok=True)
    if os.stat(path).st_uid == os.geteuid():
        os.chmod(path, 0o700)  # makedirs' mode is cut by the umask, and an old folder may be wider
    return path
