"""A simple index on disk (PEP 503): a folder for each project, with a page of links to its files."""

from __future__ import annotations

import os
from urllib.parse import urljoin

from .urls import local_path

PAGE_LIMIT = 8 << 20
"""Characters read of one page."""
LINK_LIMIT = 20_000


def linked(index: str, project: str) -> list[str]:
    """Paths on this disk of the files that the page of `project` links to; none if there is no such page."""
    page = os.path.join(index, project, "index.html")
    try:
        with open(page, encoding="utf-8", errors="replace") as file:
            text = file.read(PAGE_LIMIT)
    except (OSError, ValueError):
        return []
    paths = (_target(page, href) for href in _hrefs(text)[:LINK_LIMIT])
    return [path for path in paths if path is not None]


def _target(page: str, href: str) -> str | None:
    try:
        path = local_path(urljoin(f"file://{page}", href.split("#", maxsplit=1)[0]))
    except ValueError:  # such as an unclosed bracket in the authority
        return None
    return os.path.normpath(path) if path else None


def _hrefs(page: str) -> list[str]:
    from html.parser import HTMLParser

    found: list[str] = []

    class Links(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.extend(value for name, value in attrs if tag == "a" and name == "href" and value)

    Links(convert_charrefs=True).feed(page)
    return found
