"""Packages in the form that the solver's own parser reads fastest: RPM's `primary` metadata, with Debian's meaning.

Calls from Python, some twenty for each package, cost more than writing this text and having it parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from .encoding import Encoder, quoted
from .versions import encoded

RAW = ("package", "version", "architecture", "filename", "sha256", "size", "installed-size", "source", "essential")
"""Fields that are kept as they stand, as the summary."""
PART = "|"
"""Stands between them; a sign that none of them may hold."""
HEAD = b'<?xml version="1.0" encoding="UTF-8"?>\n<metadata xmlns:rpm="r">\n'
END = b"</metadata>\n"
BLOCK = 2000
"""Packages that are written at once."""


def primary(packages: Iterable[dict[str, str]], encoder: Encoder) -> Iterator[bytes]:
    """The text, piece by piece. A stanza whose name, version or architecture is missing, or holds signs that Debian
    does not allow (Policy 5.6.1, 5.6.12), is left out."""
    yield HEAD
    block: list[str] = []
    sound = _sound().fullmatch
    for fields in packages:
        get = fields.get
        key = f"{get('package', '')}|{get('version', '')}|{get('architecture', '')}"
        if sound(key):
            block.append(_package(fields, key, encoder))
        if len(block) >= BLOCK:
            yield "".join(block).encode()
            block.clear()
    yield "".join(block).encode() + END


@cache
def _sound() -> re.Pattern[str]:
    return re.compile(r"[A-Za-z0-9][A-Za-z0-9+._-]{0,300}\|[A-Za-z0-9][A-Za-z0-9.+~:_-]{0,300}\|[a-z0-9-]{1,40}")


def _package(fields: dict[str, str], key: str, encoder: Encoder) -> str:
    architecture, get = fields["architecture"], fields.get
    version = encoded(fields["version"])
    rest = (get("filename", ""), get("sha256", ""), get("size", ""), get("installed-size", ""), get("source", ""))
    raw = f"{key}|{'|'.join(rest)}|{get('essential', '')}"
    needs = [encoder.needs(fields[one], architecture) for one in ("pre-depends", "depends") if one in fields]
    against = encoder.against(fields)
    return (
        f'<package type="rpm"><name>{encoder.name(fields["package"], architecture)}</name><arch>noarch</arch>'
        f'<version epoch="0" ver="{version}"/><summary>{quoted(raw)}</summary><format>'
        f"<rpm:provides>{encoder.provides(fields, version)}</rpm:provides>"
        + (f"<rpm:requires>{''.join(needs)}</rpm:requires>" if needs else "")
        + (f"<rpm:conflicts>{against}</rpm:conflicts>" if against else "")
        + (
            f"<rpm:recommends>{encoder.needs(fields['recommends'], architecture)}</rpm:recommends>"
            if "recommends" in fields
            else ""
        )
        + "</format></package>\n"
    )
