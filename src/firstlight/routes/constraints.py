"""Constraints files (pip's format): what they say of versions, and nothing of where files come from.

pip and uv take `--extra-index-url` and the like from such a file too. An index that came in that way would be asked for
every name: only what names a package is passed on."""

from __future__ import annotations

import os
from collections.abc import Sequence
from urllib.parse import urljoin

import msgspec

from ..catalog import Catalog
from ..catalog.model import Trouble
from ..project.urls import local_path, redact
from .addresses import unlockable
from .model import Because
from .reasons import bad_constraint, no_file

LARGEST = 1 << 20
"""Bytes of one file."""
FILES = 50
INCLUDES = ("--requirement", "--constraint", "-r", "-c")


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """All constraints together."""

    lines: tuple[str, ...] = ()
    """PEP 508 requirements."""
    left_out: tuple[str, ...] = ()
    """Options in them that were not followed, such as `--extra-index-url`; credentials left out."""


def read_constraints(paths: Sequence[str], catalog: Catalog) -> Limits | Because:
    """Also of the files that they include. A Because that names the file, and the line, which cannot be used."""
    lines: list[str] = []
    options: list[str] = []
    left, seen = list(paths), set[str]()
    while left:
        path = left.pop(0)
        if path in seen or len(seen) >= FILES:
            continue
        seen.add(path)
        text = _text(path, catalog)
        if isinstance(text, Because):
            return text
        for number, line in enumerate(_said(text), 1):
            stop = _sort(line, path, lines, options, left)
            if stop is not None:
                return bad_constraint(redact(path), number, redact(stop))
    return unlockable(lines) or Limits(lines=tuple(lines), left_out=tuple(dict.fromkeys(options)))


def _text(path: str, catalog: Catalog) -> str | Because:
    place = local_path(path)
    if place is None:
        found = catalog.text(path)
        return Because(found.kind, found.subject, found.text) if isinstance(found, Trouble) else found
    try:
        # a pipe must not be waited for
        with open(os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            return file.read(LARGEST).decode("utf-8-sig", "replace")
    except (OSError, ValueError) as error:
        return no_file(path, getattr(error, "strerror", None) or str(error))


def _said(text: str) -> list[str]:
    """Its lines without remarks; one that ends in a backslash goes on in the next."""
    joined = text.replace("\\\r\n", "").replace("\\\n", "").splitlines()
    return [f" {line}".partition(" #")[0].strip() for line in joined]


def _sort(line: str, path: str, lines: list[str], options: list[str], left: list[str]) -> str | None:
    """Put a line where it belongs; why it cannot be used, if it cannot."""
    included = next((line[len(one) :].lstrip(" =") for one in INCLUDES if line.startswith(one)), None)
    if included:
        left.append(_beside(path, included))
    elif line.startswith("-"):
        options.append(line.partition("=")[0].split()[0])
    elif line:
        return _constraint(line.partition(" --")[0].strip(), lines)
    return None


def _beside(path: str, said: str) -> str:
    """A file that another one includes. One on the network cannot name one on this disk."""
    if local_path(path) is None:
        return urljoin(path, said) if not said.startswith("file:") else urljoin(path, said.rpartition("/")[2])
    return said if "://" in said else os.path.join(os.path.dirname(local_path(path) or path), said)


def _constraint(said: str, lines: list[str]) -> str | None:
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        Requirement(said)
    except (InvalidRequirement, RecursionError) as error:
        return str(error).splitlines()[0]
    lines.append(said)
    return None
