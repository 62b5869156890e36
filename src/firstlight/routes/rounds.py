"""Resolutions of one route, until each name is looked up in the one index that it may come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import msgspec

from ..catalog import Catalog
from ..catalog.model import Page, Trouble
from ..host.scratch import scratch
from ..project.model import Source
from .family import is_family
from .model import CANNOT_TELL, Wheel
from .reasons import no_temporary_folder
from .wheelhouse import named_in
from .wheels import Refused, Request, bare, exactly, extras_of, further_of, main_of, resolve

ROUNDS = 6
"""Resolutions of one route at most: each may show further names that must come from its own index, or that the main
index lacks."""
UNASKED = ("unreachable", "offline")
T = TypeVar("T")


def solve(request: Request, catalog: Catalog) -> tuple[Wheel, ...] | Refused:
    """Every file of the environment. The torch family is looked up in the route's own index only, every other name in
    the main one; in a further index of the user only a name that the main one does not have."""
    return _in_folder(request, lambda asked, folder: _rounds(asked, folder, catalog))


def pinned(
    requirements: Sequence[str], request: Request, elsewhere: Mapping[str, Source]
) -> tuple[Wheel, ...] | Refused:
    """The files of just these, from where all but the torch family comes from. `elsewhere` as `resolve` takes it."""
    return _in_folder(request, lambda asked, folder: exactly(requirements, asked, folder, elsewhere))


def solved(requirements: Sequence[str], request: Request) -> tuple[Wheel, ...] | Refused:
    """The same with all that they need: what an sdist is built with."""
    return _in_folder(
        request, lambda asked, folder: exactly(list(dict.fromkeys(requirements)), asked, folder, deep=True)
    )


def _in_folder(request: Request, run: Callable[[Request, str], T | Refused]) -> T | Refused:
    try:
        with scratch() as folder:
            answer = run(request, folder)
            if isinstance(answer, Refused) and answer.because[0].kind in UNASKED and extras_of(request):
                second = run(msgspec.structs.replace(request, local_first=True), folder)
                return answer if isinstance(second, Refused) else second
            return answer
    except OSError as error:
        return Refused((no_temporary_folder(error.strerror or str(error)),))


def _rounds(request: Request, folder: str, catalog: Catalog) -> tuple[Wheel, ...] | Refused:
    family = ["torch", *request.names]
    elsewhere: dict[str, Source] = {}
    answer = resolve(request, folder, family, elsewhere)
    for _ in range(ROUNDS - 1):
        further = _further(answer, [bare(one) for one in family])
        found = {} if further else _served_elsewhere(answer, request, catalog, elsewhere)
        if not further and not found:
            break
        family += further
        elsewhere |= found
        answer = resolve(request, folder, family, elsewhere)
    return answer


def _further(answer: tuple[Wheel, ...] | Refused, family: Sequence[str]) -> list[str]:
    """Names of the family that this round looked up elsewhere."""
    names = _words(answer) if isinstance(answer, Refused) else [wheel.name for wheel in answer]
    return [name for name in dict.fromkeys(names) if is_family(name) and name not in family]


def _words(answer: Refused) -> list[str]:
    words = " ".join(link.text.en for link in answer.because if link.kind == "resolver")
    return [word.strip("`,.()") for word in words.replace("=", " ").replace("<", " ").replace(">", " ").split()]


def _served_elsewhere(
    answer: tuple[Wheel, ...] | Refused, request: Request, catalog: Catalog, known: Mapping[str, Source]
) -> dict[str, Source]:
    """Names that the main index does not have -> the first further place of the user that has them."""
    if not isinstance(answer, Refused) or answer.because[0].kind in CANNOT_TELL:
        return {}
    found: dict[str, Source] = {}
    for name in _not_found(answer):
        if name not in known and not is_family(name) and _lacks(main_of(request), name, catalog):
            places = further_of(request)
            first = next((one for one in places if _has(one, name, catalog)), None)
            if first is not None:
                found[name] = first
    return found


def _lacks(main: Source | None, name: str, catalog: Catalog) -> bool:
    """Whether the main index itself says that it has no such name. One that refuses to answer says nothing: uv takes a
    401 or 403 for a no, and another index would then take the name over. The installer's own default index, which has
    no address here, answers everybody."""
    if main is None or not main.url:
        return True
    page = catalog.page(main.url, name)
    return isinstance(page, Trouble) and page.kind == "not-there"


def _has(place: Source, name: str, catalog: Catalog) -> bool:
    if place.kind == "index":
        return isinstance(catalog.page(place.url, name), Page)
    page = catalog.links(place.url)
    return isinstance(page, Page) and any(named_in(one.filename) == name for one in page.files)


def _not_found(answer: Refused) -> list[str]:
    """uv says `because NAME was not found in the package registry`."""
    sentences = [link.text.en for link in answer.because if link.kind == "resolver"]
    parts = [part for text in sentences for part in text.split(" was not found in the ")[:-1]]
    return list(dict.fromkeys(part.split()[-1].strip("`,.()").lower() for part in parts if part.split()))
