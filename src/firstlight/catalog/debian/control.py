"""Control files (deb822): stanzas of fields, parted by empty lines."""

from __future__ import annotations

from collections.abc import Container, Iterator

FIELDS = frozenset({
    "package", "version", "architecture", "multi-arch", "depends", "pre-depends", "recommends", "conflicts", "breaks",
    "provides", "replaces", "essential", "important", "protected", "filename", "size", "sha256", "installed-size",
    "source", "status", "phased-update-percentage", "priority", "section",
})  # fmt: skip
"""What resolving, fetching and showing need."""
LONGEST = 1 << 20
"""Characters of one field that are kept; a longer one is damaged, and its stanza is left out."""
MOST = 500_000
"""Stanzas of one file."""


class DamagedError(ValueError):
    """The bytes are no control file."""


def stanzas(data: bytes, wanted: Container[str] = FIELDS) -> Iterator[dict[str, str]]:
    """Fields by name in lower case. A line that continues a field is joined to it by a blank; lines that are none of
    both are passed over, as by apt. Raises DamagedError where there are more than MOST stanzas."""
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    names = _Names(wanted)
    for count, block in enumerate(_blocks(text)):
        if count > MOST:
            raise DamagedError(f"more than {MOST} stanzas")
        fields = _fields(block, names)
        if fields:
            yield fields


class _Names(dict[str, str]):
    """Spellings that were met -> the name in lower case, empty for what is not wanted: a stanza has some twenty."""

    def __init__(self, wanted: Container[str]) -> None:
        super().__init__()
        self._wanted = wanted

    def __missing__(self, head: str) -> str:
        low = head.lower()
        found = low if low in self._wanted else ""
        if len(self) < _SPELLINGS:
            self[head] = found
        return found


_SPELLINGS = 1000


def _blocks(text: str) -> Iterator[str]:
    """One at a time: a list of all would double what is held."""
    at = 0
    while at < len(text):
        end = text.find("\n\n", at)
        end = len(text) if end < 0 else end
        yield text[at:end]
        at = end + 2


def _fields(block: str, names: _Names) -> dict[str, str]:
    fields: dict[str, str] = {}
    last = ""
    for line in block.split("\n"):
        if line[:1] in _BLANK:
            if last and line:
                fields[last] += " " + line.strip()
            continue
        head, _, value = line.partition(":")
        last = names[head]
        if last:
            if last in fields or len(value) > LONGEST:
                last = ""
            else:
                fields[last] = value.strip()
    return fields


_BLANK = ("", " ", "\t")
