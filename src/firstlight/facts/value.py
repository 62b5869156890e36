"""A value that may be unknown, and the base of all records of facts."""

from __future__ import annotations

from typing import TypeVar, Union

import msgspec

from ..host.model import Unread


class Unknown(msgspec.Struct, frozen=True, omit_defaults=True):
    """A value that could not be read."""

    unknown: str
    """`absent`, `denied`, `too-large`, `not-captured`, `unreadable`, or `malformed`."""
    source: str
    """What was asked: a path, or a word such as `environment`."""
    detail: str = ""


T = TypeVar("T")
Fact = Union[T, Unknown]


def unknown(unread: Unread) -> Unknown:
    """An `Unknown` of the same reason."""
    return Unknown(unread.reason.value, unread.path, unread.detail)


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """Base of all records of facts."""
