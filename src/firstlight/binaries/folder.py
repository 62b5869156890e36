"""Folders on disk."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from .choice import tells, worth
from .gathering import Gathering
from .model import Fault, Piece, Report
from .reading import read
from .source import Disk
from .unpacking import Budget, spending

MOST_FILES = 1_000_000
DEEPEST = 64
_HEAD = 1024


def read_folder(path: str) -> Report:
    """What the files in a folder hold; links are not followed, so that each file counts once."""
    gathering = Gathering()
    gather(path, (path,), gathering)
    return Report(
        path=path,
        kind="folder",
        pieces=tuple(gathering.pieces),
        others=gathering.others,
        faults=tuple(gathering.faults),
    )


def gather(base: str, tops: Iterable[str], gathering: Gathering) -> None:
    """The files in those folders, or those files, named from `base` on."""
    count = 0
    budget = Budget(0)
    with spending(budget):
        for top in tops:
            for file in files(top, base, gathering):
                count += 1
                if count > MOST_FILES:
                    detail = f"more than {MOST_FILES} files"
                    gathering.fault(Fault(kind="too-large", where=_named(top, base), detail=detail))
                    return
                if not _add(file, base, gathering, budget):
                    return


def files(top: str, base: str, gathering: Gathering) -> Iterator[str]:
    """Regular files of a folder and those in it, in the order of their names."""
    waiting = [(top, 0)]
    while waiting:
        folder, depth = waiting.pop()
        try:
            with os.scandir(folder) as found:
                entries = sorted(found, key=lambda one: one.name)
        except NotADirectoryError:
            yield folder
            continue
        except OSError as error:
            gathering.fault(_denied(_named(folder, base), error))
            continue
        for entry in entries:
            if entry.is_file(follow_symlinks=False):
                yield entry.path
        below = [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
        if depth >= DEEPEST and below:
            gathering.fault(Fault(kind="too-large", where=_named(folder, base), detail="folders nested too deep"))
        else:
            waiting += [(one, depth + 1) for one in reversed(below)]


def _add(file: str, base: str, gathering: Gathering, budget: Budget) -> bool:
    name = _named(file, base)
    try:
        return gathering.add(name, lambda: _read(file, name, budget))
    except OSError as error:
        gathering.fault(_denied(name, error))
        return True


def _read(file: str, name: str, budget: Budget) -> Piece | None:
    choice = worth(name)
    if choice == "no":
        return None
    with Disk(file) as disk:
        budget.more(disk.size)
        if not disk.size or (choice == "head" and not tells(disk.read(0, _HEAD))):
            return None
        return read(disk, name)


def _named(file: str, base: str) -> str:
    return os.path.relpath(file, base).encode("utf-8", "replace").decode()


def _denied(name: str, error: OSError) -> Fault:
    return Fault(kind="denied", where=name, detail=error.strerror or "it cannot be read")
