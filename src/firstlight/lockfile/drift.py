"""Why there and not here: the lock against this host, the environment in use, and the files themselves."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping

import msgspec

from ..errors import UnreadableInput
from ..facts.model import Facts
from ..progress import Reporter
from ..project.toml_file import read_small
from ..routes.model import Wheel
from ..routes.pylock import wheels_of
from .build import build_of
from .difference import ORDER, Checked, Difference, Drift
from .drift_environment import (
    InUse,
    distribution_differences,
    python_differences,
    python_version,
    told,
    which,
)
from .drift_files import file_differences
from .drift_host import host_differences, variable_differences
from .drift_words import ENVIRONMENT
from .installed import read_environment
from .model import BackendLock, Lock

LISTED = 10_000
"""Differences that are told at most."""


class Locked(msgspec.Struct, frozen=True, kw_only=True):
    """One backend's part of the lock, and the state of its pylock."""

    backend: BackendLock
    wheels: tuple[Wheel, ...] | None
    """None: the pylock is not there, or was edited so that it cannot be read."""
    differences: tuple[Difference, ...]
    written: float | None
    """When the pylock was; seconds since the epoch."""


def read_locked(root: str, backend: BackendLock) -> Locked:
    """A pylock that was edited is a difference; one that is as it was locked and cannot be read is a damaged lock:
    raises UnreadableInput."""
    path = os.path.join(root, backend.pylock)
    data = read_small(path)
    if data is None:
        found = told("pylock", backend.pylock, ENVIRONMENT["pylock-missing"], lock=_hash(backend), host=None)
        return Locked(backend=backend, wheels=None, differences=(found,), written=None)
    written = os.stat(path).st_mtime
    here = hashlib.sha256(data).hexdigest()
    if here == backend.pylock_sha256:
        return Locked(backend=backend, wheels=_wheels(data, backend), differences=(), written=written)
    try:
        wheels, effect = _wheels(data, backend), ENVIRONMENT["pylock-edited"]
    except UnreadableInput:
        wheels, effect = None, ENVIRONMENT["pylock-unreadable"]
    found = told("pylock", backend.pylock, effect, lock=_hash(backend), host=f"sha256:{here}", since=written)
    return Locked(backend=backend, wheels=wheels, differences=(found,), written=written)


def _versions(locked: Locked) -> dict[str, str]:
    """Of an adopted lock also those that can be obtained nowhere: its environment has them."""
    lost = {one.name: one.version for one in locked.backend.lost}
    return {**lost, **{one.name: one.version for one in locked.wheels or ()}}


def _wheels(data: bytes, backend: BackendLock) -> tuple[Wheel, ...]:
    try:
        text = data.decode("utf-8")
    except ValueError:
        text = "\ufffd ="  # as little TOML as the bytes are
    return wheels_of(text, (), {}, backend.pylock)


def _hash(backend: BackendLock) -> str:
    return f"sha256:{backend.pylock_sha256}"


def compare_host(lock: Lock, locked: Locked, facts: Facts, booted: float | None) -> Drift:
    """Only what the lock says of the host."""
    wheels = locked.wheels or ()
    found, conditions = host_differences(lock.host, build_of(locked.backend.backend, wheels), wheels, facts, booted)
    return _sorted(found, Checked(conditions=conditions))


def compare_environment(
    locked: Locked, wanted: str, used: InUse, variables: Mapping[str, str], reporter: Reporter, *, deep: bool
) -> Drift:
    """The environment that is in use, the pylock and the variables. `wanted`: the id of the lock's environment."""
    backend = locked.backend
    found = [*locked.differences, *variable_differences(backend, variables)]
    found += which(wanted, backend.pylock_sha256, used, locked.written)
    checked = Checked(variables=len(backend.variables))
    if used.folder is None:
        return _sorted(found, checked)
    python = python_version(used.folder) or backend.python
    here = read_environment(used.folder, python)
    found += python_differences(here, python, backend.python, used.finished)
    extra: frozenset[str] = frozenset()
    if locked.wheels is not None:
        several = list(distribution_differences(here, _versions(locked), used.finished))
        extra = frozenset(one.what for one in several if one.kind == "distribution-extra" and one.lock is None)
        found += several
    files, compared, hashed = file_differences(here, extra, used, reporter, deep=deep)
    counts = {
        "distributions": len(_versions(locked)) if locked.wheels is not None else 0,
        "files": compared,
        "hashed": hashed,
    }
    return _sorted([*found, *files], msgspec.structs.replace(checked, **counts))


def together(one: Drift, other: Drift) -> Drift:
    """Both comparisons as one."""
    added = {name: getattr(one.checked, name) + getattr(other.checked, name) for name in Checked.__struct_fields__}
    both = _sorted([*one.differences, *other.differences], Checked(**added))
    return msgspec.structs.replace(both, left_out=both.left_out + one.left_out + other.left_out)


def _sorted(found: list[Difference], checked: Checked) -> Drift:
    """The worst first; what cannot be told last."""
    ordered = sorted(found, key=lambda one: (one.unknown is not None, ORDER.index(one.severity)))
    return Drift(differences=tuple(ordered[:LISTED]), left_out=len(ordered[LISTED:]), checked=checked)
