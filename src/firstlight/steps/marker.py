"""What an environment was made from, written inside it when it is whole.

A folder that somebody else made (one that came with a checkout, a copy) is not taken for one of ours, and nothing in
it is run: the marker holds what nobody can give to a file in advance, the folder's number and the second in which its
`pyvenv.cfg` was last changed by the system's own clock (st_ctime). The device's number is left out: on btrfs, NFS and
overlays, and wherever disks are found in another order, it is another after each boot."""

from __future__ import annotations

import contextlib
import os

import msgspec

from ..host.durable import sync_folder

NAME = "firstlight.json"
LIMIT = 4096


class Marker(msgspec.Struct, frozen=True, kw_only=True):
    """The lock's part, and the folder."""

    id: str
    pylock_sha256: str
    python: str
    folder: tuple[int, int]
    """st_ino of the environment's folder; st_ctime of its pyvenv.cfg, whole seconds."""


def read_marker(folder: str) -> Marker | None:
    """The marker of an environment that was made here, by this user, and finished; else None."""
    try:
        with open(os.path.join(folder, NAME), "rb") as file:
            marker = msgspec.json.decode(file.read(LIMIT), type=Marker)
        ours = os.lstat(folder).st_uid == os.geteuid() and marker.folder == _folder(folder)
    except (OSError, msgspec.MsgspecError, ValueError):
        return None
    return marker if ours else None


def _folder(folder: str) -> tuple[int, int]:
    return os.lstat(folder).st_ino, int(os.lstat(os.path.join(folder, "pyvenv.cfg")).st_ctime)


def write_marker(folder: str, id: str, pylock_sha256: str, python: str) -> None:
    """Whole or not at all, and on the disk. Raises OSError."""
    marker = Marker(id=id, pylock_sha256=pylock_sha256, python=python, folder=_folder(folder))
    path = os.path.join(folder, NAME)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(f"{path}.tmp")
    with open(f"{path}.tmp", "xb") as file:
        file.write(msgspec.json.encode(marker))
        file.flush()
        os.fsync(file.fileno())
    os.replace(f"{path}.tmp", path)
    sync_folder(folder)
