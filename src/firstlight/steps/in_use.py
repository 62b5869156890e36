"""Which environment is in use."""

from __future__ import annotations

import os

from ..errors import NoError
from ..host import Host
from ..lockfile.adopt_places import environment
from ..lockfile.drift_environment import InUse
from ..lockfile.files import path_of
from ..lockfile.model import BackendLock
from .environments import environment_id
from .marker import NAME, read_marker
from .places import Places


def in_use(places: Places, backend: BackendLock, host: Host) -> InUse:
    """What `.firstlight/env` leads to; where there is none, what an adopted lock was frozen from."""
    name = places.active_name()
    if name is None or name not in places.names():
        shown = _shown(places)
        adopted = _adopted(places.root, backend, host) if backend.adopted and shown is None else None
        return adopted or InUse(folder=None, shown=shown)
    folder = places.folder(name)
    marker = read_marker(folder)
    if marker is None:
        return InUse(folder=folder, shown=name)
    return InUse(
        folder=folder,
        shown=name,
        id=marker.id,
        pylock_sha256=marker.pylock_sha256,
        finished=os.lstat(os.path.join(folder, NAME)).st_mtime,
    )


def _adopted(root: str, backend: BackendLock, host: Host) -> InUse | None:
    """The hand-made environment, if it is an environment of its own: all of /usr is not walked through."""
    try:
        place = environment(host, None, os.environ, root)
        written = os.stat(path_of(root)).st_mtime
    except (NoError, OSError):
        return None
    if not os.path.isfile(os.path.join(place.prefix, "pyvenv.cfg")):
        return None
    return InUse(
        folder=place.prefix, shown=place.prefix, id=environment_id(backend), pylock_sha256=backend.pylock_sha256,
        finished=written, adopted=True,
    )  # fmt: skip


def _shown(places: Places) -> str | None:
    try:
        return os.readlink(places.active)
    except FileNotFoundError:
        return None
    except OSError:
        return "no link"
