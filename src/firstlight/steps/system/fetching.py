"""Content that a change names by its address, fetched by the asking user before anything is consented to."""

from __future__ import annotations

import os

import msgspec

from ...causes.changes import Change, Keyring
from ...errors import NoError
from ...project.model import Sources
from ...words import Words
from .keyring import LARGEST


def with_content(part: Change, sources: Sources) -> Change:
    """A keyring with its bytes; whether it holds the known keys is judged by its step. Raises NoError."""
    if not isinstance(part, Keyring) or part.content is not None or part.url is None:
        return part
    from ...catalog.model import Trouble
    from ...catalog.plain_file import plain_file

    found = plain_file(part.url, sources, os.environ, limit=LARGEST)
    if isinstance(found, Trouble):
        raise NoError(
            Words(f"the key cannot be had from {found.subject}", f"无法从 {found.subject} 获取密钥"), why=found.text
        )
    return msgspec.structs.replace(part, content=found)
