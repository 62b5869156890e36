"""Small questions to a host, answered with a fact: the value, or an `Unknown` with its reason."""

from __future__ import annotations

from ..host.model import Host, Kind, Missing, Unread, exists, text
from .value import Fact, Unknown, unknown


def string(host: Host, path: str, limit: int = 1 << 20) -> Fact[str]:
    """Text of a small file, stripped. An empty file is an empty string."""
    found = text(host, path, limit)
    return unknown(found) if isinstance(found, Unread) else found


def integer(host: Host, path: str) -> Fact[int]:
    """A file that holds one decimal number."""
    found = string(host, path)
    return found if isinstance(found, Unknown) else whole(found, path)


def whole(word: str, path: str, base: int = 10) -> Fact[int]:
    """A whole number of at most 20 digits, or malformed."""
    try:
        return int(word if len(word) <= 20 else "", base)
    except ValueError:
        return Unknown("malformed", path, word[:40])


def present(host: Host, path: str) -> Fact[bool]:
    """Whether the path is there; a link need not lead anywhere. What lies below a folder that is known not to be there
    is not there either, even if a recording says nothing of it."""
    found = exists(host, path)
    if isinstance(found, bool):
        return found
    return False if found.reason is Missing.NOT_CAPTURED and _below_nothing(host, path) else unknown(found)


def _below_nothing(host: Host, path: str) -> bool:
    while path := path.rpartition("/")[0]:
        found = host.info(path)
        if not isinstance(found, Unread) or found.reason is not Missing.NOT_CAPTURED:
            return isinstance(found, Unread) and found.reason is Missing.ABSENT
    return False


def leads_somewhere(host: Host, path: str) -> Fact[bool]:
    """Whether the path is there once every link is followed."""
    end = host.resolve(path)
    if isinstance(end, Unread):
        return False if end.reason is Missing.ABSENT else unknown(end)
    return present(host, end)


def listing(host: Host, path: str) -> Fact[tuple[str, ...]]:
    """Sorted names in a folder; a folder that is known not to be there has none."""
    found = host.names(path)
    if isinstance(found, Unread):
        return () if found.reason is Missing.ABSENT else unknown(found)
    return found


def names_in(host: Host, path: str) -> tuple[str, ...]:
    """Names that are known to be in a folder: for answers that claim nothing of what is not there."""
    found = host.names(path)
    return () if isinstance(found, Unread) else found


def is_folder(host: Host, path: str) -> bool:
    """Whether the path is known to be a folder, itself or by a link."""
    end = host.resolve(path)
    if isinstance(end, Unread):
        return False
    found = host.info(end)
    return not isinstance(found, Unread) and found.kind is Kind.DIR


def parameters(host: Host, module: str) -> dict[str, str]:
    """/sys/module/MODULE/parameters: those that can be read."""
    folder = f"/sys/module/{module}/parameters"
    values = {name: string(host, f"{folder}/{name}", 1 << 16) for name in names_in(host, folder)}
    return {name: value for name, value in values.items() if not isinstance(value, Unknown)}
