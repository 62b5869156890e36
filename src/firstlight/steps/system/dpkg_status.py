"""dpkg's own record of what is installed, paragraph by paragraph as it stands there."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ...errors import NoError
from ...words import Words
from .ground import Ground

STATUS = "/var/lib/dpkg/status"
UPDATES = "/var/lib/dpkg/updates"
MARKS = "/var/lib/apt/extended_states"
LARGEST = 128 << 20
Key = tuple[str, str]
"""Name and architecture."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One package that dpkg knows."""

    name: str
    architecture: str
    version: str
    want: str
    """`install`, `hold`, `deinstall`, `purge`."""
    state: str
    """`installed`, `config-files`, `half-configured`, `half-installed`, `unpacked`, `triggers-…`."""
    again: bool
    """dpkg says that it must be installed again before anything else."""
    text: str
    """The paragraph."""

    @property
    def key(self) -> Key:
        """Name and architecture."""
        return self.name, self.architecture

    @property
    def installed(self) -> str | None:
        """Its version, if it is whole."""
        whole = ("installed", "triggers-pending", "triggers-awaited")
        return self.version if self.state in whole and not self.again else None

    @property
    def half(self) -> bool:
        """Whether it is neither whole nor gone."""
        return self.again or self.state in ("half-installed", "half-configured", "unpacked")


def read_status(ground: Ground) -> dict[Key, Entry]:
    """All entries. Raises NoError where there is no dpkg, or its record cannot be read."""
    data = ground.read(STATUS, LARGEST)
    if data is None:
        raise NoError(
            Words(f"{STATUS} cannot be read", f"无法读取 {STATUS}"),
            why=Words(
                "packages are changed on systems with dpkg and apt only", "只能在使用 dpkg 和 apt 的系统上更改软件包"
            ),
        )
    texts = [data, *(ground.read(f"{UPDATES}/{name}") or b"" for name in pending(ground))]
    found: dict[Key, Entry] = {}
    for text in texts:
        for one in map(entry, paragraphs(text.decode("utf-8", "surrogateescape"))):
            if one is not None:
                found[one.key] = one
    return {key: one for key, one in found.items() if one.state != "not-installed"}


def pending(ground: Ground) -> list[str]:
    """Names of dpkg's notes that are not in its record yet, in their order: of one that runs, or was killed."""
    return [name for name in ground.names(UPDATES) if name.isdecimal()]


def paragraphs(text: str) -> list[str]:
    """Each with its line end."""
    return [f"{part.strip(chr(10))}\n" for part in text.split("\n\n") if part.strip()]


def entry(text: str) -> Entry | None:
    """One paragraph; None where it is none."""
    fields = {}
    for line in text.splitlines():
        name, colon, value = line.partition(":")
        if colon and name and not name[0].isspace():
            fields[name.lower()] = value.strip()
    words = fields.get("status", "").split()
    if len(words) != 3 or "package" not in fields:
        return None
    return Entry(
        name=fields["package"], architecture=fields.get("architecture", ""), version=fields.get("version", ""),
        want=words[0], again=words[1] != "ok", state=words[2], text=text,
    )  # fmt: skip


def halves(entries: Iterable[Entry]) -> list[Entry]:
    """Those that a killed dpkg or a failed maintainer script left neither here nor there."""
    return [one for one in entries if one.half]


def read_marks(ground: Ground) -> dict[Key, str]:
    """Paragraphs of what apt takes for installed as a dependency, by package."""
    text = (ground.read(MARKS, LARGEST) or b"").decode("utf-8", "surrogateescape")
    found = {}
    for one in paragraphs(text):
        fields = dict(line.partition(": ")[::2] for line in one.splitlines())
        if fields.get("Auto-Installed") == "1":
            found[fields.get("Package", ""), fields.get("Architecture", "")] = one
    return found
