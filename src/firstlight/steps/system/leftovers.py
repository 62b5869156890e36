"""What a change of packages does beside the packages' own files: configuration, caches, accounts, dpkg's record."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Sequence

from ...errors import NoError
from . import tree
from .dpkg_status import MARKS, STATUS, Entry, Key, entry, paragraphs
from .files import ABSENT, FileState
from .ground import Ground
from .kept import Keeper, Kept
from .status_file import put_back_marks, put_back_status

ETC = "/etc"
INFO = "/var/lib/dpkg/info"
ALTERNATIVES = "/var/lib/dpkg/alternatives"
SMALL = 1 << 20
"""Bytes of a file outside /etc that belongs to no package, up to which its content is kept."""
AT_MOST = 5000
NEW_TOPS = ("/var/lib/", "/opt/")
"""Here only what stands under a newly made name is taken for the installation's own work."""
SHARED = ("/usr/", "/boot/grub/", "/var/lib/ucf/", "/var/lib/pam/", "/var/lib/xml-core/", "/var/lib/sgml-base/",
          "/var/lib/dictionaries-common/", "/var/lib/emacsen-common/", "/var/lib/systemd/deb-systemd-")  # fmt: skip
"""Where maintainer scripts of several packages write into one file. Of /var/lib as a whole running services are the
masters: nothing of theirs is put back."""


def keep(ground: Ground, keeper: Keeper, entries: Sequence[Entry]) -> None:
    """Before the change. `entries`: what dpkg knows of its packages by then. Raises NoError."""
    for path in (*below(ground, ETC), *below(ground, ALTERNATIVES), *_records(ground, entries)):
        _try(keeper, path)
    paths, small = [], []
    lists = [name for name in ground.names(INFO) if name.endswith(".list")]
    owned = tree.owned(ground, lists)
    for path, (kind, size, _) in tree.walk(ground):
        paths.append(path)
        if kind == "file" and size <= SMALL and path.startswith(SHARED) and path not in owned:
            small.append(path)
    for path in [one for one in small if "/__pycache__/" not in one][:AT_MOST]:
        _try(keeper, path)
    tree.save(paths, os.path.join(keeper.folder, "tree.zst"))


def _records(ground: Ground, entries: Sequence[Entry]) -> list[str]:
    """dpkg's and apt's own files."""
    names = {one.name for one in entries}
    info = [f"{INFO}/{name}" for name in ground.names(INFO) if name.rpartition(".")[0].partition(":")[0] in names]
    return [STATUS, MARKS, *info]


def _try(keeper: Keeper, path: str) -> None:
    """What lies in a folder that others may write in is not ours to put back."""
    with contextlib.suppress(NoError):
        keeper.keep(path)


def below(ground: Ground, folder: str) -> list[str]:
    """Every path below a folder, links not followed."""
    found = []
    for here, folders, files in os.walk(ground.at(folder)):
        found += [ground.inside(os.path.join(here, name)) for name in (*folders, *files)]
    return sorted(found)


def before_status(kept: Kept) -> dict[Key, Entry]:
    """What dpkg knew before the change."""
    state = kept.before.files.get(STATUS, ABSENT)
    with open(os.path.join(kept.folder, "blobs", state.sha256), encoding="utf-8", errors="surrogateescape") as file:
        entries = (entry(text) for text in paragraphs(file.read()))
        return {one.key: one for one in entries if one is not None}


def made(ground: Ground, kept: Kept, keys: Iterable[Key]) -> list[str]:
    """After the change: the paths whose state a rollback must know. Among them what is new and belongs to no
    package."""
    etc = [*below(ground, ETC), *below(ground, ALTERNATIVES)]
    known = tree.load(os.path.join(kept.folder, "tree.zst"))
    names = {name for name, _ in keys}
    lists = [one for one in ground.names(INFO) if one.endswith(".list") and one[:-5].partition(":")[0] in names]
    owned = tree.owned(ground, lists)
    new = [path for path, _ in tree.walk(ground) if path not in known and path not in owned]
    return [*etc, *(path for path in new if known and _is_the_installations(path, known))]


def _is_the_installations(path: str, known: set[str]) -> bool:
    top = next((one for one in NEW_TOPS if path.startswith(one)), None)
    if top is None:
        return True
    return top + path[len(top) :].partition("/")[0] not in known


def put_back(ground: Ground, kept: Kept, keys: Sequence[Key]) -> None:
    """After the packages are what they were. Raises NoError."""
    records = {STATUS, MARKS, *(path for path in kept.before.files if path.startswith(f"{INFO}/"))}
    after = kept.after.files if kept.after else _present(ground, kept)
    kept.restore_all([path for path in {**kept.before.files, **after} if path not in records])
    put_back_status(ground, kept, keys)
    put_back_marks(ground, kept, keys)


def _present(ground: Ground, kept: Kept) -> dict[str, FileState]:
    """Of a change that was cut off: what lies in /etc now, and what is new elsewhere and belongs to no package."""
    known = tree.load(os.path.join(kept.folder, "tree.zst"))
    owned = tree.owned(ground, [name for name in ground.names(INFO) if name.endswith(".list")])
    new = [path for path, _ in tree.walk(ground) if path not in known and path not in owned]
    ours = [path for path in new if known and _is_the_installations(path, known)]
    return dict.fromkeys([*below(ground, ETC), *below(ground, ALTERNATIVES), *ours], ABSENT)
