"""What a status means for us."""

from __future__ import annotations

from collections.abc import Mapping

from ..words import Words
from .trouble import Failed


def check(status: int, headers: Mapping[str, str], body: bytes, *, authorized: bool) -> None:
    """Raises Failed for everything but success."""
    if 200 <= status < 300 or status == 304:
        return
    detail = Words(f"status {status}", f"状态码 {status}")
    if status in (404, 410) or (status == 403 and not authorized and _is_store(headers, body)):
        raise Failed("not-there", detail)
    raise Failed("denied" if status in (401, 403, 407) else "server-error", detail)


def _is_store(headers: Mapping[str, str], body: bytes) -> bool:
    """S3 answers 403, not 404, for what is not there, to whoever may not list the bucket (Amazon S3, GetObject).
    PyTorch's indices answer so for each project that they do not have."""
    return headers.get("server", "").startswith("AmazonS3") or b"<Code>AccessDenied</Code>" in body
