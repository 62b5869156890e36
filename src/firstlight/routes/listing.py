"""What a place says that it has of torch: on disk by file names, elsewhere by its index page."""

from __future__ import annotations

import msgspec

from ..catalog.index import Catalog
from ..catalog.model import IndexFile, Trouble
from .candidates import Candidate
from .model import Because
from .reasons import no_files, none_for_linux
from .wheelhouse import HeldWheel, held_wheel


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """Its torch wheels for this kind of machine."""

    wheels: tuple[HeldWheel, ...]
    files: dict[str, IndexFile]
    """File name -> what the index says of it; empty for a folder."""
    as_of: float | None = None
    """When the index said so, if it could not be asked now; seconds since 1970."""


def listing(candidate: Candidate, catalog: Catalog, arch: str, *, offline: bool) -> Listing | Because | None:
    """None: nothing but a resolution can tell (an installer's unnamed default index, a page of links)."""
    if candidate.torch is not None:
        return Listing(wheels=candidate.torch, files={})
    if candidate.flat or not candidate.source.url:
        return None
    page = catalog.page(candidate.source.url, "torch")
    if isinstance(page, Trouble):
        return Because(page.kind, page.subject, page.text)
    if not page.files:
        return no_files(candidate.source.name)
    files = {one.filename: one for one in page.files if one.yanked is None and "linux" in one.filename}
    if not files:
        return none_for_linux(candidate.source.name, yanked=all(one.yanked is not None for one in page.files))
    held = (held_wheel("", name, arch) for name in files)
    return Listing(
        wheels=tuple(one for one in held if one is not None and one.name == "torch"),
        files=files,
        as_of=page.as_of if page.stale or offline else None,
    )
