"""What the user wants, after flags, variables, project file and user file were weighed."""

from __future__ import annotations

from typing import Literal

import msgspec

Backend = Literal["rocm", "cuda", "cpu"]
Policy = Literal["any", "production"]
RouteKind = Literal["index", "folder", "tarball", "image", "build"]
DeclaredTier = Literal["community", "local"]


class Goal(msgspec.Struct, frozen=True, kw_only=True):
    """What is wanted. None: whatever fits the machine best."""

    backend: Backend | None = None
    torch: str | None = None
    """PEP 440 range of torch, e.g. `>=2.13`."""
    packages: tuple[str, ...] = ()
    """Further requirements, PEP 508."""
    python: str | None = None
    """`3.11`, or the path of an interpreter."""
    route: str | None = None
    """A route that was asked for by name."""
    policy: Policy = "any"


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """A place that offers distributions."""

    name: str
    """Logical name: what a lock records."""
    url: str
    """index URL, or file URL / folder of wheels. Empty: the installer's own default index. May hold credentials:
    show it only through `urls.redact`."""
    kind: Literal["index", "folder"]
    origin: str
    """Which setting named it: `built-in`, `pip: /etc/pip.conf`, `PIP_FIND_LINKS`, `flag` ..."""


class Sources(msgspec.Struct, frozen=True, kw_only=True):
    """Where distributions come from on this machine, in order of preference."""

    default_indices: tuple[Source, ...]
    """For everything but the torch family; empty under no-index. First the extra ones, last the main one."""
    wheelhouses: tuple[Source, ...]
    """find-links folders and pages."""
    torch_indices: tuple[Source, ...]
    """Indices that the user configured, or that are built in, and that may carry the torch family."""
    further: tuple[Source, ...] = ()
    """Indices that a `[[source]]` adds. As the extra ones, they are asked for what the main one does not have."""
    repositories: tuple[Source, ...] = ()
    """Where a `[[source]]` takes known repositories of system packages from (knowledge/repositories.toml)."""
    constraints: tuple[str, ...] = ()
    """Paths of constraint files."""
    no_index: bool = False
    cert: str | None = None
    """Path of a bundle of certificate authorities."""
    client_cert: str | None = None
    trusted_hosts: tuple[str, ...] = ()
    proxy: str | None = None
    offline: bool = False
    megabits: float | None = None
    """Mbit/s at which this machine fetches, as the user says."""


class DeclaredRoute(msgspec.Struct, frozen=True, kw_only=True):
    """A route that a settings file declares. What it says of itself is a claim of whoever declared it."""

    name: str
    kind: RouteKind
    url: str
    """index URL, folder, path or URL of a tarball of wheels, image reference with digest, folder of a build's results.
    May hold credentials: show it only through `urls.redact`."""
    tier: DeclaredTier
    declared_in: str
    """`firstlight.toml`, `pyproject.toml` or `config.toml` (the user's); never a path."""
    backend: Backend | None = None
    targets: tuple[str, ...] = ()
    """GPU targets that its maker says it holds code for."""
    sha256: str | None = None
    """Of a tarball."""
    licence: str | None = None
    """SPDX expression."""
    maintainer: str | None = None
    """Who answers for it."""
    recipe: str | None = None
    """Address of how it was built, or the commands themselves."""
    build_minutes: float | None = None
    homepage: str | None = None


class Project(msgspec.Struct, frozen=True, kw_only=True):
    """The project folder and what is wanted there."""

    root: str
    """Absolute path of the folder."""
    goal: Goal
    sources: Sources
    routes: tuple[DeclaredRoute, ...] = ()
    """Declared by the project's file, then by the user's."""
