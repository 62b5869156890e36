"""The tarball of a declared route, fetched when that route was asked for by name."""

from __future__ import annotations

import contextlib
import os

from ..catalog.index import Catalog
from ..catalog.model import IndexFile
from ..errors import CannotTell, NoError
from ..host.state import private
from ..project.model import Project
from ..project.urls import local_path
from ..words import Words
from .archives import archives_folder, open_archive, opened
from .declared_reasons import cannot_fetch
from .model import Because

UNSURE = ("unreachable", "offline", "server-error", "denied", "bad-certificate")
"""Troubles that say nothing about the file."""

_GONE_WRONG = Words("the route {name} cannot be frozen", "无法锁定路线 {name}")
_NEXT = Words("mend its declaration, or choose another route", "请修正其声明，或选择其他路线")


def have_declared(project: Project, *, cache: str | None = None) -> None:
    """Fetch what the route that was asked for needs to be looked into at all. Raises NoError where that fails,
    CannotTell where its place could not be reached."""
    trouble = fetch_declared(project, cache=cache)
    if trouble is not None:
        unsure = trouble.kind in UNSURE
        raise (CannotTell if unsure else NoError)(
            _GONE_WRONG.fill(name=project.goal.route), why=trouble.text, next=_NEXT
        )


def fetch_declared(project: Project, *, cache: str | None = None) -> Because | None:
    """Fetch and open the tarball of the route that the goal names, if it is one from elsewhere that is not here yet.
    A Because tells why that failed; None: it is here, or there is nothing to fetch."""
    asked = project.goal.route
    route = next((one for one in project.routes if one.name == asked and one.kind == "tarball"), None)
    if route is None or route.sha256 is None or local_path(route.url) is not None or opened(route.sha256, cache):
        return None
    try:
        folder = private(archives_folder(cache))
    except OSError as error:
        return cannot_fetch("unreadable", route.name, error.strerror or "", error.strerror or "")
    path = os.path.join(folder, f"{route.sha256}.{os.getpid()}.archive")
    try:
        trouble = Catalog(project.sources, cache and os.path.join(cache, "catalog")).fetch(
            IndexFile(filename=os.path.basename(path), url=route.url, sha256=route.sha256), path
        )
        if trouble is not None:
            return cannot_fetch(trouble.kind, route.name, trouble.text.en, trouble.text.zh)
        found = open_archive(path, route.sha256, route.name, cache)
    except OSError as error:
        return cannot_fetch("unreadable", route.name, error.strerror or "", error.strerror or "")
    finally:
        with contextlib.suppress(OSError):
            os.unlink(path)
    return found if isinstance(found, Because) else None
