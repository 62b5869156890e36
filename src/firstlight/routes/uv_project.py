"""The throw-away pyproject.toml that makes uv take the torch family from one index and all else from the others."""

from __future__ import annotations

import html
import os
from collections.abc import Sequence
from urllib.parse import quote

INDEX = "route"


def project_text(requirements: Sequence[str], family: Sequence[str], location: str, *, flat: bool, python: str) -> str:
    """`location` is the route's own index, or a folder or page of wheels if `flat`; empty: uv's default index."""
    import tomli_w

    index: dict[str, object] = {"name": INDEX, "url": location, "explicit": True}
    if flat:
        index["format"] = "flat"
    return tomli_w.dumps({
        "project": {
            "name": "firstlight-request", "version": "0", "requires-python": f">={python}",
            "dependencies": list(requirements),
        },
        "tool": {"uv": {"index": [index], "sources": {name: {"index": INDEX} for name in family}} if location else {}},
    })  # fmt: skip


def page_of(paths: Sequence[str]) -> str:
    """An HTML page that links to wheels on disk: a wheelhouse from which other backends' builds are left out."""
    names = ((quote(os.path.abspath(path)), html.escape(os.path.basename(path))) for path in paths)
    links = (f'<a href="file://{path}">{name}</a>' for path, name in names)
    return "<!DOCTYPE html><html><body>\n" + "<br>\n".join(links) + "\n</body></html>\n"


def requirements_of(torch: str | None, packages: Sequence[str], family: Sequence[str]) -> list[str]:
    """`torch` in the wanted range, the user's packages, and the rest of the family that must come from this route."""
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    named = {canonicalize_name(Requirement(text).name) for text in packages}
    first = [f"torch{torch or ''}"] if torch or "torch" not in named else []
    rest = [name for name in family if name != "torch" and name not in named]
    return [*first, *packages, *rest]
