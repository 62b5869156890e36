"""What the user wants, after flags, variables, project file and user file were weighed."""

from __future__ import annotations

from typing import Literal

import msgspec

Backend = Literal["rocm", "cuda", "cpu"]
Policy = Literal["any", "production"]


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


class Project(msgspec.Struct, frozen=True, kw_only=True):
    """The project folder and what is wanted there."""

    root: str
    """Absolute path of the folder."""
    goal: Goal
    sources: Sources
