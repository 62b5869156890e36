"""Addresses of indices and files: taken apart, checked, shown without what is secret."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit

import msgspec

from ..project.urls import hidden, local_path
from .trouble import Failed, damaged, quoted

LONGEST = 8192
"""Characters of one address."""
PORTS = {"http": 80, "https": 443}
HOST_SIGNS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789.-_:")
PLAIN = "".join(chr(code) for code in range(33, 127))
"""What a link may hold as it is; spaces and all else are percent-encoded, as browsers do."""


class Address(msgspec.Struct, frozen=True, kw_only=True):
    """One address on the network."""

    url: str
    """Absolute, `http:` or `https:`; without fragment, user name or password."""
    origin: str
    """Scheme, host and port: what credentials are bound to."""
    host: str
    user: str | None = None
    password: str = ""

    @property
    def secure(self) -> bool:
        """Whether nobody between can change what is read from it."""
        return self.url.startswith("https:")


def parse(url: str) -> Address:
    """Take an http(s) address apart. It is put together again from its parts, so that all readers of it agree on the
    host. Raises Failed (damaged-index)."""
    parts, host, port = _split(url)
    if parts.scheme not in PORTS or not host or not set(host) <= HOST_SIGNS:
        raise _bad(url)
    name = f"[{host}]" if ":" in host else host
    place = name if port in (None, PORTS[parts.scheme]) else f"{name}:{port}"
    query = f"?{parts.query}" if parts.query else ""
    return Address(
        url=f"{parts.scheme}://{place}{parts.path or '/'}{query}",
        origin=f"{parts.scheme}://{name}:{port or PORTS[parts.scheme]}",
        host=host,
        user=unquote(parts.username) if parts.username is not None else None,
        password=unquote(parts.password or ""),
    )


def _split(url: str) -> tuple[SplitResult, str, int | None]:
    if len(url) > LONGEST or "\\" in url or " " in url or not url.isprintable():
        raise _bad(url)
    try:
        parts = urlsplit(url)
        return parts, (parts.hostname or "").lower(), parts.port
    except ValueError as error:  # an unclosed bracket, a port that is no number
        raise _bad(url) from error


def _bad(url: str) -> Failed:
    text = quoted(shown(url))
    return damaged(f"{text} is no address of a file", f"{text} 不是有效的文件地址")


def shown(url: str) -> str:
    """What may be told of an address: no user name, password, query or fragment, where a secret may stand."""
    head, found, rest = url.partition("://")
    if not found:
        return url.partition("?")[0].partition("#")[0]
    return f"{head}{found}{hidden(rest).removeprefix('***@').partition('?')[0].partition('#')[0]}"


def linked(base: str, href: str) -> tuple[str, str]:
    """(address without fragment and credentials, fragment) of a link on the page at `base`; ("", "") for a link that
    is no file: a mail address, a place on the page itself. Raises Failed for one that leads out of the network, or
    from the network to this disk."""
    href = href.strip(" \t\r\n\f")
    plain = _plain().fullmatch(href) if base.startswith("http") and len(href) < 2000 else None
    if plain is None:
        return _resolved(base, href)
    origin, path, fragment = plain.groups("")
    if origin:
        return _bare_origin(origin) + path, fragment
    root, folder = _parts(base)
    return (root + path if path.startswith("/") else folder + path), fragment


@cache
def _plain() -> re.Pattern[str]:
    """Links as indices write them, which need no thought: they are told apart twenty times as fast."""
    part = r"[A-Za-z0-9_%+~-][A-Za-z0-9_%+~.-]*"
    return re.compile(rf"(?:(https?://[a-z0-9.-]+)(?=/))?(/?(?:{part}/)*{part})(?:#([!-~]*))?")


@lru_cache(maxsize=256)
def _bare_origin(origin: str) -> str:
    return parse(origin).url[:-1]


@lru_cache(maxsize=256)
def _parts(base: str) -> tuple[str, str]:
    """What a link is put behind: with a leading slash, without one."""
    url = parse(base).url
    return url[: url.index("/", 8)], url.partition("?")[0].rpartition("/")[0] + "/"


def _resolved(base: str, href: str) -> tuple[str, str]:
    href = quote(href, safe=PLAIN, errors="replace")
    try:
        absolute, _, fragment = urljoin(base, href).partition("#")
    except ValueError as error:
        raise _bad(href) from error
    scheme = absolute.partition(":")[0].lower()
    if href.startswith("#") or scheme == "mailto":
        return "", ""
    if scheme == "file" and base.startswith("file:"):
        return absolute, fragment
    if scheme not in PORTS:
        text = quoted(shown(href))
        raise damaged(f"it links to {text}, which is not on the network", f"它链接到 {text}，不是网络地址")
    return parse(absolute).url, fragment


def project_page(index: str, project: str) -> str:
    """The address of a project's page; a query of the index's own is kept."""
    head, mark, query = index.partition("#")[0].partition("?")
    return f"{head.rstrip('/')}/{project}/{mark}{query}"


def on_disk(location: str) -> str | None:
    """The path that a file URL, or a plain path, means; None for what is on the network."""
    return local_path(location) if location.startswith("file:") or "://" not in location else None


def file_url(path: str) -> str:
    """The file URL of an absolute path."""
    return "file://" + quote(path)
