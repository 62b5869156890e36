"""Names and versions -> files, for an index that states no hashes: what it does state, from its own pages."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ..catalog.model import IndexFile, Trouble
from .family import is_family
from .interpreters import tags
from .model import Wheel
from .pins import Place
from .rounds import pinned
from .wheelhouse import held_wheel
from .wheels import Refused, Request, further_of


def filled(answer: Sequence[Wheel], request: Request, place: Place) -> tuple[Wheel, ...] | Refused:
    """Files of the route's own index without the hash that it does not state; all others as their index states them."""
    own = {"torch", *(name.partition("[")[0] for name in request.names)}
    mine = [wheel for wheel in answer if wheel.name in own or is_family(wheel.name)]
    place.catalog.warm((place.index, wheel.name) for wheel in mine)
    found = [_file(wheel, place) for wheel in mine]
    rest = [wheel for wheel in answer if wheel not in mine]
    places = {one.name: one for one in further_of(request)}
    elsewhere = {wheel.name: places[wheel.source] for wheel in rest if wheel.source in places}
    others = pinned([_line(wheel) for wheel in rest], request, elsewhere) if rest else ()
    if isinstance(others, Refused):
        return others
    return tuple(sorted((*found, *others), key=lambda one: one.name))


def _line(wheel: Wheel) -> str:
    return f"{wheel.name} @ {wheel.url}" if wheel.url else f"{wheel.name}=={wheel.version}"


def _file(wheel: Wheel, place: Place) -> Wheel:
    page = place.catalog.page(place.index, wheel.name)
    files = () if isinstance(page, Trouble) else page.files
    fitting = [one for one in files if _is(one, wheel)]
    allowed = tags(place.python, place.arch, place.libc)
    best = next((one for one in fitting if _fits(one, allowed)), None) or next(iter(fitting), None)
    if best is None:
        return wheel
    return msgspec.structs.replace(
        wheel, filename=best.filename, url=best.url, sha256=best.sha256 or "", size=best.size, uploaded=best.uploaded
    )


def _is(file: IndexFile, wheel: Wheel) -> bool:
    held = held_wheel("", file.filename, None)
    if held is not None:
        return held.version == wheel.version
    stem = file.filename.removesuffix(".tar.gz").removesuffix(".zip")
    return stem.rpartition("-")[2] == wheel.version


def _fits(file: IndexFile, allowed: frozenset[str]) -> bool:
    held = held_wheel("", file.filename, None)
    return held is not None and not allowed.isdisjoint(held.tags)
