"""dpkg's database, and what apt remembers of it."""

from __future__ import annotations

from ...host.model import Host, Missing, Unread
from .control import DamagedError, stanzas
from .model import Installed, Lacking

STATUS = "/var/lib/dpkg/status"
EXTENDED = "/var/lib/apt/extended_states"
LARGEST = 256 << 20
GONE = ("not-installed", "config-files")
"""States in which no file of the package is there."""


def read_status(host: Host) -> tuple[tuple[Installed, ...], tuple[Lacking, ...]]:
    """Every package of which something is left; and what could not be read."""
    data = host.read(STATUS, LARGEST)
    if isinstance(data, Unread):
        return (), (Lacking(what=STATUS, why=data.reason.value),)
    automatic = _automatic(host)
    try:
        found = tuple(_installed(fields, automatic) for fields in stanzas(data) if _sound(fields))
    except DamagedError as error:
        return (), (Lacking(what=STATUS, why=f"malformed: {error}"),)
    return found, ()


def _sound(fields: dict[str, str]) -> bool:
    return bool(fields.get("package")) and len(fields.get("status", "").split()) == 3


def _installed(fields: dict[str, str], automatic: frozenset[tuple[str, str]]) -> Installed:
    want, _, state = fields["status"].split()
    key = (fields["package"], fields.get("architecture", ""))
    return Installed(fields=fields, state=state, held=want == "hold", auto=key in automatic)


def _automatic(host: Host) -> frozenset[tuple[str, str]]:
    data = host.read(EXTENDED, LARGEST)
    if isinstance(data, Unread):
        return frozenset()
    wanted = frozenset({"package", "architecture", "auto-installed"})
    try:
        rows = [one for one in stanzas(data, wanted) if one.get("auto-installed") == "1"]
    except DamagedError:
        return frozenset()
    return frozenset((one.get("package", ""), one.get("architecture", "")) for one in rows)


def is_absent(reason: Missing) -> bool:
    """Whether the machine has no dpkg at all, as opposed to not being known."""
    return reason is Missing.ABSENT
