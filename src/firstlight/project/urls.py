"""Locations of indices and wheelhouses: what may be shown of them, what they are called."""

from __future__ import annotations

import os
from urllib.parse import unquote, urlsplit

AFTER_URL = "\"'<>` \t\r\n"
"""Signs that end a URL in running text (RFC 3986, appendix C)."""


def redact(text: str) -> str:
    """`text` with what may be secret in each URL in it replaced: what stands between `://` and `@`, and the query."""
    first, *rest = text.split("://")
    return "://".join([first, *(_bare(part) for part in rest)])


def _bare(part: str) -> str:
    end = next((place for place, sign in enumerate(part) if sign in AFTER_URL), len(part))
    url, after = part[:end], part[end:]
    plain, sign, fragment = hidden(url).partition("#")
    head, mark, query = plain.partition("?")
    closing = query[len(query.rstrip(").,;:")) :]
    return head + (f"?***{closing}" if mark else "") + sign + fragment + after


def hidden(url: str) -> str:
    """What follows `://` of a URL, with user name and password replaced: also where the password has signs that should
    have been percent-encoded, so that the authority seems to end before its `@`."""
    cut = next((place for place, sign in enumerate(url) if sign in "/?#"), len(url))
    if "@" in url[:cut]:
        return f"***@{url[:cut].rpartition('@')[2]}{url[cut:]}"
    odd = "@" in url and not _is_place(url[:cut])
    return f"***@{url.rpartition('@')[2]}" if odd else url


def _is_place(authority: str) -> bool:
    """Whether it can be a host and its port."""
    return ":" not in authority or authority.rpartition(":")[2].isdigit() or authority.endswith("]")


def is_bare_login(location: str) -> bool:
    """Whether it is `user:password@host/...`: a URL whose scheme was left out, that reads like a path."""
    first = location.partition("/")[0]
    return "://" not in location and ":" in first.rpartition("@")[0]


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
    """What the path of an index says that its builds are for: `rocm7.2` of `https://host/whl/rocm7.2/`; else empty.
    Nothing else of a URL becomes part of a name: a lock holds names, and a path, a host or a token in them is nobody's
    business and differs from machine to machine."""
    parts = without_credentials(url).partition("://")[2] or url
    found = (part.lower() for part in reversed(parts.split("?")[0].split("/")[1:]))
    return next((part for part in found if _tells_backend(part)), "")


def _tells_backend(part: str) -> bool:
    kind = part.rstrip("0123456789.")
    return (
        part == "cpu"
        or (kind in ("cu", "rocm") and kind != part)
        or (part[:3] == "gfx" and part[3:4].isdigit() and slug(part) == part)
    )


def slug(text: str) -> str:
    """Lower case; letters, digits, dots and hyphens only."""
    kept = "".join(sign if sign.isascii() and (sign.isalnum() or sign == ".") else "-" for sign in text.lower())
    return "-".join(part for part in kept.split("-") if part).strip(".")[:60]
