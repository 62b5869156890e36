"""A page of links (PEP 503, PEP 592, PEP 629, PEP 658, PEP 714), or a find-links page.

Read in one pass of our own: the standard library's parser takes quadratic time for some pages until Python 3.13.4
(CVE-2025-6069), and ten times as long for honest ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from typing import NamedTuple
from urllib.parse import unquote, urljoin

from .address import linked
from .links import FILES, checked_hash, files_of, plain
from .model import IndexFile
from .trouble import damaged, quoted

RAW = ("script", "style", "title", "textarea")
"""Elements whose content is text, whatever it looks like (HTML standard 13.1.2)."""
TAGS = ("a", "base", "meta")
MAJOR = "1"


class Tag(NamedTuple):
    """One opening tag; of attributes that stand twice, the first counts."""

    name: str
    attributes: dict[str, str]


def read_html(text: str, base: str, project: str) -> tuple[IndexFile, ...]:
    """Files of `project` (empty: of every project) in the page's order. Raises Failed (damaged-index)."""
    return files_of(_files(text, base), project, base)


def _files(text: str, base: str) -> Iterator[IndexFile | None]:
    count, based = 0, False
    for tag in tags(text):
        if tag.name == "base" and not based and "href" in tag.attributes:
            base, based = _rebased(base, tag.attributes["href"]), True
        elif tag.name == "meta":
            _check_version(tag.attributes)
        elif tag.name == "a" and "href" in tag.attributes:
            count += 1
            if count > FILES:
                raise damaged(f"it lists more than {FILES} files", f"所列文件超过 {FILES} 个")
            yield _file(tag.attributes, base)


def _rebased(base: str, href: str) -> str:
    """The base for all links; it obeys the rules for links itself."""
    linked(base, href)
    return urljoin(base, href.strip())


def _check_version(attributes: dict[str, str]) -> None:
    """PEP 629: a page of another major version means something else."""
    said = attributes.get("content", "")
    if attributes.get("name", "").lower() == "pypi:repository-version" and said.partition(".")[0] != MAJOR:
        raise damaged(f"its page is of version {quoted(said)}, which is not known", f"页面版本 {quoted(said)} 未知")


def _file(attributes: dict[str, str], base: str) -> IndexFile | None:
    url, fragment = linked(base, attributes["href"])
    if not url:
        return None
    digest = next((part[7:] for part in fragment.split("&") if part.startswith("sha256=")), None)
    said = attributes.get("data-core-metadata", attributes.get("data-dist-info-metadata"))
    method, _, metadata_digest = (said or "").partition("=")
    return IndexFile(
        filename=unquote(url.partition("?")[0].rpartition("/")[2]), url=url, sha256=checked_hash(digest),
        yanked=plain(attributes.get("data-yanked")),
        requires_python=plain(attributes.get("data-requires-python")) or None,
        metadata=said is not None and said.lower() != "false",
        metadata_sha256=checked_hash(metadata_digest) if method == "sha256" else None,
    )  # fmt: skip


def tags(text: str) -> Iterator[Tag]:
    """The opening tags that matter. Each sign is looked at a bounded number of times."""
    place = text.find("<")
    while place >= 0:
        found = _opening().match(text, place)
        if found is not None:
            name = found.group(1).lower()
            attributes, place = _attributes(text, found.end())
            if name in TAGS:
                yield Tag(name, attributes)
            if name in RAW:
                place = _end_of_raw(text, name, place)
        elif text.startswith("<!--", place):
            place = _after(text, "-->", place + 2)
        elif text.startswith(("</", "<!", "<?"), place):
            place = _after(text, ">", place)
        else:
            place += 1
        if place >= 0:
            place = text.find("<", place)


def _after(text: str, sign: str, place: int) -> int:
    found = text.find(sign, place)
    return found + len(sign) if found >= 0 else -1


def _end_of_raw(text: str, name: str, place: int) -> int:
    found = _closing(name).search(text, place)
    return found.start() if found else -1


def _attributes(text: str, place: int) -> tuple[dict[str, str], int]:
    found: dict[str, str] = {}
    while (one := _attribute().match(text, place)) is not None:
        place = one.end()
        name, value = one.group(1), one.group(2)
        if name:
            plain = value[1:-1] if value and value[0] in "\"'" and value[0] == value[-1] and len(value) > 1 else value
            found.setdefault(name.lower(), unescape(plain) if plain else "")
        elif not one.group(0):
            break
    return found, place


@cache
def _opening() -> re.Pattern[str]:
    return re.compile(r"<([a-zA-Z][^\s/>]*)")


@cache
def _closing(name: str) -> re.Pattern[str]:
    return re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE)


@cache
def _attribute() -> re.Pattern[str]:
    """White space and slashes, then a name, then perhaps a value: what is left at `>` or at the end is empty."""
    return re.compile(r"""[\s/]*(?:([^\s/>=][^\s/>=]*)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>]*))?)?""")
