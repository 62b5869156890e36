"""The body of a page, in whichever form the index sends it -> files."""

from __future__ import annotations

from .model import IndexFile
from .trouble import damaged, quoted

ACCEPT = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.01"
BODY = 64 << 20
"""Bytes of one page, unpacked."""
HTML = ("text/html", "application/vnd.pypi.simple.v1+html", "application/xhtml+xml")
JSON = ("application/vnd.pypi.simple.v1+json", "application/json")
CHARSETS = ("utf-8", "iso-8859-1", "us-ascii", "windows-1252")
"""Others are not decoded: some codecs of Python unpack, or take quadratic time."""


def read_page(body: bytes, content_type: str, base: str, project: str) -> tuple[IndexFile, ...]:
    """The files of the page at `base`. Raises Failed (damaged-index)."""
    kind, _, parameters = content_type.partition(";")
    kind = kind.strip().lower()
    if kind in JSON:
        return _json(body, base, project)
    if kind in HTML:
        return _html(body, parameters, base, project)
    if kind.startswith("application/vnd.pypi.simple."):
        raise damaged(f"it answers with {quoted(kind)}, which is not known", f"返回了未知的 {quoted(kind)}")
    start = body[:1000].lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    # object stores often send pages as application/octet-stream
    if start == b"{":
        return _json(body, base, project)
    if start == b"<":
        return _html(body, parameters, base, project)
    raise damaged(f"it answers with {quoted(kind)}, which is no page", f"返回的 {quoted(kind)} 不是页面")


def _json(body: bytes, base: str, project: str) -> tuple[IndexFile, ...]:
    from .simple_json import read_json

    return read_json(body, base, project)


def _html(body: bytes, parameters: str, base: str, project: str) -> tuple[IndexFile, ...]:
    from .simple_html import read_html

    said = parameters.lower().partition("charset=")[2].partition(";")[0].strip(" \"'")
    return read_html(body.decode(said if said in CHARSETS else "utf-8", "replace"), base, project)
