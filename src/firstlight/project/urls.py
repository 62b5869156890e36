"""Locations of indices and wheelhouses: what may be shown of them, what they are called."""

from __future__ import annotations

import os
from urllib.parse import unquote, urlsplit

GENERIC = ("", "simple", "whl", "index", "pypi-simple")
"""Path parts that tell nothing about an index."""

AFTER_AUTHORITY = "/?#\"'<>` \t\r\n"
"""Signs that end the authority of a URL (RFC 3986), or the URL itself in running text."""


def redact(text: str) -> str:
    """`text` with what stands between `://` and `@` of each URL in it replaced: it may be a password."""
    first, *rest = text.split("://")
    return "://".join([first, *(_bare(part) for part in rest)])


def _bare(part: str) -> str:
    end = next((place for place, sign in enumerate(part) if sign in AFTER_AUTHORITY), len(part))
    authority, at, host = part[:end].rpartition("@")
    return ("***@" if at else authority) + host + part[end:]


def without_credentials(url: str) -> str:
    """The URL with user name and password left out."""
    head, found, rest = url.partition("://")
    authority, slash, tail = rest.partition("/")
    return f"{head}{found}{authority.rpartition('@')[2]}{slash}{tail}" if found else url


def local_path(location: str) -> str | None:
    """The path that a file URL or a plain path means; None for what lies elsewhere."""
    if location.startswith("file:"):
        return unquote(urlsplit(location).path)
    return None if "://" in location else os.path.abspath(os.path.expanduser(location))


def label(url: str) -> str:
    """A short name made from the telling part of an index URL: `rocm7.2` of `https://host/whl/rocm7.2/`."""
    parts = without_credentials(url).partition("://")[2] or url
    for part in reversed(parts.split("/")[1:]):
        if part.lower() not in GENERIC:
            return slug(part)
    return slug(parts.split("/")[0]) or "index"


def slug(text: str) -> str:
    """Lower case; letters, digits, dots and hyphens only."""
    kept = "".join(sign if sign.isascii() and (sign.isalnum() or sign == ".") else "-" for sign in text.lower())
    return "-".join(part for part in kept.split("-") if part).strip(".")[:60]
