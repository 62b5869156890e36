"""What an environment was made from, written inside it when it is whole.

A folder that somebody else made (one that came with a checkout, a copy) is not taken for one of ours, and nothing in
it is run: the marker holds the number of the very folder it was written into, which nobody can give to a file in
advance."""

from __future__ import annotations

import contextlib
import os

import msgspec

NAME = "firstlight.json"
LIMIT = 4096


class Marker(msgspec.Struct, frozen=True, kw_only=True):
    """The lock's part, and the folder."""

    id: str
    pylock_sha256: str
    python: str
    folder: tuple[int, int]
    """st_dev and st_ino of the environment's folder."""


def read_marker(folder: str) -> Marker | None:
    """The marker of an environment that was made here, by this user, and finished; else None."""
    try:
        found = os.lstat(folder)
        with open(os.path.join(folder, NAME), "rb") as file:
            marker = msgspec.json.decode(file.read(LIMIT), type=Marker)
    except (OSError, msgspec.MsgspecError, ValueError):
        return None
    ours = found.st_uid == os.geteuid() and marker.folder == (found.st_dev, found.st_ino)
    return marker if ours else None


def write_marker(folder: str, id: str, pylock_sha256: str, python: str) -> None:
    """Whole or not at all. Raises OSError."""
    found = os.lstat(folder)
    marker = Marker(id=id, pylock_sha256=pylock_sha256, python=python, folder=(found.st_dev, found.st_ino))
    path = os.path.join(folder, NAME)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(f"{path}.tmp")
    with open(f"{path}.tmp", "xb") as file:
        file.write(msgspec.json.encode(marker))
        file.flush()
        os.fsync(file.fileno())
    os.replace(f"{path}.tmp", path)
