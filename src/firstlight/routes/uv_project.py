"""The throw-away pyproject.toml that makes uv take the torch family from one index and all else from the others."""

from __future__ import annotations

import html
import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from urllib.parse import quote

from ..catalog.model import Metadata
from ..project.model import Source
from ..project.urls import local_path

INDEX = "route"
NOTHING: Mapping[str, Source] = MappingProxyType({})


def project_text(
    requirements: Sequence[str],
    family: Sequence[str],
    location: str,
    *,
    flat: bool,
    python: str,
    sdists: Sequence[Metadata] = (),
    elsewhere: Mapping[str, Source] = NOTHING,
) -> str:
    """`location` is the route's own index, or a folder or page of wheels if `flat`; empty: uv's default index.
    `sdists`: what packages require that are published as sdists only, so that none is built to know it. `elsewhere`:
    name -> the further place that alone serves it."""
    import tomli_w

    index: dict[str, object] = {"name": INDEX, "url": location, "explicit": True}
    if flat:
        index["format"] = "flat"
    places = {one.url: f"extra-{number}" for number, one in enumerate(elsewhere.values())}
    flats = {one.url: {"format": "flat"} for one in elsewhere.values() if one.kind == "folder"}
    indices = [index] if location else []
    indices += [
        {"name": name, "url": _url(url), "explicit": True, **flats.get(url, {})} for url, name in places.items()
    ]
    sources = {name: {"index": INDEX} for name in family} if location else {}
    sources |= {name: {"index": places[one.url]} for name, one in elsewhere.items()}
    uv: dict[str, object] = {"index": indices, "sources": sources} if indices else {}
    if sdists:
        uv["dependency-metadata"] = [_static(one) for one in sdists]
    return tomli_w.dumps({
        "project": {
            "name": "firstlight-request", "version": "0", "requires-python": f">={python}",
            "dependencies": list(requirements),
        },
        "tool": {"uv": uv},
    })  # fmt: skip


def _url(location: str) -> str:
    path = local_path(location)
    return location if path is None else f"file://{quote(path)}"


def _static(about: Metadata) -> dict[str, object]:
    """A package may require itself, for its extras: uv must not see that twice."""
    needs = [text for text in about.requires if _name_of(text) not in (None, about.name)]
    return {"name": about.name, "version": about.version, "requires-dist": needs, "provides-extra": list(about.extras)}


def _name_of(text: str) -> str | None:
    from packaging.requirements import InvalidRequirement, Requirement
    from packaging.utils import canonicalize_name

    try:
        return canonicalize_name(Requirement(text).name)
    except InvalidRequirement:
        return None


def page_of(paths: Sequence[str]) -> str:
    """An HTML page that links to wheels on disk: a wheelhouse from which other backends' builds are left out."""
    names = ((quote(os.path.abspath(path)), html.escape(os.path.basename(path))) for path in paths)
    links = (f'<a href="file://{path}">{name}</a>' for path, name in names)
    return "<!DOCTYPE html><html><body>\n" + "<br>\n".join(links) + "\n</body></html>\n"


def requirements_of(torch: str, packages: Sequence[str], family: Sequence[str]) -> list[str]:
    """The requirement of `torch`, the user's packages, and the rest of the family that must come from this route."""
    named = {_name_of(text) for text in packages}
    first = [torch] if torch != "torch" or "torch" not in named else []
    rest = [text for text in family if (name := _name_of(text)) != "torch" and name not in named]
    return [*first, *packages, *rest]
