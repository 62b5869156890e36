"""Freeze what is already on this hand-made machine."""

from __future__ import annotations

import os
from collections.abc import Callable

import msgspec

from ..catalog.index import Catalog
from ..catalog.model import IndexFile
from ..host import open_host
from ..host.scratch import scratch
from ..lockfile.adopt import adopt as taken
from ..lockfile.files import write
from ..progress import Reporter
from ..project.settings import Flags
from ..routes.model import Wheel
from ..words import Lang
from .facts import read
from .lock import LockAnswer, answer
from .place import wanted


class AdoptRequest(msgspec.Struct, frozen=True, kw_only=True):
    """For which project, and the environment: its folder or its python. None: the active one, else the project's."""

    project: str | None = None
    flags: Flags = Flags()
    environment: str | None = None
    lang: Lang = "en"


def adopt(request: AdoptRequest, reporter: Reporter) -> LockAnswer:
    """Lock exactly what is installed there. What cannot be had again is named in the lock, which is written all the
    same. Raises NoError where there is nothing to adopt."""
    project = wanted(request.project, request.flags)
    host = open_host("live")
    facts = read(host, project.root)
    with scratch() as folder:
        agrees = comparing(Catalog(project.sources), folder)
        found = taken(project, facts, host, request.environment, agrees=agrees, reporter=reporter)
    lock = write(project.root, found.lock, found.pylock)
    return msgspec.structs.replace(
        answer(project.root, lock, request.lang), environment=found.environment, left_out=found.left_out
    )


def comparing(catalog: Catalog, folder: str) -> Callable[[Wheel, str], bool | None]:
    """An index that serves METADATA by itself keeps it beside the wheel (PEP 658)."""

    def agrees(wheel: Wheel, sha256: str) -> bool | None:
        name = f"{wheel.filename}.metadata"
        file = IndexFile(filename=name, url=f"{wheel.url}.metadata", sha256=sha256)
        try:
            trouble = catalog.fetch(file, os.path.join(folder, name))
        except OSError:
            return None
        if trouble is None:
            return True
        return False if trouble.kind == "wrong-hash" else None

    return agrees
