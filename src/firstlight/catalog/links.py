"""What every form of page has in common: which of its files count, and which hashes can be ones."""

from __future__ import annotations

from collections.abc import Iterable

from .filenames import project_of
from .model import IndexFile
from .trouble import damaged, quoted

HEX = frozenset("0123456789abcdef")
TEXT = 500
"""Characters of a foreign text that are kept."""
FILES = 100_000
"""Files on one page; the largest of PyPI has some 12,000."""


def files_of(listed: Iterable[IndexFile | None], project: str, base: str) -> tuple[IndexFile, ...]:
    """The wheels and sdists of `project` (empty: of any), each name once: an index that names one twice means the
    first, as pip and uv take it. Raises Failed where a file comes over an open line with nothing to check it by."""
    found: dict[str, IndexFile] = {}
    for one in listed:
        if one is None or one.filename in found:
            continue
        name = project_of(one.filename, project)
        if name is not None and (not project or name == project):
            if one.sha256 is None and base.startswith("https:") and one.url.startswith("http:"):
                text = quoted(one.filename)
                raise damaged(f"{text} comes without TLS and without a hash", f"{text} 既无 TLS 也无哈希")
            found[one.filename] = one
    return tuple(found.values())


def checked_hash(said: str | None) -> str | None:
    """A sha256 in lower case. Raises Failed for what can be none."""
    if said is None:
        return None
    low = said.lower()
    if len(low) != 64 or not HEX.issuperset(low):
        text = quoted(said)
        raise damaged(f"{text} is no sha256", f"{text} 不是 sha256")
    return low


def plain(said: str | None) -> str | None:
    """A foreign text as it may be shown: of one line, without control characters."""
    if said is None or (len(said) <= TEXT and said.isprintable()):
        return said
    return "".join(sign if sign.isprintable() else " " for sign in said[:TEXT])
