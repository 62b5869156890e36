"""firstlight.lock: a plan frozen with hashes."""

from __future__ import annotations

import msgspec

from ..project.model import Backend
from ..routes.model import Tier, Wheel

VERSION = 1


class HostConditions(msgspec.Struct, frozen=True, kw_only=True):
    """What the machine was when the lock was made, as far as the environment depends on it."""

    arch: str
    libc: str | None = None
    targets: tuple[str, ...]
    kernel: str | None = None
    driver: str | None = None


class BackendLock(msgspec.Struct, frozen=True, kw_only=True):
    """One backend's environment."""

    backend: Backend
    route: str
    tier: Tier
    python: str
    """`3.11`"""
    pylock: str
    """File name beside the lock."""
    pylock_sha256: str
    variables: dict[str, str]
    """Environment variables that it needs."""
    local: tuple[Wheel, ...]
    """Wheels that come from no index: name, sha256, logical source; never a path."""


class Lock(msgspec.Struct, frozen=True, kw_only=True):
    """The whole file."""

    version: int
    goal: dict[str, object]
    host: HostConditions
    backends: tuple[BackendLock, ...]
