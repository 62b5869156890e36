"""Headers of a text: of METADATA and WHEEL in a wheel, of control in a Debian package."""

from __future__ import annotations


def fields(text: str) -> dict[str, list[str]]:
    """Values by name, in the form of RFC 822; only the first line of each."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines()[:4096]:
        name, colon, value = line.partition(":")
        if not line.strip():
            break
        if colon and not line[0].isspace():
            found.setdefault(name, []).append(value.strip()[:512])
    return found
