"""Debian packages: an archive of three members (deb(5)), of which `data.tar` holds the files."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from . import archive
from .fields import fields
from .forward import Forward
from .gathering import Gathering
from .model import Fault, Report
from .source import Part, Source
from .tar import gather, members
from .unpacking import BrokenError, Budget, blocks, plain, spending

MAGIC = archive.MAGIC + b"debian-binary"
_LONGEST_CONTROL = 1 << 20


def read_deb(source: Source, path: str) -> Report:
    """What a package holds. A damaged one is a report with faults. Raises OSError if the medium fails."""
    gathering = Gathering()
    budget = Budget(source.size)
    name: str | None = None
    data = False
    for member in archive.members(source):
        if isinstance(member, Fault):
            gathering.fault(member)
            continue
        part = Part(source, member.offset, member.size)
        if member.name.startswith("control.tar") and name is None:
            name = _named(part, gathering)
        elif member.name.startswith("data.tar") and not data:
            data = True
            with spending(budget):
                gather(partial(_unpacked, part), budget, gathering)
    if not data:
        gathering.fault(Fault(kind="damaged", where="archive", detail="it has no data.tar"))
    return Report(
        path=path,
        kind="deb",
        pieces=tuple(gathering.pieces),
        others=gathering.others,
        distribution=name,
        faults=tuple(gathering.faults),
    )


def _unpacked(part: Part) -> Iterator[bytes]:
    return plain(blocks(part))


def _named(part: Part, gathering: Gathering) -> str | None:
    """`librocsparse1 6.4.4-1`."""
    try:
        forward = Forward(Budget(0).counted(_unpacked(part)))
        for member in members(forward):
            if not isinstance(member, Fault) and member.path == "control":
                found = fields(forward.read(min(member.size, _LONGEST_CONTROL)).decode("utf-8", "replace"))
                name, version = found.get("Package"), found.get("Version")
                return f"{name[0]} {version[0]}" if name and version else None
    except BrokenError as error:
        gathering.fault(error.fault("control.tar"))
    return None
