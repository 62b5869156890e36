"""Parts of a file on the network (RFC 9110, range requests)."""

from __future__ import annotations

from ..words import Words
from .fetch import PLANNING, TOTAL, Network, Reply, once_more
from .statuses import check
from .trouble import Failed, damaged


class NoParts(Failed):
    """The server sends only whole files."""


def part(network: Network, url: str, offset: int, length: int) -> bytes:
    """Exactly those bytes. Raises Failed."""
    return once_more(lambda: _part(network, url, offset, length))


def total_size(network: Network, url: str) -> int:
    """Bytes of the whole file, told with its first one. Raises Failed."""
    return once_more(lambda: _total_size(network, url))


def ending(network: Network, url: str, length: int) -> tuple[bytes, int]:
    """The last bytes, at most `length`, and the size of the whole file; nothing but the size where the server knows no
    ranges counted from the end (RFC 9110, 14.1.2: it may ignore them). Raises Failed."""
    try:
        return once_more(lambda: _ending(network, url, length))
    except Failed:
        return b"", total_size(network, url)


def _ending(network: Network, url: str, length: int) -> tuple[bytes, int]:
    with network.opened("GET", url, {"Range": f"bytes=-{length}"}) as reply:
        _check_part(reply)
        first, last, total = _content_range(reply)
        if last != total - 1 or first != max(0, total - length):
            raise damaged("its server sends another part than was asked for", "服务器返回的片段与请求不符")
        body = reply.whole(total - first, PLANNING)
    if len(body) != total - first:
        raise damaged("its server sends less than it says", "服务器返回的内容少于其所述")
    return body, total


def _total_size(network: Network, url: str) -> int:
    with network.opened("GET", url, {"Range": "bytes=0-0"}) as reply:
        _check_part(reply)
        total = _content_range(reply)[2]
        reply.whole(1, PLANNING)
        return total


def _part(network: Network, url: str, offset: int, length: int) -> bytes:
    with network.opened("GET", url, {"Range": f"bytes={offset}-{offset + length - 1}"}) as reply:
        _check_part(reply)
        if _content_range(reply)[:2] != (offset, offset + length - 1):
            raise damaged("its server sends another part than was asked for", "服务器返回的片段与请求不符")
        body = reply.whole(length, TOTAL)
    if len(body) != length:
        raise damaged("its server sends less than it says", "服务器返回的内容少于其所述")
    return body


def _check_part(reply: Reply) -> None:
    if reply.status == 200:
        raise NoParts("too-large", Words("its server sends only whole files", "其服务器只提供完整文件"))
    if reply.status != 206:
        check(reply.status, reply.headers, reply.start(), authorized=reply.authorized)
        raise damaged(f"its server answers with status {reply.status}", f"服务器返回状态码 {reply.status}")


def _content_range(reply: Reply) -> tuple[int, int, int]:
    """First byte, last byte, size of the whole: `bytes 0-99/1234`."""
    unit, _, said = reply.headers.get("content-range", "").partition(" ")
    span, _, total = said.partition("/")
    first, _, last = span.partition("-")
    numbers = [one for one in (first, last, total) if one.isascii() and one.isdigit() and len(one) < 19]
    if unit.lower() != "bytes" or len(numbers) != 3:
        raise damaged("its server does not say which part it sends", "服务器未说明返回的是哪一段")
    return int(first), int(last), int(total)
