"""firstlight.lock: a plan frozen with hashes."""

from __future__ import annotations

import msgspec

from ..project.model import Backend
from ..routes.model import Provenance, Tier, Wheel

VERSION = 1


class HostConditions(msgspec.Struct, frozen=True, kw_only=True):
    """What the machine was when the lock was made, as far as the environment depends on it."""

    arch: str
    libc: str | None = None
    targets: tuple[str, ...]
    kernel: str | None = None
    driver: str | None = None


class Lost(msgspec.Struct, frozen=True, kw_only=True):
    """A distribution of an adopted environment that no source offers any more."""

    name: str
    version: str
    why: str
    """Kebab-case: `not-offered`, `other-file`, `editable`, `from-a-folder`, `from-version-control`."""


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
    """Files that come from no index: name, sha256, logical source; never a path."""
    source: str | None = None
    """Name of the source of the torch family."""
    targets: tuple[str, ...] = ()
    """GPU targets that it was made for."""
    build: tuple[Wheel, ...] = ()
    """What its sdists are built with, each file pinned by its hash."""
    build_variables: dict[str, str] = {}
    provenance: Provenance | None = None
    """Of a community or local route."""
    adopted: bool = False
    """Made from an environment that was there already, rather than from a plan."""
    lost: tuple[Lost, ...] = ()
    """Of an adopted environment: what cannot be obtained again. Such a lock describes; it cannot be synced."""


class Lock(msgspec.Struct, frozen=True, kw_only=True):
    """The whole file."""

    version: int
    goal: dict[str, object]
    host: HostConditions
    backends: tuple[BackendLock, ...]
